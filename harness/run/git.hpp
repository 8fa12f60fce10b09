#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace ladder {

/// Runs git in the source tree `root`, with messages in English. Ignores the variables that git sets for hooks, which may
/// refer to another repository.
/// @throws InputError if there is no git on PATH
ProcessResult run_git(const std::filesystem::path& root, const std::vector<std::string>& arguments,
                      double timeout_seconds = 20);

}  // namespace ladder
