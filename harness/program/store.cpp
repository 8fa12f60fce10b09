#include "harness/program/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libfccp/csv.h>
#include <sys/file.h>
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

}  // namespace

std::vector<StoredRow> parse_rows(const std::filesystem::path& file, const std::string& text) {
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

Store::Store(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor_);
    throw InputError(fmt::format("{}: another 'ladder' is writing this store; wait until it has ended", file_.string()));
  }
  try {
    std::string text = contents(file_);
    const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    const auto half = text.size() - whole;
    if (whole == 0 && !csv_header().starts_with(text))
      throw InputError(fmt::format("{}: not a store of rows: it has no header", file_.string()));
    text.resize(whole);
    if (!text.empty()) rows_ = parse_rows(file_, text);
    if (half > 0) {
      std::cerr << fmt::format("{}: dropped a half-written last row ({} bytes)\n", file_.string(), half);
      if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
        throw InputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
    }
    lseek(descriptor_, 0, SEEK_END);
    if (text.empty()) {
      const std::string header = csv_header() + "\n";
      if (write(descriptor_, header.data(), header.size()) != static_cast<ssize_t>(header.size()))
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
  if (write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fdatasync(descriptor_) != 0) {
    const std::string reason = std::strerror(errno);
    if (ftruncate(descriptor_, before) != 0 || lseek(descriptor_, before, SEEK_SET) < 0)
      throw std::runtime_error(fmt::format("{}: a row was not written whole: {}", file_.string(), reason));
    throw std::runtime_error(fmt::format("{}: a row cannot be written: {}", file_.string(), reason));
  }
  rows_.push_back({row.session, row.kind, row.outcome, row.key, row.round});
}

}  // namespace ladder
