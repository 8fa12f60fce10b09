#include "reports/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "harness/record/csv.hpp"

namespace ladder::reports {

Paper::Paper(const std::filesystem::path& path) : Paper(path, read_whole(path)) {}

Paper::Paper(const std::filesystem::path& path, std::string_view text) : path_(path) {
  const CsvFile file = CsvFile::parse(path, text);
  if (file.is_truncated()) throw FileError(path, 0, "the last row is incomplete; accepted: every row ends with an end of line");
  std::array<std::size_t, 7> places{};
  std::ranges::transform(std::array{"item", "label", "case", "quantity", "value", "unit", "where"}, places.begin(),
                         [&](const char* name) { return file.column(name); });
  const auto [item, label, case_name, quantity, value, unit, where] = places;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const CsvRecord& r : file.records()) {
    values_.push_back({r.fields[item], r.fields[label], r.fields[case_name], r.fields[quantity], file.number(r, value),
                       r.fields[unit], r.fields[where]});
    const PaperValue& v = values_.back();
    // Products and ratios of two values must be finite as well.
    const double magnitude = std::abs(v.value);
    if (magnitude != 0 && !(magnitude >= 1e-30 && magnitude <= 1e30)) {
      throw FileError(
          path, r.line,
          fmt::format("column 'value' is '{}'; accepted: 0, or a number with a magnitude from 1e-30 to 1e30", r.fields[value]));
    }
    if (!seen.emplace(v.item, v.label, v.case_name, v.quantity).second) {
      throw FileError(path, r.line,
                      fmt::format("a second '{}' of '{}' for case '{}' in item '{}'; accepted: one", v.quantity, v.label,
                                  v.case_name, v.item));
    }
  }
}

const PaperValue* Paper::find(const std::string& label, const std::string& case_name, const std::string& quantity) const {
  const auto found = std::ranges::find_if(
      values_, [&](const PaperValue& v) { return v.label == label && v.case_name == case_name && v.quantity == quantity; });
  return found == values_.end() ? nullptr : &*found;
}

const PaperValue* Paper::find_or_general(const std::string& label, const std::string& case_name,
                                         const std::string& quantity) const {
  const PaperValue* of_case = find(label, case_name, quantity);
  return of_case == nullptr ? find(label, "", quantity) : of_case;
}

double Paper::value(const std::string& label, const std::string& case_name, const std::string& quantity) const {
  const PaperValue* found = find(label, case_name, quantity);
  return found == nullptr ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

double Paper::value_or_general(const std::string& label, const std::string& case_name, const std::string& quantity) const {
  const PaperValue* found = find_or_general(label, case_name, quantity);
  return found == nullptr ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

bool Paper::has_label(const std::string& label) const {
  return std::ranges::find(values_, label, &PaperValue::label) != values_.end();
}

std::vector<std::string> Paper::labels() const {
  std::vector<std::string> result;
  for (const PaperValue& v : values_) {
    if (std::ranges::find(result, v.label) == result.end()) result.push_back(v.label);
  }
  return result;
}

}  // namespace ladder::reports
