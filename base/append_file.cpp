#include "base/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/lock.hpp"
#include "base/output.hpp"

namespace ladder {

AppendFile::AppendFile(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  take();
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

/// Whether the path still names the open file.
bool AppendFile::is_there() const {
  struct stat open_one {};
  struct stat named {};
  return fstat(descriptor_, &open_one) == 0 && stat(file_.c_str(), &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

/// Opens and locks the file. Another program may replace the file between the two.
void AppendFile::take() {
  for (int tries = 0;; ++tries) {
    take_once();
    if (is_there()) return;
    close(std::exchange(descriptor_, -1));
    if (tries == 20) throw InputError(fmt::format("{}: another program keeps replacing this file", file_.string()));
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
    const std::string who = lock_holder(descriptor);
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
  const int before = descriptor_;  // stays locked until the new file is locked
  write_files(file_.parent_path(), {{file_.filename().string(), std::string(text)}});
  take();
  close(before);
}

void AppendFile::append(std::string_view lines) {
  if (!is_there())
    throw InputError(fmt::format("{}: has been removed or replaced; it lacks the rows measured so far", file_.string()));
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (before < 0 || (before > 0 && pread(descriptor_, &last, 1, before - 1) != 1))
    throw InputError(fmt::format("{}: cannot be read: {}", file_.string(), std::strerror(errno)));
  const std::string text = (last == '\n' ? "" : "\n") + std::string(lines);
  if (write_all(descriptor_, text) && fdatasync(descriptor_) == 0) return;
  const std::string reason = std::strerror(errno);
  // Remove the partial write, unless another program has appended to it.
  const std::string now = read();
  const bool is_own =
      now.size() >= static_cast<std::size_t>(before) && text.starts_with(now.substr(static_cast<std::size_t>(before)));
  if (!is_own || ftruncate(descriptor_, before) != 0)
    throw InputError(fmt::format("{}: a row was not written whole: {}", file_.string(), reason));
  throw InputError(fmt::format("{}: a row cannot be written: {}", file_.string(), reason));
}

}  // namespace ladder
