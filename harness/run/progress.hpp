#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// A part of a long command: pieces of work that take about the same time.
struct Phase {
  std::string what;  ///< e.g. `check`
  std::size_t pieces = 0;
  double piece_seconds = 1;  ///< a guess, which counts like one piece that is done
  double most_seconds = 0;   ///< the phase ends then, done or not; 0: no limit

  /// Seconds that the rest is expected to take, `elapsed` seconds after the phase began.
  [[nodiscard]] double left(std::size_t done, double elapsed) const;
};

/// Shows the progress of a long command, with the time left from the first piece on: on a terminal, one line that updates
/// itself; otherwise a plain line at the start, for each tenth and after each half minute. Messages have lines of their own.
class Progress {
 public:
  /// `later`: phases that follow, with progress of their own; the time left includes them.
  explicit Progress(Phase phase, std::vector<Phase> later = {});
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// The next piece begins.
  void begin(const std::string& piece);
  /// The piece that had begun is done.
  void done();
  /// Prints a message on a line of its own.
  void message(const std::string& line);

 private:
  void clear();
  [[nodiscard]] double elapsed() const;
  /// `check 3/12, 2m 10s left: d2q9/serial/01_skeleton box-128 f32`
  [[nodiscard]] std::string text() const;
  /// `2m 10s left`
  [[nodiscard]] std::string left() const;

  Phase phase_;
  std::vector<Phase> later_;
  std::string piece_;  ///< the one that began last
  std::size_t done_ = 0;
  std::size_t told_tenths_ = 0;
  double told_seconds_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ladder
