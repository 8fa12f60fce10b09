#include "harness/program/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libfccp/csv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "harness/error.hpp"
#include "harness/output.hpp"

namespace ladder {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::vector<StoredRow> parse_rows(const std::filesystem::path& file, const std::string& text) {
  std::vector<StoredRow> rows;
  const std::string header = first_line(text);
  if (header != csv_header() && !is_older_header(header))
    throw InputError(fmt::format("{}:1: not a store of rows: the header is '{}'; accepted: {}", file.string(),
                                 header.substr(0, 80), csv_header()));
  try {
    std::istringstream stream(text);
    io::CSVReader<7, io::trim_chars<>, io::double_quote_escape<',', '"'>> reader(file.string(), stream);
    reader.read_header(io::ignore_extra_column, "session", "kind", "outcome", "key", "backend", "round", "updates_per_second");
    StoredRow row;
    std::string speed;
    while (reader.read_row(row.session, row.kind, row.outcome, row.key, row.backend, row.round, speed)) {
      const auto [end, error] = std::from_chars(speed.data(), speed.data() + speed.size(), row.updates_per_second);
      if (error != std::errc{} || end != speed.data() + speed.size()) row.updates_per_second = -1;
      rows.push_back(row);
    }
  } catch (const io::error::base& e) {
    throw InputError(fmt::format("{}: not a store of rows: {}", file.string(), e.what()));
  }
  return rows;
}

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

/// Opens the file and keeps others from writing it.
void Store::take() {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
  if (lock(descriptor_)) return;
  const std::string who = holder(descriptor_);
  close(std::exchange(descriptor_, -1));
  throw InputError(fmt::format("{}: another 'ladder'{} is writing this store; wait until it has ended", file_.string(), who));
}

/// Adds the columns that an older version did not have, empty. The new file takes the old one's place when it is whole.
void Store::upgrade(std::string& text) {
  const std::string header = csv_header();
  const std::string old = first_line(text);
  const auto missing = std::count(header.begin(), header.end(), ',') - std::count(old.begin(), old.end(), ',');
  std::string upgraded = header + "\n";
  std::istringstream lines(text.substr(old.size() + 1));
  for (std::string line; std::getline(lines, line);)
    upgraded += line + std::string(static_cast<std::size_t>(missing), ',') + "\n";
  const int before = descriptor_;
  write_files(file_.parent_path(), {{file_.filename().string(), upgraded}});
  try {
    take();
  } catch (...) {
    close(before);
    throw;
  }
  close(before);
  std::cerr << fmt::format("{}: added {} columns that an older version did not have\n", file_.string(), missing);
  text = std::move(upgraded);
}

Store::Store(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  take();
  try {
    std::string text = contents(file_);
    const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    const auto half = text.size() - whole;
    if (whole == 0 && !csv_header().starts_with(text))
      throw InputError(fmt::format("{}: not a store of rows: it has no header", file_.string()));
    text.resize(whole);
    const std::string header = csv_header();
    if (!text.empty()) rows_ = parse_rows(file_, text);
    if (half > 0) {
      std::cerr << fmt::format("{}: dropped a half-written last row ({} bytes)\n", file_.string(), half);
      if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
        throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
    }
    if (!text.empty() && first_line(text) != header) upgrade(text);
    lseek(descriptor_, 0, SEEK_END);
    if (text.empty() && !write_whole(descriptor_, header + "\n"))
      throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
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
  rows_.push_back({row.session, row.kind, row.outcome, row.key, row.backend, row.round, row.updates_per_second});
}

std::vector<Row> Store::samples(const std::string& session) const {
  std::vector<Row> all;
  for (const auto& stored : rows_) {
    if (stored.session != session || (stored.kind != "sample" && stored.kind != "twin")) continue;
    Row& row = all.emplace_back();
    row.session = stored.session;
    row.kind = stored.kind;
    row.outcome = stored.outcome;
    row.key = stored.key;
    row.backend = stored.backend;
    row.round = stored.round;
    row.updates_per_second = stored.updates_per_second;
  }
  return all;
}

}  // namespace ladder
