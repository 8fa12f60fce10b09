#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// A phase of a long command: pieces of work with similar run times.
struct Phase {
  std::string what;  ///< e.g. `check`
  std::size_t pieces = 0;
  double piece_seconds = 1;  ///< an initial guess, weighted like one completed piece
  double most_seconds = 0;   ///< limit after which the phase ends, complete or not; 0: none

  /// Expected remaining time in seconds, `elapsed` seconds after the phase began.
  [[nodiscard]] double left(std::size_t done, double elapsed) const;
};

/// Shows the progress of a long command and, after the first piece, the remaining time: on a terminal, as one line that updates
/// itself; otherwise as plain lines at the start, after each tenth and after each half minute. Messages go on separate lines.
class Progress {
 public:
  /// `later`: subsequent phases that show progress separately; their expected times follow the remaining time.
  explicit Progress(Phase phase, std::vector<Phase> later = {});
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Begins the next piece.
  void begin(const std::string& piece);
  /// Completes the current piece.
  void done();
  /// Prints a message on a separate line.
  void message(const std::string& line);

 private:
  void clear();
  [[nodiscard]] double elapsed() const;
  /// `check 3/12, 10s left, then measure about 2m 00s: d2q9/serial/01_skeleton box-128 f32`
  [[nodiscard]] std::string text() const;
  /// `10s left, then measure about 2m 00s`
  [[nodiscard]] std::string left() const;

  Phase phase_;
  std::vector<Phase> later_;
  std::string piece_;  ///< the most recently started piece
  std::size_t done_ = 0;
  std::size_t told_tenths_ = 0;
  double told_seconds_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ladder
