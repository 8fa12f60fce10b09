#include "harness/program/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libfccp/csv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "harness/error.hpp"

namespace ladder {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<StoredRow> read_rows(const std::filesystem::path& file, const std::string& text) {
  std::vector<StoredRow> rows;
  const std::string header = text.substr(0, text.find('\n'));
  if (header != csv_header())
    throw InputError(fmt::format("{}:1: not a store of rows: the header is '{}'; accepted: {}", file.string(),
                                 header.substr(0, 80), csv_header()));
  try {
    std::istringstream stream(text);
    io::CSVReader<5, io::trim_chars<>, io::double_quote_escape<',', '"'>> reader(file.string(), stream);
    reader.read_header(io::ignore_extra_column, "session", "kind", "outcome", "key", "round");
    StoredRow row;
    while (reader.read_row(row.session, row.kind, row.outcome, row.key, row.round))
      rows.push_back(row);
  } catch (const io::error::base& e) {
    throw InputError(fmt::format("{}: not a store of rows: {}", file.string(), e.what()));
  }
  return rows;
}

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

Store::Store(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
  if (!lock(descriptor_)) {
    const std::string who = holder(descriptor_);
    close(descriptor_);
    throw InputError(fmt::format("{}: another 'ladder'{} is writing this store; wait until it has ended", file_.string(), who));
  }
  try {
    std::string text = contents(file_);
    const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    const auto half = text.size() - whole;
    if (whole == 0 && !csv_header().starts_with(text))
      throw InputError(fmt::format("{}: not a store of rows: it has no header", file_.string()));
    text.resize(whole);
    if (!text.empty()) rows_ = read_rows(file_, text);
    if (half > 0) {
      std::cerr << fmt::format("{}: dropped a half-written last row ({} bytes)\n", file_.string(), half);
      if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
        throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
    }
    lseek(descriptor_, 0, SEEK_END);
    if (text.empty()) {
      const std::string header = csv_header() + "\n";
      if (!write_whole(descriptor_, header))
        throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Store::~Store() { close(descriptor_); }

void Store::append(const Row& row) {
  const std::string line = csv_line(row) + "\n";
  const off_t before = lseek(descriptor_, 0, SEEK_CUR);
  if (!write_whole(descriptor_, line) || fdatasync(descriptor_) != 0) {
    const std::string reason = std::strerror(errno);
    if (ftruncate(descriptor_, before) != 0 || lseek(descriptor_, before, SEEK_SET) < 0)
      throw InputError(fmt::format("{}: a row was not written whole: {}", file_.string(), reason));
    throw InputError(fmt::format("{}: a row cannot be written: {}", file_.string(), reason));
  }
  rows_.push_back({row.session, row.kind, row.outcome, row.key, row.round});
}

}  // namespace ladder
