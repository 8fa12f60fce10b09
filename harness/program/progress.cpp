#include "harness/program/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/program/console.hpp"
#include "harness/program/text.hpp"

namespace ladder {

Progress::Progress(std::string what, std::size_t parts)
    : what_(std::move(what)), parts_(parts), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (terminal_) write_err("\r\033[K");
}

void Progress::begin(const std::string& part) {
  if (!terminal_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string left;
  if (done_ > 0)
    left = ", " + duration_text(elapsed / static_cast<double>(done_) * static_cast<double>(parts_ - done_)) + " left";
  clear();
  say("{} {}/{}{}: {}", what_, done_ + 1, parts_, left, part);
}

void Progress::done() {
  ++done_;
  if (terminal_ || parts_ == 0) return;
  const std::size_t tenths = 10 * done_ / parts_;
  if (tenths == told_tenths_) return;
  told_tenths_ = tenths;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double left = elapsed / static_cast<double>(done_) * static_cast<double>(parts_ - done_);
  say("{} {}/{}, {} left\n", what_, done_, parts_, duration_text(left));
}

void Progress::message(const std::string& line) {
  clear();
  say("{}\n", line);
}

}  // namespace ladder
