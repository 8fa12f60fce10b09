#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/csv.hpp"

/// Tables of records, one CSV file each. `Record` is Row (rows.hpp), Profile (profiles.hpp) or Flow (flows.hpp). Each of them
/// defines its columns once, for the program that writes them, the reports that read them, and the documentation.
namespace ladder {

/// The records of one file in stored order. Each record knows the line it was read from.
template <class Record>
struct RecordFile {
  CsvFile csv;
  std::vector<Record> rows;
};

/// A column as listed in docs/architecture.md.
struct ColumnText {
  std::string name, type, unit, meaning;
};

/// All columns in order.
template <class Record>
std::vector<ColumnText> columns();

/// The first line of every file with such records.
template <class Record>
std::string csv_header();

/// Whether an older version of the project wrote files with this first line. New columns are added at the end, so each such
/// line is a prefix of csv_header().
template <class Record>
bool is_older_header(std::string_view line);

/// The record as one line of CSV (RFC 4180), without the line break. Unknown numbers are empty fields.
template <class Record>
std::string csv_line(const Record& record);

/// Parses the records of a text read from `path`; columns that its version lacks keep their defaults. A text that ends within
/// the header contains no records. A last line without a line break counts as a record if it is valid and its last field
/// is empty, so that nothing of it can be missing; otherwise it is left out, and csv.is_truncated() returns true.
/// @throws FileError with file and line if a column is missing or has an invalid value, or a record occurs twice
template <class Record>
RecordFile<Record> parse_records(const std::filesystem::path& path, std::string_view text);

/// The error that parse_records() would report for the record once it is written; empty if the record is valid.
template <class Record>
std::string why_refused(const Record& record);

}  // namespace ladder
