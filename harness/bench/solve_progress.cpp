#include "harness/bench/solve_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "base/text.hpp"

namespace ladder {

SolveProgress::SolveProgress(std::int64_t steps, std::int64_t cells, std::ostream& to)
    : steps_(steps), cells_(cells), to_(to), terminal_(&to == &std::cerr && isatty(STDERR_FILENO) == 1) {}

void SolveProgress::end() {
  if (std::exchange(has_line_, false)) to_ << "\r\033[K" << std::flush;
}

void SolveProgress::show(std::int64_t done, double seconds) {
  const auto now = Clock::now();
  const auto since = [&](Clock::time_point from) { return std::chrono::duration<double>(now - from).count(); };
  const std::int64_t tenths = done / ((steps_ + 9) / 10);
  const bool is_time = terminal_ ? since(shown_) >= 0.2 : tenths > shown_tenths_ && since(shown_) >= 1;
  if (!is_time || done == 0 || done == steps_) return;
  shown_ = now;
  shown_tenths_ = tenths;
  const double updates = static_cast<double>(cells_) * static_cast<double>(done);
  const double left = since(start_) / static_cast<double>(done) * static_cast<double>(steps_ - done);
  const std::string text = fmt::format("solve {}/{} steps done, {} MLUPS, {} left", done, steps_,
                                       significant(1e-6 * updates / seconds), duration_text(left));
  end();
  has_line_ = terminal_;
  to_ << text << (terminal_ ? "" : "\n") << std::flush;
}

std::string solve_report(std::int64_t cells, std::int64_t steps, double seconds, const std::filesystem::path& folder,
                         const std::vector<std::string>& names) {
  std::string text = fmt::format("speed: {} MLUPS, {} in {} s\nfiles:",
                                 significant(1e-6 * static_cast<double>(cells) * static_cast<double>(steps) / seconds),
                                 counted(static_cast<std::size_t>(steps), "step"), significant(seconds));
  for (const std::string& name : names)
    text += ' ' + (folder / name).string();
  return text + '\n';
}

}  // namespace ladder
