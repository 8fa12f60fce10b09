#include "harness/run/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "harness/archive/archive.hpp"

namespace ladder {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::filesystem::path uncompressed(std::filesystem::path path) {
  uncompress_stored(path);
  return path;
}

std::string csv_of(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields)
    line += (&field == fields.data() ? "" : ",") + csv_field(field);
  return line;
}

/// Describes how the first line of a file, with these fields, differs from the header.
std::string difference(const std::string& line, const std::vector<std::string>& found, const std::string& header) {
  if (line.starts_with(byte_order_mark)) return "it begins with a byte-order mark";
  if (line.find('\r') != std::string::npos) return "its lines end in CR or CR LF";
  const std::vector<std::string> wanted = CsvFile::parse({}, header + "\n").header();
  for (std::size_t n = 0; n < std::min(found.size(), wanted.size()); ++n)
    if (found[n] != wanted[n])
      return fmt::format("column {} is '{}' instead of '{}'", n + 1, found[n].substr(0, 80), wanted[n]);
  return found.size() < wanted.size()
             ? fmt::format("column {}, '{}', is missing", found.size() + 1, wanted[found.size()])
             : fmt::format("column {}, '{}', is unknown", wanted.size() + 1, found[wanted.size()].substr(0, 80));
}

constexpr const char* noun(const Row*) { return "rows"; }
constexpr const char* noun(const Profile*) { return "profiles"; }
constexpr const char* noun(const Flow*) { return "flow files"; }
constexpr const char* noun(const TimelineEvent*) { return "timelines"; }

}  // namespace

/// Replaces the file's content with these records, which may come from an older version. @throws InputError
template <class Record>
void RecordStore<Record>::replace(std::vector<CsvRecord> records) {
  const std::string header = csv_header<Record>();
  std::string text = header + "\n";
  for (CsvRecord& record : records) {
    record.fields.resize(columns<Record>().size());
    text += csv_of(record.fields) + "\n";
  }
  RecordFile<Record> written = parse_records<Record>(file(), text);
  if (!std::ranges::equal(written.csv.records(), records, {}, &CsvRecord::fields, &CsvRecord::fields))
    throw InputError(fmt::format("{}: rewriting it would change its rows", file().string()));
  file_.replace(text);
  rows_ = std::move(written.rows);
}

template <class Record>
RecordStore<Record>::RecordStore(std::filesystem::path path) : file_(uncompressed(std::move(path))) {
  const auto drop = [&](const char* what, std::size_t whole, std::size_t bytes) {
    std::cerr << fmt::format("{}: dropped a half-written {} ({} bytes)\n", file().string(), what, bytes - whole);
    file_.keep(whole);
  };
  const std::string text = file_.read();
  const std::string header = csv_header<Record>();
  if (header.starts_with(text)) {
    if (!text.empty()) drop("header", 0, text.size());
    file_.append(header + "\n");
    return;
  }
  const std::string first = first_line(text);
  const std::vector<std::string> found = CsvFile::parse(file(), first + "\n").header();
  const std::string names = csv_of(found);  // without needless quotes
  const bool is_plain = !first.starts_with(byte_order_mark) && first.find('\r') == std::string::npos;
  if (!is_plain || (names != header && !is_older_header<Record>(names)))
    throw InputError(fmt::format("{}:1: not a store of {}: {}; accepted: {}", file().string(),
                                 noun(static_cast<const Record*>(nullptr)), difference(first, found, header), header));
  RecordFile<Record> stored = parse_records<Record>(file(), text);
  rows_ = std::move(stored.rows);
  const std::size_t whole = stored.csv.is_truncated() ? stored.csv.whole_bytes() : text.size();
  if (whole < text.size()) drop("last row", whole, text.size());
  if (names == header) return;
  replace(stored.csv.records());  // adds the columns that an older version lacks
  std::cerr << fmt::format("{}: added {} columns that an older version did not have\n", file().string(),
                           columns<Record>().size() - found.size());
}

/// @throws InputError if a record could not be read back
template <class Record>
std::string RecordStore<Record>::lines_of(const std::vector<Record>& records) const {
  std::string lines;
  for (const Record& record : records) {
    if (const std::string why = why_refused(record); !why.empty())
      throw InputError(fmt::format("{}: a row is not stored, because it could not be read again: {}", file().string(), why));
    lines += csv_line(record) + "\n";
  }
  return lines;
}

template <class Record>
void RecordStore<Record>::append(const std::vector<Record>& records) {
  file_.append(lines_of(records));
  rows_.insert(rows_.end(), records.begin(), records.end());
}

template <class Record>
void RecordStore<Record>::merge(const std::vector<Record>& records) {
  std::string stored = file_.read();
  if (!stored.ends_with('\n')) stored += '\n';
  std::vector<CsvRecord> all = CsvFile::parse(file(), stored + lines_of(records)).records();
  std::ranges::stable_sort(all, {}, [](const CsvRecord& record) { return record.fields.front(); });
  replace(std::move(all));
}

template class RecordStore<Row>;
template class RecordStore<Profile>;
template class RecordStore<Flow>;
template class RecordStore<TimelineEvent>;

Row storable(const Row& row) {
  const std::string why = why_refused(row);
  if (why.empty()) return row;
  Row failed;
  for (const auto text : {&Row::session, &Row::utc, &Row::kind, &Row::rung, &Row::build, &Row::backend, &Row::case_name,
                          &Row::precision, &Row::tuning, &Row::device, &Row::key, &Row::placement})
    failed.*text = row.*text;
  failed.round = row.round;
  failed.order = row.order;
  failed.outcome = "failed";
  failed.reason = "the answer cannot be stored: " + why;
  return failed;
}

}  // namespace ladder
