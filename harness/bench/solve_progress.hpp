#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace ladder {

/// Shows the progress of `solve`: on a terminal, as one line that is updated in place; otherwise as one line per tenth of the
/// steps, at most one per second.
class SolveProgress {
 public:
  SolveProgress(std::int64_t steps, std::int64_t cells, std::ostream& to);
  SolveProgress(const SolveProgress&) = delete;
  SolveProgress& operator=(const SolveProgress&) = delete;
  ~SolveProgress() { end(); }

  /// Reports that `done` steps are complete. They took `seconds`, without checks and output.
  void show(std::int64_t done, double seconds);
  /// Removes the line from the terminal.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  const std::int64_t steps_, cells_;
  std::ostream& to_;
  const bool terminal_;
  bool has_line_ = false;  ///< on the terminal
  std::int64_t shown_tenths_ = 0;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

/// The last lines that `solve` prints: its speed, and the files `names` that it wrote to `folder`.
std::string solve_report(std::int64_t cells, std::int64_t steps, double seconds, const std::filesystem::path& folder,
                         const std::vector<std::string>& names);

}  // namespace ladder
