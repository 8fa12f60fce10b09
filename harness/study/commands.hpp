#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/study/study.hpp"

/// Commands that a study specifies for launchers and contenders, possibly with placeholders.
namespace ladder {

/// Splits a command into words like a shell: at blanks that are neither quoted nor escaped with a backslash.
/// @throws InputError if a quote is not closed
std::vector<std::string> command_words(const std::string& text);
/// The inverse of command_words(): joins words, quoting where necessary.
std::string command_text(const std::vector<std::string>& words);

/// Checks the words of a launcher's command, in which {nodes}, {processes}, {threads} and {devices} represent values of the
/// placement. @throws InputError for an unknown placeholder, or if {processes} is missing
void require_launcher(const std::vector<std::string>& command);

/// Checks the values of a block. @throws whatever `refuse(key, what)` throws for the value of a key
void require_contender(const ContenderBlock& block,
                       const std::function<void(const char* key, const std::string& what)>& refuse);

}  // namespace ladder
