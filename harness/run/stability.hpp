#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/process.hpp"

namespace ladder {

/// Header of a file that lists whether flows stay bounded.
inline constexpr std::string_view stability_header = "case,outcome,step,reason\n";

/// The line of such a file for a run of a case by an executable's command `series`: `bounded` up to the last step of `series`,
/// the file that it wrote, or `diverged` at the step at which it noticed. Nothing if the run shows neither: only a message
/// about the flow proves that it diverged, not a process that crashed, was killed or could not run.
std::optional<std::string> stability_line(const std::string& case_name, const ProcessResult& result, std::string_view series);

}  // namespace ladder
