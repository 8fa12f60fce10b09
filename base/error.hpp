#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Exit codes of all programs of the project.
enum ExitCode : int {
  exit_ok = 0,
  exit_check_failed = 1,
  exit_bad_input = 2,
  exit_unavailable = 3,
  exit_broken = 4  ///< the backend failed; GPU errors persist, so the process cannot be used further
};

/// Why a request cannot be carried out here; stored as text in rows and in executables' answers.
enum class Reason {
  no_device,     ///< no such device on this machine, or it lacks a required feature
  no_memory,     ///< the machine or the device has too little memory
  too_large,     ///< exceeds a limit of the rung itself, on any device
  device_limit,  ///< exceeds another limit of the device
  no_such_case,  ///< the rung does not support cases of this kind
  constraint     ///< an illegal combination of tunable values
};

/// `no-device` for Reason::no_device.
std::string_view to_string(Reason reason);

/// Invalid user input. The message names the file, line and value, and the accepted values. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Invalid content in a file of experiments/. what() is `file:line: problem`; the problem names the value and the accepted
/// values.
class FileError : public InputError {
 public:
  /// `line` counts from 1; 0 refers to the whole file.
  FileError(const std::string& file, std::size_t line, const std::string& problem)
      : InputError(file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + problem) {}
};

/// A valid request that exceeds a limit of the rung or of this machine. Exit code 2; a study skips the cell.
class Refused : public InputError {
 public:
  Refused(Reason reason, const std::string& message) : InputError(message), reason_(reason) {}
  [[nodiscard]] Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// The rung or backend cannot run on this machine (no device, no double precision). Exit code 3; the study skips the rung.
class Unavailable : public std::runtime_error {
 public:
  explicit Unavailable(const std::string& message, Reason reason = Reason::no_device)
      : std::runtime_error(message), reason_(reason) {}
  [[nodiscard]] Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// ` (did you mean 'box-128'?)` for the first candidate that starts with `given`, or else for the nearest by edit distance.
/// Empty if no candidate shares at least half of its letters with `given`.
std::string suggestion(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace ladder
