#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/study/study.hpp"

/// Commands that a study specifies for launchers and contenders, with placeholders.
namespace ladder {

/// Checks the words of a launcher's command, in which {nodes}, {processes}, {threads} and {devices} stand for the placement's
/// values. @throws InputError for another placeholder, or if {processes} is missing
void require_launcher(const std::vector<std::string>& command);

/// Placeholders in a contender's command, which stand for files and values of a run.
constexpr std::array<std::string_view, 7> contender_placeholders = {"{params}", "{obstacles}", "{out}",  "{nx}",
                                                                    "{ny}",     "{nz}",        "{steps}"};

/// Checks the values of a block. @throws whatever `refuse(key, what)` throws for the value of a key
void require_contender(const ContenderBlock& block,
                       const std::function<void(const char* key, const std::string& what)>& refuse);

}  // namespace ladder
