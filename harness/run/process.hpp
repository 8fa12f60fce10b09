#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ladder {

/// How a child process ended, and its output.
struct ProcessResult {
  enum class End { exited, signalled, timed_out, out_of_memory };
  End end = End::exited;
  int code = 0;  ///< exit code, or number of the signal
  std::string out, err;
  double seconds = 0;       ///< wall time from start to end
  double memory_bytes = 0;  ///< memory limit of the process and its descendants together
};

/// Whether the process ended by itself, with exit code 0.
[[nodiscard]] inline bool succeeded(const ProcessResult& result) {
  return result.end == ProcessResult::End::exited && result.code == 0;
}

/// Variables that a child has in addition to this process's own; they replace those of the same name.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Thrown if the program was asked to end.
class Interrupted {};

/// Runs a program without a shell and without standard input. It is killed at the timeout, at an interrupt, if it and its
/// descendants use more resident memory than `memory_bytes`, and when this process dies; 0 stands for 90 % of the memory that
/// is available when it starts. No descendant outlives it, in whatever session: this process adopts orphans and kills them. If
/// the machine runs out of memory, the operating system kills the child before this process. At most 16 MiB of each stream are
/// kept. Other children of this process are not affected. Before a program that still runs is killed, it gets SIGTERM and
/// `grace_seconds` to end by itself. `folder`: its working folder; empty: that of this process.
/// @throws Interrupted; std::system_error if no process can be made
ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const Environment& environment = {}, double memory_bytes = 0,
                          double grace_seconds = 0, const std::filesystem::path& folder = {});

/// A process that runs one command after another (docs/architecture.md, "A resident process"), so that it is started once. It
/// is started by the first request, and again by the next one after it was killed: because it crashed, reached a limit, left a
/// descendant behind, answered with something other than one line of JSON, or with an exit code other than 0, 2 and 3.
class Resident {
 public:
  Resident(std::filesystem::path program, Environment environment);
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  /// Ends the process: after half a second to exit by itself, it is killed.
  ~Resident();

  /// The result that run_process() would give for `arguments`; an invalid answer becomes exit code 0 without output.
  /// @throws as run_process()
  ProcessResult request(const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

  [[nodiscard]] const std::filesystem::path& program() const { return program_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  /// Of the process; 0 if none runs.
  [[nodiscard]] int id() const;

 private:
  class Process;
  std::filesystem::path program_;
  Environment environment_;
  std::unique_ptr<Process> process_;
};

/// Resident processes, one per program and environment; a seventeenth replaces the oldest.
class Residents {
 public:
  /// As Resident::request() of the process with this program and environment.
  ProcessResult request(const std::filesystem::path& program, const Environment& environment,
                        const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

 private:
  static constexpr std::size_t most = 16;
  std::list<Resident> alive_;
};

/// Makes the signals that ask the program to end (Ctrl-C, the end of its terminal, `kill`) end the current child and throw
/// Interrupted, instead of ending the program in the middle of a row. A signal that was ignored when the program started
/// (nohup) is still ignored.
void catch_interrupts();

/// Throws Interrupted if the program was asked to end. For loops that may last without a child process.
void heed_interrupts();

/// Undoes catch_interrupts(): an interrupt ends the program again. For times when nothing needs to be cleaned up.
void release_interrupts();

}  // namespace ladder
