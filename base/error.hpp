#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Exit codes of every program of the project.
enum ExitCode : int {
  exit_ok = 0,
  exit_check_failed = 1,
  exit_bad_input = 2,
  exit_unavailable = 3,
  exit_broken = 4  ///< the backend failed; its process cannot be used further, because errors of a GPU persist in it
};

/// Why something cannot be done here; stored as text in rows and in answers of executables.
enum class Reason {
  no_device,     ///< there is no such device here, or it lacks an ability
  no_memory,     ///< the machine or the device has too little memory
  too_large,     ///< the rung itself has a limit, on any device
  device_limit,  ///< beyond another limit of the device
  no_such_case,  ///< the rung does not compute cases of this kind
  constraint     ///< values of tunables that are not legal in combination
};

/// `no-device` for Reason::no_device.
std::string_view to_string(Reason reason);

/// The user's input is wrong. The message names the file, line and value, and the accepted values. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file of experiments/ is wrong. what() is `file:line: problem`; the problem names the value and what is accepted.
class FileError : public InputError {
 public:
  /// `line` counts from 1; 0 if the whole file is meant.
  FileError(const std::filesystem::path& file, std::size_t line, const std::string& problem)
      : InputError(file.string() + (line > 0 ? ":" + std::to_string(line) : "") + ": " + problem) {}
};

/// The request is legal, but exceeds a limit of the rung or this machine. Exit code 2; a cell of a study is skipped.
class Refused : public InputError {
 public:
  Refused(Reason reason, const std::string& message) : InputError(message), reason_(reason) {}
  [[nodiscard]] Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// A rung or backend cannot run on this machine (no device, no double precision). Exit code 3; the rung is skipped.
class Unavailable : public std::runtime_error {
 public:
  explicit Unavailable(const std::string& message, Reason reason = Reason::no_device)
      : std::runtime_error(message), reason_(reason) {}
  [[nodiscard]] Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// `; did you mean 'box-128'?` for the first candidate that starts with `given`, else the nearest by edit distance; empty if
/// none has half of its letters in common.
std::string suggestion(std::string_view given, const std::vector<std::string>& candidates);

}  // namespace ladder
