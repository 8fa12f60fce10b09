#include "harness/program/store.hpp"

#include <fmt/format.h>
#include <libfccp/csv.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <sstream>
#include <utility>

#include "harness/error.hpp"

namespace ladder {
namespace {

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
    io::CSVReader<8, io::trim_chars<>, io::double_quote_escape<',', '"'>> reader(file.string(), stream);
    reader.read_header(io::ignore_extra_column, "session", "kind", "outcome", "key", "backend", "case", "round",
                       "updates_per_second");
    StoredRow row;
    std::string speed;
    while (reader.read_row(row.session, row.kind, row.outcome, row.key, row.backend, row.case_name, row.round, speed)) {
      const auto [end, error] = std::from_chars(speed.data(), speed.data() + speed.size(), row.updates_per_second);
      if (error != std::errc{} || end != speed.data() + speed.size()) row.updates_per_second = -1;
      rows.push_back(row);
    }
  } catch (const io::error::base& e) {
    throw InputError(fmt::format("{}: not a store of rows: {}", file.string(), e.what()));
  }
  return rows;
}

/// Adds the columns that an older version did not have, empty.
void Store::upgrade(const std::string& text) {
  const std::string header = csv_header();
  const std::string old = first_line(text);
  const auto missing = std::count(header.begin(), header.end(), ',') - std::count(old.begin(), old.end(), ',');
  std::string upgraded = header + "\n";
  std::istringstream lines(text.substr(old.size() + 1));
  for (std::string line; std::getline(lines, line);)
    upgraded += line + std::string(static_cast<std::size_t>(missing), ',') + "\n";
  file_.replace(upgraded);
  std::cerr << fmt::format("{}: added {} columns that an older version did not have\n", file().string(), missing);
}

Store::Store(std::filesystem::path path) : file_(std::move(path)) {
  const std::string text =
      open_table(file_, csv_header(), [&](const std::string& whole) { rows_ = parse_rows(file(), whole); });
  if (!text.empty() && first_line(text) != csv_header()) upgrade(text);
}

void Store::append(const Row& row) {
  file_.append(csv_line(row) + "\n");
  rows_.push_back({row.session, row.kind, row.outcome, row.key, row.backend, row.case_name, row.round, row.updates_per_second});
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
    row.case_name = stored.case_name;
    row.round = stored.round;
    row.updates_per_second = stored.updates_per_second;
  }
  return all;
}

}  // namespace ladder
