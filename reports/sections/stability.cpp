#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// A set of a rung's cases whose names differ only in the first number, e.g. 0.51 in layers0.51@0.05-64.
struct Limits {
  std::string rung, precision, cases;
  int tested = 0;
  double least = unknown;     ///< the smallest tested value
  double bounded = unknown;   ///< the smallest tested value at and above which no flow diverged
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

/// Whether flows stayed bounded, by rung and precision, then by case; the last file in the list counts for each.
struct Outcomes {
  struct Outcome {
    bool is_bounded = false;
    const Flow* flow = nullptr;
  };
  std::map<std::pair<std::string, std::string>, std::map<std::string, Outcome>> all;

  void add(const Flow& flow, const CsvFile& file) {
    for (const CsvRecord& r : file.records()) {
      const std::string& outcome = r.fields[file.column("outcome")];
      if (outcome != "bounded" && outcome != "diverged")
        throw FileError(file.path(), r.line, fmt::format("column 'outcome' is '{}'; accepted: bounded, diverged", outcome));
      const std::string& case_name = r.fields[file.column("case")];
      if (std::isnan(split_name(case_name).first))
        throw FileError(file.path(), r.line, "column 'case' has no number; accepted: names with a number");
      all[{flow.rung, flow.precision}][case_name] = {outcome == "bounded", &flow};
    }
  }

  /// The files that have outcomes, in the order of the list.
  [[nodiscard]] std::vector<Flow> flows() const {
    std::set<const Flow*> used;
    for (const auto& [rung, outcomes] : all)
      for (const auto& [case_name, outcome] : outcomes)
        used.insert(outcome.flow);
    std::vector<Flow> flows;
    for (const Flow* flow : used)
      flows.push_back(*flow);
    std::ranges::sort(flows, {}, &Flow::line);
    return flows;
  }
};

/// The limits of each set of a rung's cases, from their outcomes.
std::vector<Limits> limits_of(const std::string& rung, const std::string& precision,
                              const std::map<std::string, Outcomes::Outcome>& outcomes_of) {
  std::map<std::string, std::map<double, bool>> all;  // by cases and value: whether the flow stayed bounded
  for (const auto& [case_name, outcome] : outcomes_of) {
    const auto [value, cases] = split_name(case_name);
    all[cases][value] = outcome.is_bounded;
  }
  std::vector<Limits> ranges;
  for (const auto& [cases, outcomes] : all) {
    Limits& limits =
        ranges.emplace_back(Limits{rung, precision, cases, static_cast<int>(outcomes.size()), outcomes.begin()->first});
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
  Outcomes outcomes;
  for (const Flow& flow : data.flows.rows)
    if (flow.kind == "stability" && matches_any(rungs, flow.rung) && is_stored(data.folder / flow.file))
      outcomes.add(flow, read_flow_file(data.folder / flow.file));
  if (outcomes.all.empty()) return section.note("No stability results are stored for these rungs yet.");
  std::vector<Limits> ranges;
  for (const auto& [rung, of_rung] : outcomes.all)
    std::ranges::move(limits_of(rung.first, rung.second, of_rung), std::back_inserter(ranges));
  section.add(
      tabulate("stability", "Smallest values at which flows stay bounded",
               {{"Rung", "rung", &Limits::rung},
                {"Precision", "precision", &Limits::precision},
                {"Cases", "cases", &Limits::cases},
                {"Values tested", "tested", &Limits::tested, count_cell},
                {"Smallest tested", "least", &Limits::least, exact_cell},
                {"Bounded from", "bounded", &Limits::bounded, exact_cell},
                {"Largest that diverged", "diverged", &Limits::diverged, exact_cell},
                {"Bounded below that", "below", &Limits::below, count_cell}},
               ranges),
      flows_caption(context, outcomes.flows()) +
          " The values replace the * in the names of the cases. “Bounded from” is the smallest tested value at and above "
          "which no flow diverged. A flow is bounded if, at every sampled step, it is finite, has a positive density, is no "
          "faster than sound, and keeps its mass.");
}

}  // namespace ladder::reports
