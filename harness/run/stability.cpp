#include "harness/run/stability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/error.hpp"
#include "harness/record/csv.hpp"

namespace ladder {
namespace {

/// Removes and returns the digits at the start of `text`.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

std::optional<std::string> bounded_line(const std::string& case_name, std::string_view series, std::int64_t steps) try {
  const CsvFile file = CsvFile::parse(case_name, series);
  if (!file.is_whole() || file.records().empty()) return std::nullopt;
  const std::int64_t last = file.integer(file.records().back(), file.column("step"));
  if (steps <= 0 || last != steps) return std::nullopt;
  return fmt::format("{},bounded,{},\n", csv_field(case_name), last);
} catch (const FileError&) {
  return std::nullopt;
}

}  // namespace

std::optional<std::string> stability_line(const std::string& case_name, const ProcessResult& result, std::string_view series,
                                          std::int64_t steps) {
  if (succeeded(result)) return bounded_line(case_name, series, steps);
  if (result.end != ProcessResult::End::exited || result.code != exit_check_failed) return std::nullopt;
  // Parse the message of Diverged (harness/bench/divergence.hpp).
  const std::string start = case_name + ": step ";
  std::string_view text = result.err;
  const auto begin = text.find(start), end = text.find("; the flow is unstable");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  text = text.substr(begin + start.size(), end - begin - start.size());
  const std::string_view step = take_digits(text);
  if (step.empty() || !text.starts_with(": ")) return std::nullopt;
  return fmt::format("{},diverged,{},{}\n", csv_field(case_name), step, csv_field(text.substr(2)));
}

std::map<std::string, std::string> stability_lines(std::string_view text) try {
  if (!text.starts_with(stability_header)) return {};
  const CsvFile file = CsvFile::parse("stability", text);
  if (!file.is_whole()) return {};
  std::map<std::string, std::string> lines;
  for (const CsvRecord& record : file.records()) {
    std::vector<std::string> fields = record.fields;
    std::ranges::transform(fields, fields.begin(), csv_field);
    lines[record.fields.front()] = fmt::format("{}\n", fmt::join(fields, ","));
  }
  return lines;
} catch (const FileError&) {
  return {};
}

}  // namespace ladder
