#include "harness/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/console.hpp"
#include "base/text.hpp"

namespace ladder {
namespace {

constexpr double told_every_seconds = 30;

/// Width of the terminal in columns; 80 if unknown.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

double Phase::left(std::size_t done, double elapsed) const {
  const double mean = (piece_seconds + elapsed) / static_cast<double>(done + 1);
  const double rest = mean * static_cast<double>(pieces - std::min(done, pieces));
  return most_seconds > 0 ? std::clamp(most_seconds - elapsed, 0.0, rest) : rest;
}

Progress::Progress(Phase phase, std::vector<Phase> later)
    : phase_(std::move(phase)),
      later_(std::move(later)),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (terminal_) write_err("\r\033[K");
}

double Progress::elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

std::string Progress::left() const {
  std::string text = duration_text(phase_.left(done_, elapsed())) + " left";
  for (const Phase& phase : later_)
    text += fmt::format(", then {} about {}", phase.what, duration_text(phase.left(0, 0)));
  return text;
}

std::string Progress::text() const {
  return fmt::format("{} {}/{}, {}: {}", phase_.what, done_ + 1, phase_.pieces, left(), piece_);
}

void Progress::begin(const std::string& piece) {
  piece_ = piece;
  if (terminal_) {
    clear();
    // A longer line would wrap and could not be overwritten.
    print_err("{}", text().substr(0, columns() - 1));
    return;
  }
  const bool is_time = done_ == 0 || elapsed() - told_seconds_ >= told_every_seconds;
  if (!is_time) return;
  told_seconds_ = elapsed();
  // Plain lines count completed pieces, here and in done(), so that no count appears twice.
  print_err("{} {}/{} done, {}: {}\n", phase_.what, done_, phase_.pieces, left(), piece_);
}

void Progress::done() {
  ++done_;
  if (terminal_ || phase_.pieces == 0) return;
  const std::size_t tenths = 10 * done_ / phase_.pieces;
  if (tenths == told_tenths_) return;
  told_tenths_ = tenths;
  told_seconds_ = elapsed();
  if (done_ == phase_.pieces)
    print_err("{} {}/{}, done in {}\n", phase_.what, done_, phase_.pieces, duration_text(elapsed()));
  else
    print_err("{} {}/{} done, {}\n", phase_.what, done_, phase_.pieces, left());
}

void Progress::message(const std::string& line) {
  clear();
  print_err("{}\n", line);
}

}  // namespace ladder
