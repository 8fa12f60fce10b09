#include "harness/record/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"

namespace ladder {
namespace {

/// Reads records from the front of a text.
class Reader {
 public:
  Reader(const std::filesystem::path& path, std::string_view text) : path_(path), rest_(text) {}

  /// A record and its line break; a record at the end of the text; a part of a record, which ends within quotes; no record.
  enum class Result { record, last, part, none };

  Result next(CsvRecord& record) {
    while (!rest_.empty() && (rest_.front() == '\n' || rest_.front() == '\r'))
      take();  // blank lines
    if (rest_.empty()) return Result::none;
    record.line = line_;
    record.fields.assign(1, {});
    while (!rest_.empty()) {
      const char c = take();
      if (c == '"' && record.fields.back().empty()) {
        if (!quoted(record.fields.back())) return Result::part;
      } else if (c == ',') {
        record.fields.emplace_back();
      } else if (c == '\n') {
        return Result::record;
      } else if (c != '\r') {
        record.fields.back() += c;
      }
    }
    return Result::last;
  }

  /// Number of bytes that are not read yet.
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '\n') ++line_;
    return c;
  }

  /// The rest of a quoted field; false if the text ends on its line before the closing quote.
  bool quoted(std::string& field) {
    const std::size_t start = line_;
    while (!rest_.empty()) {
      const char c = take();
      if (c != '"') {
        field += c;
      } else if (!rest_.empty() && rest_.front() == '"') {
        field += take();
      } else {
        if (!rest_.empty() && std::string_view(",\r\n").find(rest_.front()) == std::string_view::npos) {
          throw FileError(
              path_, start,
              fmt::format("a quoted field is followed by '{}'; accepted: a comma or the end of the line", rest_.front()));
        }
        return true;
      }
    }
    if (line_ > start)
      throw FileError(path_, start, "a quote is not closed; accepted: a field in quotes ends with another quote");
    return false;
  }

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::size_t line_ = 1;
};

/// Whether a spreadsheet would treat the text as a formula if the apostrophes in front of it were removed.
bool is_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  const std::string_view digits = text.substr(text.front() == '+' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error != std::errc() || end != digits.data() + digits.size();
}

}  // namespace

CsvFile CsvFile::parse(std::filesystem::path path, std::string_view text) {
  CsvFile file;
  file.path_ = std::move(path);
  const std::size_t bytes = text.size();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Reader reader(file.path_, text);
  CsvRecord record;
  if (reader.next(record) != Reader::Result::record)
    throw FileError(file.path_, 1, "no header line; accepted: names of columns");
  file.header_ = std::move(record.fields);
  for (;;) {
    file.whole_bytes_ = bytes - reader.left();
    const Reader::Result result = reader.next(record);
    if (result == Reader::Result::none) return file;
    const bool lacks_fields = record.fields.size() < file.header_.size();
    file.truncated_ = result == Reader::Result::part || (result == Reader::Result::last && lacks_fields);
    if (file.truncated_) return file;
    if (record.fields.size() != file.header_.size()) {
      throw FileError(file.path_, record.line,
                      fmt::format("{} fields; accepted: {}, as in the header", record.fields.size(), file.header_.size()));
    }
    file.records_.push_back(record);
    file.ends_with_record_ = result == Reader::Result::last;
    if (file.ends_with_record_) return file;
  }
}

void CsvFile::leave_out_last() {
  records_.pop_back();
  truncated_ = true;
  ends_with_record_ = false;
}

CsvFile CsvFile::read(const std::filesystem::path& path) { return parse(path, read_whole(path)); }

bool CsvFile::has(std::string_view name) const { return std::ranges::find(header_, name) != header_.end(); }

std::size_t CsvFile::column(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i] == name) return i;
  }
  throw FileError(path_, 1, fmt::format("the header lacks the column '{}'; it has {}", name, fmt::join(header_, ",")));
}

double CsvFile::number(const CsvRecord& record, std::size_t column) const {
  const std::string& field = record.fields[column];
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) {
    throw FileError(path_, record.line, fmt::format("column '{}' is '{}'; accepted: a number", header_[column], field));
  }
  return value;
}

std::int64_t CsvFile::integer(const CsvRecord& record, std::size_t column) const {
  const std::string& field = record.fields[column];
  if (field.empty()) return 0;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) {
    throw FileError(path_, record.line, fmt::format("column '{}' is '{}'; accepted: an integer", header_[column], field));
  }
  return value;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_text(std::string_view text) {
  return csv_field(is_formula(text) ? fmt::format("'{}", text) : std::string(text));
}

std::string plain_text(std::string_view field) {
  return std::string(field.starts_with('\'') && is_formula(field) ? field.substr(1) : field);
}

}  // namespace ladder
