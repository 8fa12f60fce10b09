#include "harness/program/append_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "harness/error.hpp"
#include "harness/lock.hpp"
#include "harness/output.hpp"
#include "harness/store/file.hpp"

namespace ladder {

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
    const std::string who = lock_holder(descriptor);
    close(descriptor);
    throw InputError(fmt::format("{}: another 'ladder'{} is writing this store; wait until it has ended", file_.string(), who));
  }
  descriptor_ = descriptor;
}

std::string AppendFile::read() const { return read_whole(file_); }

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
