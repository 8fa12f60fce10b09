#include "harness/program/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "harness/error.hpp"
#include "harness/output.hpp"
#include "harness/store/file.hpp"

namespace ladder {
namespace {

/// Tries for a fifth of a second: when a program is killed, a child that it was just about to start still holds the lock.
bool lock(int descriptor) {
  for (int tries = 0; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries == 20) return false;
    usleep(10000);
  }
  return true;
}

/// False, with errno, where not all of `text` could be written: a disk that fills up takes a part of it first.
bool write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// ` (process 1234)`: who has locked the file, as the operating system lists it; empty where it does not tell.
std::string holder(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return {};
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:10952879 0 EOF; an arrow before the kind marks those who wait
    std::istringstream words(line);
    std::string number, kind, how, access, place;
    long process = 0;
    if (!(words >> number >> kind >> how >> access >> process >> place) || kind != "FLOCK" || process <= 0) continue;
    if (place.substr(place.rfind(':') + 1) == std::to_string(file.st_ino)) return fmt::format(" (process {})", process);
  }
  return {};
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  take();
}

AppendFile::~AppendFile() { close(descriptor_); }

/// Whether the path still names the file that is open.
bool AppendFile::is_there() const {
  struct stat open_one {};
  struct stat named {};
  return fstat(descriptor_, &open_one) == 0 && stat(file_.c_str(), &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

/// Opens the file and keeps others from writing it. Another program may have put a new file in its place in between.
void AppendFile::take() {
  for (int tries = 0;; ++tries) {
    take_once();
    if (is_there()) return;
    close(descriptor_);
    if (tries == 20) throw InputError(fmt::format("{}: is being replaced all the time", file_.string()));
  }
}

void AppendFile::take_once() {
  const int descriptor = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor < 0) throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
  struct stat kind {};
  if (fstat(descriptor, &kind) != 0 || !S_ISREG(kind.st_mode)) {
    close(descriptor);
    throw InputError(fmt::format("{}: is a device or a pipe; accepted: a file", file_.string()));
  }
  if (!lock(descriptor)) {
    const std::string who = holder(descriptor);
    close(descriptor);
    throw InputError(fmt::format("{}: another 'ladder'{} is writing this store; wait until it has ended", file_.string(), who));
  }
  descriptor_ = descriptor;
}

std::string AppendFile::read() const { return read_whole(file_); }

void AppendFile::keep(std::size_t whole) {
  if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
    throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
}

void AppendFile::replace(std::string_view text) {
  const int before = descriptor_;  // locked until the new file is
  write_files(file_.parent_path(), {{file_.filename().string(), std::string(text)}});
  take();
  close(before);
}

void AppendFile::append(std::string_view lines) {
  if (!is_there())
    throw InputError(fmt::format("{}: has been removed or replaced; what was measured up to now is not in it", file_.string()));
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (before < 0 || (before > 0 && pread(descriptor_, &last, 1, before - 1) != 1))
    throw InputError(fmt::format("{}: cannot be read: {}", file_.string(), std::strerror(errno)));
  const std::string text = (last == '\n' ? "" : "\n") + std::string(lines);
  if (write_whole(descriptor_, text) && fdatasync(descriptor_) == 0) return;
  const std::string reason = std::strerror(errno);
  // What was written is taken back, unless somebody else has appended to it.
  const std::string now = read();
  const bool is_own =
      now.size() >= static_cast<std::size_t>(before) && text.starts_with(now.substr(static_cast<std::size_t>(before)));
  if (!is_own || ftruncate(descriptor_, before) != 0)
    throw InputError(fmt::format("{}: a row was not written whole: {}", file_.string(), reason));
  throw InputError(fmt::format("{}: a row cannot be written: {}", file_.string(), reason));
}

}  // namespace ladder
