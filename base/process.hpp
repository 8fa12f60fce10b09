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
  int code = 0;  ///< exit code or signal number
  std::string out, err;
  double seconds = 0;       ///< wall time from start to end
  double memory_bytes = 0;  ///< memory limit of the process and its descendants together
};

/// Whether the process exited on its own with code 0.
[[nodiscard]] inline bool succeeded(const ProcessResult& result) {
  return result.end == ProcessResult::End::exited && result.code == 0;
}

/// Variables that a child gets in addition to this process's own; they override variables of the same name.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Thrown if the program was asked to terminate.
class Interrupted {};

/// Time that a launcher gets to end its processes; processes on other nodes end only when it does.
constexpr double launcher_grace_seconds = 5;

/// Runs a program without a shell and without standard input. It is killed at the timeout, on an interrupt, if it and its
/// descendants use more resident memory than `memory_bytes`, and when this process dies; 0 stands for 90 % of the memory that
/// is available at the start. No descendant outlives it, in whatever session: this process adopts orphans and kills them. If
/// the machine runs out of memory, the operating system kills the child before this process. At most 16 MiB of each stream are
/// kept. Other children of this process are not affected. Before a running program is killed, it gets SIGTERM and
/// `grace_seconds` to exit on its own. `folder`: its working folder; empty: this process's.
/// @throws Interrupted; std::system_error if no process can be created
ProcessResult run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          double timeout_seconds, const Environment& environment = {}, double memory_bytes = 0,
                          double grace_seconds = 0, const std::filesystem::path& folder = {});

/// A process that runs one command after another (docs/architecture.md, "A resident process"), so that it starts only once. The
/// first request starts it, and so does the next request after it was killed because it crashed, reached a limit, left a
/// descendant behind, answered with anything but one line of JSON, or returned an exit code other than 0, 2 and 3.
class Resident {
 public:
  /// `launcher`: words that start the program, e.g. `mpirun -n 2`; empty: it is started directly
  Resident(std::filesystem::path program, Environment environment, std::vector<std::string> launcher = {});
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  /// Stops the process: it has half a second to exit on its own before it is killed.
  ~Resident();

  /// The result that run_process() would give for `arguments`; an invalid answer becomes exit code 0 without output.
  /// @throws as run_process()
  ProcessResult request(const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

  /// Whether it was constructed with these arguments.
  [[nodiscard]] bool is(const std::filesystem::path& program, const Environment& environment,
                        const std::vector<std::string>& launcher) const {
    return program_ == program && environment_ == environment && launcher_ == launcher;
  }
  /// Process id, of the launcher if there is one; 0 if none runs.
  [[nodiscard]] int id() const;

 private:
  class Process;
  std::filesystem::path program_;
  Environment environment_;
  std::vector<std::string> launcher_;
  std::unique_ptr<Process> process_;
};

/// Resident processes, one per program, environment and launcher; a 25th replaces the oldest.
class Residents {
 public:
  /// The process with these constructor arguments, valid until the next call.
  Resident& of(const std::filesystem::path& program, const Environment& environment,
               const std::vector<std::string>& launcher = {});

 private:
  static constexpr std::size_t most = 24;
  std::list<Resident> alive_;
};

/// Makes the signals that ask the program to terminate (Ctrl-C, loss of its terminal, `kill`) stop the current child and throw
/// Interrupted, instead of ending the program in the middle of a row. A signal that was ignored when the program started
/// (nohup) stays ignored.
void catch_interrupts();

/// Throws Interrupted if the program was asked to terminate. For long loops that run without a child process.
void heed_interrupts();

/// Whether alarm() was all that asked the program to terminate. If so, the request is forgotten, and the program may go on.
bool take_alarm();

/// Undoes catch_interrupts(): an interrupt terminates the program again. For phases that need no cleanup.
void release_interrupts();

}  // namespace ladder
