#include "harness/program/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "harness/error.hpp"
#include "harness/output.hpp"

namespace ladder {
namespace {

/// Tries for a fifth of a second: after a program was killed, a child that it was about to start may still hold the lock.
bool lock(int descriptor) {
  for (int tries = 0; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries == 20) return false;
    usleep(10000);
  }
  return true;
}

/// False, with errno, if not all of `text` could be written: a disk that becomes full may store a part of it.
bool write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// ` (process 1234)`: the process that has locked the file, according to the operating system; empty if unknown.
std::string holder(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return {};
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:10952879 0 EOF; an arrow before the kind marks waiting processes
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
  lseek(descriptor_, 0, SEEK_END);
}

AppendFile::~AppendFile() { close(descriptor_); }

/// Whether the path still names the file that is open.
bool AppendFile::is_there() const {
  struct stat open_one {};
  struct stat named {};
  return fstat(descriptor_, &open_one) == 0 && stat(file_.c_str(), &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

/// Opens and locks the file. Another program may have replaced it in between.
void AppendFile::take() {
  for (int tries = 0;; ++tries) {
    take_once();
    if (is_there()) return;
    close(descriptor_);
    if (tries == 20) throw InputError(fmt::format("{}: another program keeps replacing this file", file_.string()));
  }
}

void AppendFile::take_once() {
  const int descriptor = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
  if (!lock(descriptor)) {
    const std::string who = holder(descriptor);
    close(descriptor);
    throw InputError(fmt::format("{}: another 'ladder'{} is writing this store; wait until it has ended", file_.string(), who));
  }
  descriptor_ = descriptor;
}

std::string AppendFile::read() const {
  std::ifstream in(file_, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void AppendFile::keep(std::size_t whole) {
  if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0 || lseek(descriptor_, 0, SEEK_END) < 0)
    throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
}

void AppendFile::replace(std::string_view text) {
  const int before = descriptor_;  // stays locked until the new file is locked
  write_files(file_.parent_path(), {{file_.filename().string(), std::string(text)}});
  take();
  close(before);
  lseek(descriptor_, 0, SEEK_END);
}

void AppendFile::append(std::string_view lines) {
  if (!is_there())
    throw InputError(fmt::format("{}: has been removed or replaced; it lacks the rows measured so far", file_.string()));
  const off_t before = lseek(descriptor_, 0, SEEK_CUR);
  if (write_whole(descriptor_, lines) && fdatasync(descriptor_) == 0) return;
  const std::string reason = std::strerror(errno);
  if (ftruncate(descriptor_, before) != 0 || lseek(descriptor_, before, SEEK_SET) < 0)
    throw InputError(fmt::format("{}: a row was not written whole: {}", file_.string(), reason));
  throw InputError(fmt::format("{}: a row cannot be written: {}", file_.string(), reason));
}

std::string open_table(AppendFile& file, const std::string& header, const std::function<void(const std::string&)>& look) {
  std::string text = file.read();
  const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  const auto half = text.size() - whole;
  if (whole == 0 && !header.starts_with(text))
    throw InputError(fmt::format("{}: not a store of rows: it has no header", file.path().string()));
  text.resize(whole);
  if (!text.empty()) look(text);
  if (half > 0) {
    std::cerr << fmt::format("{}: dropped a half-written last row ({} bytes)\n", file.path().string(), half);
    file.keep(whole);
  }
  if (text.empty()) file.append(header + "\n");
  return text;
}

}  // namespace ladder
