#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ladder {

/// The processes that run one command together, as a launcher started them; here the only one. All of them call each function,
/// in the same order; all get the same result.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  /// Number of this process, from 0; process 0 speaks for all.
  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int size() const { return 1; }

  /// Returns when all have called it.
  virtual void barrier() const {}
  /// What process 0 passes.
  [[nodiscard]] virtual double of_first(double value) const { return value; }
  /// Element by element, over all processes.
  virtual void add(std::span<double> /*values*/) const {}
  /// The largest value; NaN if one is.
  [[nodiscard]] virtual double largest(double value) const { return value; }
  /// The text of the first process whose text is not empty, or empty.
  [[nodiscard]] virtual std::string first_text(const std::string& text) const { return text; }

  /// Whether all processes came to the end of the command. Waits for some seconds; a process that has failed by itself finds
  /// the others in another call, and should then end them all.
  [[nodiscard]] virtual bool meets() const { return true; }
  /// Ends all processes with this exit code.
  [[noreturn]] virtual void abort(int code) const;

  [[nodiscard]] double sum(double value) const {
    add({&value, 1});
    return value;
  }
};

/// Defined by a backend whose programs may be started as several processes, and by no other: the executables of all others do
/// not depend on it. The first call may start the communication.
[[gnu::weak]] const Team& processes();

/// Whether this program may be started as several processes.
inline bool has_processes() { return processes != nullptr; }

/// The processes of this program.
inline const Team& team() {
  static const Team alone;
  return has_processes() ? processes() : alone;
}

}  // namespace ladder
