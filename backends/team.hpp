#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ladder {

/// The processes started together by a launcher to run one command; this base class represents a single process. All of them
/// call the same functions in the same order and get the same results.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  /// Index of this process; process 0 prints output.
  [[nodiscard]] virtual int rank() const { return 0; }
  [[nodiscard]] virtual int size() const { return 1; }

  /// Returns once all processes have called it.
  virtual void barrier() const {}
  /// The same for long waits: a waiting process sleeps.
  virtual void gather() const {}
  /// The value passed by process 0.
  [[nodiscard]] virtual double of_first(double value) const { return value; }
  /// Replaces each element by its sum over all processes.
  virtual void add(std::span<double> /*values*/) const {}
  /// The largest value over all processes; NaN if any is NaN.
  [[nodiscard]] virtual double largest(double value) const { return value; }
  /// The first non-empty text in process order; empty if there is none.
  [[nodiscard]] virtual std::string first_text(const std::string& text) const { return text; }

  /// Whether all processes reach the end of the command within a few seconds. If a process failed alone, the others are still
  /// in another call; it should then terminate them all.
  [[nodiscard]] virtual bool meets() const { return true; }
  /// Terminates all processes with this exit code.
  [[noreturn]] virtual void abort(int code) const;

  [[nodiscard]] double sum(double value) const {
    add({&value, 1});
    return value;
  }
};

/// Defined only by a backend whose programs may run as several processes, so that no other executable depends on it. The first
/// call may initialize communication.
[[gnu::weak]] const Team& processes();

/// Whether this program may run as several processes.
inline bool has_processes() { return processes != nullptr; }

/// The processes of this program.
inline const Team& team() {
  static const Team alone;
  return has_processes() ? processes() : alone;
}

}  // namespace ladder
