#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/process.hpp"

namespace ladder {

/// Header of a file that lists whether flows stay bounded.
inline constexpr std::string_view stability_header = "case,outcome,step,reason\n";

/// The line of such a file for a run of a case by an executable's command `series`: `bounded` if `series`, the file that it
/// wrote, ends at the last of the case's `steps`, or `diverged` at the step at which it noticed. Nothing if the run shows
/// neither: only a message about the flow proves that it diverged, not a process that crashed, was killed or could not run.
std::optional<std::string> stability_line(const std::string& case_name, const ProcessResult& result, std::string_view series,
                                          std::int64_t steps);

/// The lines of such a file by case; empty if the text is not a complete file of this form.
std::map<std::string, std::string> stability_lines(std::string_view text);

}  // namespace ladder
