#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Exit codes of every program of the project.
enum ExitCode : int { exit_ok = 0, exit_check_failed = 1, exit_bad_input = 2, exit_unavailable = 3 };

/// Something the user gave is wrong. The message names the file, line and value, and what is accepted. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A rung or backend cannot run on this machine (no device, no double precision). Exit code 3; the rung is skipped.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `; did you mean 'box-128'?` for the first candidate that starts with `given`, else the nearest by edit distance; empty when
/// none has half of its letters in common.
std::string suggestion(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace ladder
