#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// One record of a CSV file with the line it starts on.
struct CsvRecord {
  std::size_t line = 0;
  std::vector<std::string> fields;
};

/// A CSV file in memory (RFC 4180: quoted fields may hold commas, quotes and newlines; LF or CRLF).
class CsvFile {
 public:
  /// Parses `text`, which came from `path`.
  /// A record without an end of line, or inside an open quote, at the end of the text is left out: is_truncated() is then true.
  /// @throws FileError  no header, a record with more or fewer fields than the header, text after a closing quote
  static CsvFile parse(std::filesystem::path path, std::string_view text);

  /// @throws FileError  additionally if the file cannot be read
  static CsvFile read(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::vector<CsvRecord>& records() const { return records_; }
  [[nodiscard]] bool is_truncated() const { return truncated_; }

  [[nodiscard]] bool has(std::string_view name) const;
  /// Position of a column. @throws FileError if the header lacks it.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  /// The field as a number; NaN if it is empty. @throws FileError if it is no number.
  [[nodiscard]] double number(const CsvRecord& record, std::size_t column) const;

  /// The field as an integer; 0 if it is empty. @throws FileError if it is no integer.
  [[nodiscard]] std::int64_t integer(const CsvRecord& record, std::size_t column) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> header_;
  std::vector<CsvRecord> records_;
  bool truncated_ = false;
};

/// A field of a CSV file: quoted if it contains a comma, quote or line break.
std::string csv_field(std::string_view text);

/// As csv_field, for files that people open in a spreadsheet: a text that a spreadsheet would take for a formula (it starts
/// with =, +, -, @, a tab or a carriage return, and is not a number) gets a leading apostrophe.
std::string csv_text(std::string_view text);

}  // namespace ladder
