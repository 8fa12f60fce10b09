#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/csv.hpp"

/// Tables of records, one CSV file each. `Record` is Row (rows.hpp), Profile (profiles.hpp) or Flow (flows.hpp), which define
/// their columns once for the program that writes them, the reports that read them, and the documentation.
namespace ladder {

/// The records of one file in the order they were stored; each has the line of the CSV record that it was read from.
template <class Record>
struct RecordFile {
  CsvFile csv;
  std::vector<Record> rows;
};

/// A column as docs/architecture.md describes it.
struct ColumnText {
  std::string name, type, unit, meaning;
};

/// The columns in their order.
template <class Record>
std::vector<ColumnText> columns();

/// The first line of every file of such records.
template <class Record>
std::string csv_header();

/// Whether an older version of the project wrote files with this first line. New columns come last, so each such line is a
/// prefix of csv_header().
template <class Record>
bool is_older_header(std::string_view line);

/// The record as one line of CSV (RFC 4180), without the line break. Unknown numbers are empty fields.
template <class Record>
std::string csv_line(const Record& record);

/// Reads the records of a text that came from `path`; columns that its version lacked keep their defaults. A text that ends
/// within the header holds none. A last line without a line break is a record if it is accepted as one; otherwise it is left
/// out, and csv.is_truncated() is true.
/// @throws FileError with file and line if a column is missing or does not accept its value, or a record occurs twice
template <class Record>
RecordFile<Record> parse_records(const std::filesystem::path& path, std::string_view text);

/// The error that parse_records() would find in the record once it is written; empty if it would accept the record.
template <class Record>
std::string why_refused(const Record& record);

}  // namespace ladder
