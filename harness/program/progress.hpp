#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ladder {

/// Shows the progress of a long command: on a terminal, one line that updates itself, with the time left; otherwise a plain
/// line for each tenth. Messages have lines of their own.
class Progress {
 public:
  Progress(std::string what, std::size_t parts);
  ~Progress();

  /// The next part begins.
  void begin(const std::string& part);
  /// The part that had begun is done.
  void done();
  /// Prints a message on a line of its own.
  void message(const std::string& line);

 private:
  void clear();

  std::string what_;
  std::size_t parts_;
  std::size_t done_ = 0;
  std::size_t told_tenths_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ladder
