#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/error.hpp"

namespace ladder {

/// Exit codes of every program of the project.
enum ExitCode : int { exit_ok = 0, exit_check_failed = 1, exit_bad_input = 2, exit_unavailable = 3 };

/// `; did you mean 'box-128'?` for the candidate nearest to `given` by edit distance, empty when none is near.
std::string suggestion(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace ladder
