#include "harness/record/csv.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/key_values.hpp"

namespace ladder {
namespace {

constexpr std::size_t most_fields = 10'000;  // per line; no table of this project has a tenth as many

/// Reads records from the front of a text with libcsv. Runs of ordinary characters are passed to libcsv as a whole and every
/// other character separately, so that the line of each field is known.
class Reader {
 public:
  Reader(const std::filesystem::path& path, std::string_view text) : path_(path), text_(text) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    csv_set_space_func(&parser_, [](unsigned char c) { return static_cast<int>(c == '\r'); });
    csv_set_term_func(&parser_, [](unsigned char c) { return static_cast<int>(c == '\n'); });
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { csv_free(&parser_); }

  /// A record with its line break; a record at the end of the text; an incomplete record that ends inside quotes; no record.
  enum class Result { record, last, part, none };

  Result next(CsvRecord& record) {
    record = {};
    record_ = &record;
    for (has_ended_ = false; !has_ended_ && at_ < text_.size();) {
      const char c = text_[at_];
      if (is_at_field_ && c != '\n' && c != '\r') {
        is_at_field_ = false;
        field_line_ = line_;
        is_quoted_ = c == '"';
        if (record.line == 0) record.line = line_;
      }
      const std::size_t length = std::max<std::size_t>(1, std::min(text_.find_first_of(",\"\r\n", at_), text_.size()) - at_);
      if (csv_parse(&parser_, text_.data() + at_, length, on_field, on_record, this) != length) refuse(c);
      at_ += length;
      if (record.fields.size() > most_fields)  // no valid line is this long; do not let memory grow with it
        throw FileError(path_, record.line,
                        fmt::format("more than {} fields; accepted: as many as in the header", most_fields));
      if (c == '\n') ++line_;
    }
    if (has_ended_) return Result::record;
    if (record.line == 0) return Result::none;
    if (csv_fini(&parser_, on_field, on_record, this) == 0) return Result::last;
    if (line_ > field_line_)
      throw FileError(path_, field_line_, "a quote is not closed; accepted: a field in quotes ends with another quote");
    return Result::part;
  }

  /// Number of bytes not yet read.
  [[nodiscard]] std::size_t left() const { return text_.size() - at_; }

 private:
  static void on_field(void* text, std::size_t size, void* self) {
    auto& reader = *static_cast<Reader*>(self);
    reader.record_->fields.emplace_back(static_cast<const char*>(text), size);
    reader.is_at_field_ = true;
  }
  static void on_record(int, void* self) { static_cast<Reader*>(self)->has_ended_ = true; }

  [[noreturn]] void refuse(char c) const {
    if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
    if (!is_quoted_) throw FileError(path_, field_line_, "a quote within a field; accepted: doubled, in a field in quotes");
    throw FileError(path_, field_line_,
                    fmt::format("a quoted field is followed by '{}'; accepted: a comma or the end of the line", c));
  }

  const std::filesystem::path& path_;
  std::string_view text_;
  mutable csv_parser parser_{};
  CsvRecord* record_ = nullptr;
  std::size_t at_ = 0, line_ = 1, field_line_ = 1;
  bool is_at_field_ = true, is_quoted_ = false, has_ended_ = false;
};

/// Whether a spreadsheet would treat the text as a formula without the apostrophes in front of it.
bool is_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  const std::string_view digits = text.substr(text.front() == '+' ? 1 : 0);
  double value = 0;
  return !read_number(digits, value);
}

/// The field as a number of `empty`'s type; `empty` if it is empty.
template <class Number>
Number field_of(const CsvFile& file, const CsvRecord& record, std::size_t column, Number empty, const char* accepted) {
  const std::string& field = record.fields[column];
  if (!field.empty() && !read_number(field, empty))
    throw FileError(file.path(), record.line,
                    fmt::format("column '{}' is '{}'; accepted: {}", file.header()[column], field, accepted));
  return empty;
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
  for (std::size_t i = 0; i < header_.size(); ++i)
    if (header_[i] == name) return i;
  throw FileError(path_, 1, fmt::format("the header lacks the column '{}'; it has {}", name, fmt::join(header_, ",")));
}

double CsvFile::number(const CsvRecord& record, std::size_t column) const {
  return field_of(*this, record, column, std::numeric_limits<double>::quiet_NaN(), "a number");
}

std::int64_t CsvFile::integer(const CsvRecord& record, std::size_t column) const {
  return field_of(*this, record, column, std::int64_t{0}, "an integer");
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
