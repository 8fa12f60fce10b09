#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// One record of a CSV file and the line it starts on.
struct CsvRecord {
  std::size_t line = 0;
  std::vector<std::string> fields;
};

/// A CSV file in memory (RFC 4180: quoted fields may contain commas, quotes and newlines; lines end in LF or CRLF).
class CsvFile {
 public:
  /// Parses `text`, read from `path`. If the text ends without a line break, its last line may lack fields or a closing quote;
  /// it is then left out, and is_truncated() returns true.
  /// @throws FileError  if there is no header, a record has more or fewer fields than the header, text follows a closing
  ///                    quote, a quote is not closed, or an unquoted field contains a quote
  static CsvFile parse(std::filesystem::path path, std::string_view text);

  /// @throws FileError  also if the file cannot be read
  static CsvFile read(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::vector<CsvRecord>& records() const { return records_; }
  [[nodiscard]] bool is_truncated() const { return truncated_; }
  /// Whether the text ends with the last record but without a line break, so that the end of its last field may be missing.
  [[nodiscard]] bool ends_with_record() const { return ends_with_record_; }
  /// Whether the text ends with a line break, so that nothing is missing.
  [[nodiscard]] bool is_whole() const { return !truncated_ && !ends_with_record_; }
  /// Treats the last record, which lacks a line break, as incomplete.
  void leave_out_last();
  /// Number of bytes up to and including the last line break that ends a record.
  [[nodiscard]] std::size_t whole_bytes() const { return whole_bytes_; }

  [[nodiscard]] bool has(std::string_view name) const;
  /// Position of a column. @throws FileError if the header lacks it.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  /// The field as a number; NaN if it is empty. @throws FileError if it is not a number.
  [[nodiscard]] double number(const CsvRecord& record, std::size_t column) const;

  /// The field as an integer; 0 if it is empty. @throws FileError if it is not an integer.
  [[nodiscard]] std::int64_t integer(const CsvRecord& record, std::size_t column) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> header_;
  std::vector<CsvRecord> records_;
  bool truncated_ = false;
  bool ends_with_record_ = false;
  std::size_t whole_bytes_ = 0;
};

/// A field of a CSV file: quoted if it contains a comma, quote or line break.
std::string csv_field(std::string_view text);

/// Like csv_field, for files that people open in a spreadsheet. A text that a spreadsheet would treat as a formula (it starts
/// with =, +, -, @, a tab or a carriage return, and is not a number) gets a leading apostrophe, even if it already has one.
std::string csv_text(std::string_view text);

/// The text from which csv_text() produced `field`.
std::string plain_text(std::string_view field);

}  // namespace ladder
