#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The values of one label and case: a row of the table.
struct PaperRow {
  std::string label, case_name;
  std::map<std::string, const PaperValue*> values;  ///< by quantity; the first if there are several
};

/// The subjects whose labels match any of the patterns, in file order, and their quantities.
std::pair<std::vector<PaperRow>, std::vector<std::string>> select(const Paper& paper,
                                                                  const std::vector<std::string>& patterns) {
  std::vector<PaperRow> subjects;
  std::vector<std::string> quantities;
  for (const PaperValue& v : paper.values()) {
    if (!matches_any(patterns, v.label)) continue;
    auto subject =
        std::ranges::find_if(subjects, [&](const PaperRow& s) { return s.label == v.label && s.case_name == v.case_name; });
    if (subject == subjects.end()) subject = subjects.insert(subject, PaperRow{v.label, v.case_name, {}});
    subject->values.emplace(v.quantity, &v);
    add_once(quantities, v.quantity);
  }
  return {std::move(subjects), std::move(quantities)};
}

/// The unit of a quantity, if it is the same for all subjects.
std::string common_unit(const std::vector<PaperRow>& subjects, const std::string& quantity) {
  std::set<std::string> units;
  for (const PaperRow& s : subjects)
    if (const auto v = s.values.find(quantity); v != s.values.end()) units.insert(v->second->unit);
  return units.size() == 1 ? *units.begin() : "";
}

}  // namespace

void paper(const Parameters& block, const std::vector<Context>& machines, Section& section) {
  const Paper& paper = machines.front().study.paper;
  const std::vector<std::string> patterns = block.texts("labels");
  const auto [subjects, all] = select(paper, patterns);
  if (subjects.empty())
    block.fail("labels", fmt::format("match none of {}; accepted: {}", paper.path().string(), joined(paper.labels(), 40)));
  const std::vector<std::string> quantities = block.texts("quantities", all);
  std::set<std::string> where;
  std::vector<Column<PaperRow>> columns = {{"Subject", "subject", &PaperRow::label}, {"Case", "case", &PaperRow::case_name}};
  for (const std::string& q : quantities) {
    if (std::ranges::find(all, q) == all.end())
      block.fail("quantities", fmt::format("names '{}'; accepted: {}", q, joined(all, all.size())));
    const std::string unit = common_unit(subjects, q);
    columns.emplace_back(words(q) + (unit.empty() ? "" : ", " + unit), q, [&, q, unit](const PaperRow& s) -> TableCell {
      const auto found = s.values.find(q);
      if (found == s.values.end()) return "—";
      const PaperValue& v = *found->second;
      TableCell cell = count_cell(v.value);
      cell.text = v.value == std::floor(v.value) ? cell.text : cell.exact;  // all printed digits
      if (unit.empty() && !v.unit.empty()) cell.text += " " + v.unit;
      cell.hover = v.where;
      where.insert(v.where);
      return cell;
    });
  }
  Table table = tabulate("paper", "As printed in the publication", columns, subjects);
  section.add(std::move(table),
              fmt::format("From {}: {}.", paper.path().filename().string(), joined({where.begin(), where.end()}, 8)));
}

}  // namespace ladder::reports
