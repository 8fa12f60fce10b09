#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/column.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/record/records.hpp"
#include "harness/record/utc.hpp"
#include "roofline/model/number.hpp"

/// Writes, reads and documents the columns of a record type. A type `Record` comes with
///
///     template <class R, class Visit> void for_each_column(R& record, Visit&& visit);  // visit(column, member), in order
///     std::vector<std::string_view> last_columns(const Record&);  // of each older version, oldest first; each later column
///                                                                 // starts a new version
///     void finish(const CsvFile& file, Record& record);           // checks and completes a record after reading
///     std::string identity(const Record& record);                 // unique within a file; empty: need not be unique
namespace ladder::column {

/// Rejects a text that is not the name of a number format.
inline void require_number_format(const CsvFile& file, std::size_t line, std::string_view name) {
  if (std::ranges::find(numbers, name, &ladder::Number::name) != numbers.end()) return;
  throw FileError(file.path(), line,
                  fmt::format("column 'precision' is '{}'; accepted: {}", name, fmt::join(number_names(), ", ")));
}

/// Rejects a text that is not a moment in UTC (ISO 8601).
inline void require_utc(const CsvFile& file, std::size_t line, const std::string& utc) {
  if (!seconds_of_utc(utc))
    throw FileError(file.path(), line, fmt::format("column 'utc' is '{}'; accepted: e.g. 2026-01-01T12:00:00Z", utc));
}

/// The sides of a grid, e.g. `128x128`; zeros if it is not known.
inline std::array<int, 3> sides_of(const std::string& grid) {
  std::array<int, 3> sides = {0, 0, 1};
  if (std::sscanf(grid.c_str(), "%9dx%9dx%9d", &sides[0], &sides[1], &sides[2]) < 2) return {};
  return sides;
}

/// Rejects a number of cells that does not match the lattice's sides, if both are known.
inline void require_cells(const CsvFile& file, std::size_t line, std::int64_t cells, const std::array<int, 3>& sides) {
  const auto [nx, ny, nz] = sides;
  if (cells == 0 || nx == 0) return;
  if (ny > 0 && nz > 0 && cells % nx == 0 && cells / nx % ny == 0 && cells / nx / ny == nz) return;
  throw FileError(file.path(), line,
                  fmt::format("column 'cells' is '{}'; accepted: {} x {} x {}, the cells of the lattice", cells, nx, ny, nz));
}

/// Rejects a row whose session or time cannot be those of a measurement.
inline void require_origin(const CsvFile& file, std::size_t line, const std::string& session, const std::string& utc) {
  if (session.empty())
    throw FileError(file.path(), line, "column 'session' is ''; accepted: the id of a session, e.g. 20260101T120000Z-1a2b");
  require_utc(file, line, utc);
}

struct Describer {
  std::vector<ColumnText> all;

  void operator()(const Text& c, const std::string&) { add(c.name, "text", c.form, c.meaning); }
  void operator()(const Count& c, std::integral auto) { add(c.name, "integer", c.unit, c.meaning); }
  void operator()(const Quantity& c, double) { add(c.name, "number", c.unit, c.meaning); }
  void operator()(const Derived& c, double) { add(c.name, "number", c.unit, c.meaning); }
  void operator()(const Unstored&, double) {}

 private:
  void add(std::string_view name, std::string_view type, std::string_view unit, std::string_view meaning) {
    all.push_back({std::string(name), std::string(type), std::string(unit), std::string(meaning)});
  }
};

struct Writer {
  std::string line;
  bool is_first = true;

  void operator()(const Text&, const std::string& value) { add(csv_text(one_line(value))); }
  void operator()(const Count& c, std::integral auto value) {
    add(value == 0 && c.zero != Zero::counts ? "" : std::to_string(value));
  }
  void operator()(const Quantity&, double value) { add(std::isfinite(value) && value >= 0 ? fmt::format("{}", value) : ""); }
  void operator()(const Derived& c, double value) { (*this)(Quantity{c.name, c.unit, c.meaning}, value); }
  void operator()(const Unstored&, double) {}

 private:
  void add(const std::string& field) {
    line += (is_first ? "" : ",") + field;
    is_first = false;
  }
};

/// Fills the members of one record. `places` has the position of each column in the file; `absent` if its version lacks the
/// column.
class Reader {
 public:
  static constexpr std::size_t absent = std::numeric_limits<std::size_t>::max();

  Reader(const CsvFile& file, const CsvRecord& record, const std::vector<std::size_t>& places)
      : file_(file), record_(record), place_(places.begin()) {}

  void operator()(const Text& c, std::string& value) {
    const std::size_t place = *place_++;
    if (place == absent) return;
    value = plain_text(record_.fields[place]);
    if (!c.accepted.empty() && std::ranges::find(c.accepted, value) == c.accepted.end())
      refuse(c.name, value, fmt::format("{}", fmt::join(c.accepted, ", ")));
  }

  template <std::integral Integer>
  void operator()(const Count& c, Integer& value) {
    const std::size_t place = *place_++;
    if (place == absent) return;
    const std::int64_t least = c.zero == Zero::is_refused ? 1 : 0;
    const std::int64_t found = file_.integer(record_, place);
    if (found < least || !std::in_range<Integer>(found)) refuse(c.name, found, fmt::format("an integer from {}", least));
    value = static_cast<Integer>(found);
  }

