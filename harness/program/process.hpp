#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// How a child process ended and what it said.
struct ProcessResult {
  enum class End { exited, signalled, timed_out };
  End end = End::exited;
  int code = 0;  ///< exit code, or number of the signal
  std::string out, err;
  double seconds = 0;  ///< wall time from start to end
};

/// Thrown when the user interrupted the program (Ctrl-C) while a child ran.
class Interrupted {};

/// Runs a program without a shell and without standard input, in a process group of its own, which is killed whole at the
/// timeout, at an interrupt, and when this process dies. At most 16 MiB of each stream are kept.
/// @throws Interrupted; std::system_error where no process can be made
ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const std::vector<std::pair<std::string, std::string>>& environment = {});

/// Makes Ctrl-C end the current child and throw Interrupted, instead of ending the program in the middle of a row.
void catch_interrupts();

}  // namespace ladder
