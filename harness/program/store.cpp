#include "harness/program/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include "harness/error.hpp"

namespace ladder {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

constexpr const char* noun(const Row*) { return "rows"; }
constexpr const char* noun(const Profile*) { return "profiles"; }

}  // namespace

template <class Record>
void RecordStore<Record>::read(const std::string& text) {
  const std::string header = first_line(text);
  if (header != csv_header<Record>() && !is_older_header<Record>(header))
    throw InputError(fmt::format("{}:1: not a store of {}: the header is '{}'; accepted: {}", file().string(),
                                 noun(static_cast<const Record*>(nullptr)), header.substr(0, 80), csv_header<Record>()));
  rows_ = parse_records<Record>(file(), text).rows;
}

/// Adds the columns that an older version did not have, empty.
template <class Record>
void RecordStore<Record>::upgrade(const std::string& text) {
  const std::string header = csv_header<Record>();
  const std::string old = first_line(text);
  const auto missing = std::count(header.begin(), header.end(), ',') - std::count(old.begin(), old.end(), ',');
  std::string upgraded = header + "\n";
  std::istringstream lines(text.substr(old.size() + 1));
  for (std::string line; std::getline(lines, line);)
    upgraded += line + std::string(static_cast<std::size_t>(missing), ',') + "\n";
  file_.replace(upgraded);
  std::cerr << fmt::format("{}: added {} columns that an older version did not have\n", file().string(), missing);
}

template <class Record>
RecordStore<Record>::RecordStore(std::filesystem::path path) : file_(std::move(path)) {
  const std::string text = open_table(file_, csv_header<Record>(), [this](const std::string& whole) { read(whole); });
  if (!text.empty() && first_line(text) != csv_header<Record>()) upgrade(text);
}

template <class Record>
void RecordStore<Record>::append(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& record : records)
    lines += csv_line(record) + "\n";
  file_.append(lines);
  rows_.insert(rows_.end(), records.begin(), records.end());
}

template class RecordStore<Row>;
template class RecordStore<Profile>;

}  // namespace ladder