  void operator()(const Quantity& c, double& value) {
    const std::size_t place = *place_++;
    if (place == absent) return;
    value = file_.number(record_, place);
    const bool is_in_bounds = std::isnan(value) || value == 0 || (value >= 1e-30 && value <= 1e30);
    if (c.is_bounded && !is_in_bounds) refuse(c.name, value, "0, or a number from 1e-30 to 1e30");
    if (value < 0) refuse(c.name, value, "a number from 0");
  }

  void operator()(const Derived&, double) { ++place_; }
  void operator()(const Unstored&, double) {}

 private:
  template <class Value>
  [[noreturn]] void refuse(std::string_view column, const Value& value, const std::string& accepted) const {
    throw FileError(file_.path(), record_.line, fmt::format("column '{}' is '{}'; accepted: {}", column, value, accepted));
  }

  const CsvFile& file_;
  const CsvRecord& record_;
  std::vector<std::size_t>::const_iterator place_;
};

/// The version that introduced each column, counting from 0.
template <class Record>
std::vector<std::size_t> versions() {
  const std::vector<std::string_view> lasts = last_columns(Record{});
  std::vector<std::size_t> all;
  std::size_t version = 0;
  for (const ColumnText& column : ladder::columns<Record>()) {
    all.push_back(version);
    if (version >= lasts.size() || column.name == lasts[version]) ++version;
  }
  return all;
}

/// The position of each column in `file`. @throws FileError if it lacks a column of its version or an older one
template <class Record>
std::vector<std::size_t> places_in(const CsvFile& file) {
  const std::vector<ColumnText> all = ladder::columns<Record>();
  const std::vector<std::size_t> version_of = versions<Record>();
  std::size_t version = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (file.has(all[i].name)) version = std::max(version, version_of[i]);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i)
    places.push_back(version_of[i] <= version ? file.column(all[i].name) : Reader::absent);
  return places;
}

}  // namespace ladder::column

namespace ladder {

template <class Record>
std::vector<ColumnText> columns() {
  column::Describer describer;
  const Record none;
  for_each_column(none, describer);
  return std::move(describer.all);
}

template <class Record>
std::string csv_header() {
  std::string line;
  for (const ColumnText& column : columns<Record>())
    line += (line.empty() ? "" : ",") + column.name;
  return line;
}

template <class Record>
bool is_older_header(std::string_view line) {
  const std::vector<ColumnText> all = columns<Record>();
  const std::vector<std::size_t> version_of = column::versions<Record>();
  std::string header;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    header += (i == 0 ? "" : ",") + all[i].name;
    if (version_of[i] != version_of[i + 1] && line == header) return true;
  }
  return false;
}

template <class Record>
std::string csv_line(const Record& record) {
  column::Writer writer;
  for_each_column(record, writer);
  return std::move(writer.line);
}

template <class Record>
RecordFile<Record> parse_records(const std::filesystem::path& path, std::string_view text) {
  const std::string header = csv_header<Record>() + "\n";
  const bool has_begun = text.size() >= header.size() || !header.starts_with(text);
  RecordFile<Record> file{CsvFile::parse(path, has_begun ? text : header), {}};
  // Without a line break, a number in the last column may have been cut short.
  if (file.csv.ends_with_record() && !file.csv.records().back().fields.back().empty()) file.csv.leave_out_last();
  const std::vector<std::size_t> places = column::places_in<Record>(file.csv);
  file.rows.reserve(file.csv.records().size());
  std::map<std::string, std::size_t> lines;  // line of each record, by identity
  for (const CsvRecord& record : file.csv.records()) {
    Record& row = file.rows.emplace_back();
    row.line = record.line;
    try {
      for_each_column(row, column::Reader(file.csv, record, places));
      finish(file.csv, row);
      const std::string once = identity(row);
      const auto [first, is_new] = lines.try_emplace(once, row.line);
      if (!is_new && !once.empty())
        throw FileError(path, row.line, fmt::format("a second {}; accepted: one, as in line {}", once, first->second));
    } catch (const FileError&) {
      if (!file.csv.ends_with_record() || &record != &file.csv.records().back()) throw;
      file.rows.pop_back();
      file.csv.leave_out_last();
      break;
    }
  }
  return file;
}

template <class Record>
std::string why_refused(const Record& record) {
  try {
    parse_records<Record>("row", csv_header<Record>() + "\n" + csv_line(record) + "\n");
    return "";
  } catch (const FileError& e) {
    return std::string(e.what()).substr(std::string_view("row:2: ").size());
  }
}

/// Instantiates the functions of records.hpp for one type of record.
#define LADDER_RECORD(Record)                                     \
  template std::vector<ColumnText> columns<Record>();             \
  template std::string csv_header<Record>();                      \
  template bool is_older_header<Record>(std::string_view);        \
  template std::string csv_line<Record>(const Record& record);    \
  template std::string why_refused<Record>(const Record& record); \
  template RecordFile<Record> parse_records<Record>(const std::filesystem::path&, std::string_view)

}  // namespace ladder
