#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// How a child process ended and what it said.
struct ProcessResult {
  enum class End { exited, signalled, timed_out, out_of_memory };
  End end = End::exited;
  int code = 0;  ///< exit code, or number of the signal
  std::string out, err;
  double seconds = 0;       ///< wall time from start to end
  double memory_bytes = 0;  ///< what it and its descendants might hold together
};

/// Whether the process ended by itself, with exit code 0.
[[nodiscard]] inline bool succeeded(const ProcessResult& result) {
  return result.end == ProcessResult::End::exited && result.code == 0;
}

/// Variables that a child has beside this process's own; they replace those of the same name.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Thrown where the program was asked to end.
class Interrupted {};

/// Runs a program without a shell and without standard input. It is killed at the timeout, at an interrupt, where it and its
/// descendants hold more resident memory than `memory_bytes`, and when this process dies; 0 stands for 90 % of the memory that
/// is available when it starts. No descendant outlives it, in whatever session: this process adopts orphans and kills them.
/// Where the machine runs out of memory, the operating system takes the child before this process. At most 16 MiB of each
/// stream are kept. Children that this process has started otherwise are left alone.
/// @throws Interrupted; std::system_error where no process can be made
ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const Environment& environment = {}, double memory_bytes = 0);

/// A process that works on one command after another (docs/architecture.md, "A process that stays"), so that it is started
/// once. It is started by the first request, and again by the next one after it was killed: because it crashed, reached a
/// limit, left a descendant behind, answered with something else than one line of JSON, or with an exit code that tells of more
/// than a refusal (0, 2, 3).
class Resident {
 public:
  Resident(std::filesystem::path program, Environment environment);
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  /// Ends the process: it may go by itself for half a second, then it is killed.
  ~Resident();

  /// What run_process() would answer for `arguments`; an answer that is none is an exit code 0 without output.
  /// @throws as run_process()
  ProcessResult request(const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

  [[nodiscard]] const std::filesystem::path& program() const { return program_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  /// Of the process; 0 where none runs.
  [[nodiscard]] int id() const;

 private:
  class Process;
  std::filesystem::path program_;
  Environment environment_;
  std::unique_ptr<Process> process_;
};

/// Resident processes, one per program and environment; the seventeenth replaces the one that was started first.
class Residents {
 public:
  /// As Resident::request() of the process with this program and environment.
  ProcessResult request(const std::filesystem::path& program, const Environment& environment,
                        const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

 private:
  static constexpr std::size_t most = 16;
  std::list<Resident> alive_;
};

/// Makes what asks the program to end (Ctrl-C, the end of its terminal, `kill`) end the current child and throw Interrupted,
/// instead of ending the program in the middle of a row. A signal that was ignored when the program started (nohup) still is.
void catch_interrupts();

/// Throws Interrupted where the program was asked to end. For loops that may last without a child.
void heed_interrupts();

/// Undoes catch_interrupts(): an interrupt ends the program again, where nothing is to be cleaned up.
void release_interrupts();

}  // namespace ladder
