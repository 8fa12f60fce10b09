#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The cases that a rung ran, which differ in one number of their name, e.g. layers0.51@0.05-64.
struct Limits {
  std::string rung, cases;
  int tested = 0;
  double least = unknown;     ///< the smallest tested value
  double bounded = unknown;   ///< the smallest value at which, and above which, every tested flow stays bounded
  double diverged = unknown;  ///< the largest value at which a flow diverged
  int below = 0;              ///< number of smaller values at which a flow stayed bounded
};

/// The first number in a case's name, and the name with `*` in its place; NaN if it has none.
std::pair<double, std::string> split_name(const std::string& name) {
  const auto begin = std::min(name.find_first_of("0123456789"), name.size());
  double value = unknown;
  const char* const end = std::from_chars(name.data() + begin, name.data() + name.size(), value).ptr;
  return {value, name.substr(0, begin) + "*" + std::string(end, name.data() + name.size())};
}

/// The ranges of a rung's cases, from their outcomes.
std::vector<Limits> limits_of(const std::string& rung, const CsvFile& file) {
  std::map<std::string, std::map<double, bool>> all;  // by cases and value: whether the flow stayed bounded
  for (const CsvRecord& r : file.records()) {
    const std::string& outcome = r.fields[file.column("outcome")];
    if (outcome != "bounded" && outcome != "diverged")
      throw FileError(file.path(), r.line, fmt::format("column 'outcome' is '{}'; accepted: bounded, diverged", outcome));
    const auto [value, cases] = split_name(r.fields[file.column("case")]);
    if (std::isnan(value)) throw FileError(file.path(), r.line, "column 'case' has no number; accepted: names with one");
    all[cases][value] = outcome == "bounded";
  }
  std::vector<Limits> ranges;
  for (const auto& [cases, outcomes] : all) {
    Limits& limits = ranges.emplace_back(Limits{rung, cases, static_cast<int>(outcomes.size()), outcomes.begin()->first});
    for (const auto& [value, is_bounded] : outcomes)
      if (!is_bounded) limits.diverged = value;
    for (const auto& [value, is_bounded] : outcomes) {
      if (!is_bounded) continue;
      if (value < limits.diverged)
        ++limits.below;
      else if (std::isnan(limits.bounded))
        limits.bounded = value;
    }
  }
  return ranges;
}

TableCell exact_cell(double v) { return {std::isnan(v) ? "—" : fmt::format("{}", v), v}; }

}  // namespace

void stability(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> rungs = block.texts("rungs", {"*"});
  const MachineData& data = context.results.data();
  std::map<std::pair<std::string, std::string>, Flow> listed;  // by rung and cases; the last key in the list counts
  for (const Flow& flow : data.flows.rows)
    if (flow.kind == "stability" && matches_any(rungs, flow.rung) && is_stored(data.folder / flow.file))
      listed[{flow.rung, split_name(flow.case_name).second}] = flow;
  if (listed.empty()) return section.note("It is not stored yet which flows of these rungs stay bounded.");
  std::vector<Limits> ranges;
  std::vector<Flow> flows;
  for (const auto& [key, flow] : listed) {
    std::ranges::move(limits_of(flow.rung, read_flow_file(data.folder / flow.file)), std::back_inserter(ranges));
    flows.push_back(flow);
  }
  section.add(
      tabulate("stability", "Smallest values at which flows stay bounded",
               {{"Rung", "rung", &Limits::rung},
                {"Cases", "cases", &Limits::cases},
                {"Values tested", "tested", &Limits::tested, count_cell},
                {"Smallest tested", "least", &Limits::least, exact_cell},
                {"Bounded from", "bounded", &Limits::bounded, exact_cell},
                {"Largest that diverged", "diverged", &Limits::diverged, exact_cell},
                {"Bounded below that", "below", &Limits::below, count_cell}},
               ranges),
      flows_caption(context, flows) +
          " The values replace the * in the names of the cases. “Bounded from” is the smallest tested value from which no "
          "flow diverged. A flow is bounded if, at each moment looked at, it is finite, no faster than sound, and keeps its "
          "mass.");
}

}  // namespace ladder::reports
