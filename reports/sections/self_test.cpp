#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The series of one group of rounds, by kind and tuning: `sample slowdown=3`.
using Group = std::map<std::string, Series>;

/// Consecutive rounds of one session, in groups of `size`; excess rounds are ignored.
std::vector<Group> groups_of(const std::vector<const Row*>& rows, std::size_t size) {
  std::map<std::string, std::map<std::int64_t, std::map<std::string, double>>> sessions;  // by session, round and series
  for (const Row* row : rows)
    sessions[row->session][row->round][row->kind + " " + row->tuning] = row->updates_per_second;
  std::vector<Group> groups;
  for (const auto& [session, rounds] : sessions) {
    std::size_t count = 0;
    for (const auto& [round, values] : rounds) {
      if (count / size == rounds.size() / size) break;
      if (count++ % size == 0) groups.emplace_back();
      for (const auto& [name, value] : values)
        groups.back()[name].push_back({session, round, value});
    }
  }
  return groups;
}

constexpr std::array verdicts{Verdict::faster, Verdict::slower, Verdict::same, Verdict::unresolved};

struct SelfTestLine {
  std::string label, tuning;
  std::vector<std::string> expected;
  double at_least = 0.95;
  std::map<Verdict, std::size_t> counts = {};
  std::vector<double> ratios = {};

  [[nodiscard]] std::size_t comparisons() const { return ratios.size(); }
  [[nodiscard]] double median_ratio() const { return median(ratios); }
  [[nodiscard]] std::size_t count(Verdict v) const { return counts.contains(v) ? counts.at(v) : 0; }
  /// Fraction of the comparisons with an expected verdict.
  [[nodiscard]] double share() const {
    std::size_t right = 0;
    for (const Verdict v : verdicts)
      if (std::ranges::find(expected, to_string(v)) != expected.end()) right += count(v);
    return ratios.empty() ? 0 : static_cast<double>(right) / static_cast<double>(ratios.size());
  }
};

/// The verdicts in `a or b`. @throws InputError if a part is not a verdict
std::vector<std::string> read_expected(const Parameters& row) {
  std::vector<std::string> names = row.texts("expect");
  for (const std::string& name : names) {
    if (std::ranges::none_of(verdicts, [&](Verdict v) { return to_string(v) == name; }))
      row.fail("expect", fmt::format("is '{}'; accepted: faster, slower, same, unresolved", name));
  }
  return names;
}

}  // namespace

void self_test(const Parameters& block, const Context& context, Section& section) {
  const std::string rung = block.text("rung");
  const std::string case_name = block.text("case");
  const std::string precision = precision_of(block);
  const std::string baseline = block.text("baseline");
  const double group = block.number("group", 15);
  if (!(group >= static_cast<double>(verdict_rounds)) || group > 1e6)
    block.fail("group", fmt::format("is {}; accepted: rounds of a comparison, from {}", group, verdict_rounds));
  std::vector<SelfTestLine> lines;
  for (const Parameters& row : block.tables("rows")) {
    lines.push_back({row.text("label"), row.text("tuning"), read_expected(row), row.number("at_least", 0.95)});
    row.finish();
  }
  std::vector<const Row*> rows;
  for (const Row& row : context.results.data().file.rows)
    if (row.ok() && row.rung == rung && row.case_name == case_name && row.precision == precision &&
        (row.kind == "sample" || row.kind == "twin"))
      rows.push_back(&row);
  std::vector<double> floors;
  for (const Group& series : groups_of(rows, static_cast<std::size_t>(group))) {
    const auto of = [&](const std::string& name) {
      const auto found = series.find(name);
      return found == series.end() ? Series{} : found->second;
    };
    const Series base = of("sample " + baseline);
    const double floor = noise_floor(paired_ratio(base, of("twin " + baseline)));
    floors.push_back(floor);
    for (SelfTestLine& line : lines) {
      const Ratio ratio = paired_ratio(of("sample " + line.tuning), base);
      if (!ratio.is_known()) continue;
      ++line.counts[verdict(ratio, floor)];
      line.ratios.push_back(ratio.value);
    }
  }
  if (floors.empty())
    return section.note(
        fmt::format("No {} rounds of {} on {} are stored in one session yet.", static_cast<int>(group), rung, case_name));
  std::vector<Column<SelfTestLine>> columns = {{"What was compared", "label", &SelfTestLine::label},
                                               {"Comparisons", "comparisons", &SelfTestLine::comparisons},
                                               {"Median ratio", "median_ratio", &SelfTestLine::median_ratio, Digits{4}}};
  for (const Verdict v : verdicts)
    columns.emplace_back(to_string(v), to_string(v), [v](const SelfTestLine& line) { return line.count(v); });
  columns.insert(columns.end(),
                 {{"As expected", "share", &SelfTestLine::share, share_cell},
                  {"Wanted", "at_least", &SelfTestLine::at_least, share_cell},
                  {"Passed", "passed", [](const SelfTestLine& line) { return passed_cell(line.share() >= line.at_least); }}});
  section.add(
      tabulate("self-test", fmt::format("Comparisons of {} rounds each", static_cast<int>(group)), columns, lines),
      fmt::format(
          "Rows: study {0}, machine {1}; kind=sample and kind=twin, rung={2}, case={3}, precision={4}; "
          "experiments/{0}/results/{1}.csv. Each comparison uses {5} consecutive rounds of one session, and has a separate "
          "noise floor; the median floor is {6}.",
          context.study.name, context.results.data().name, rung, case_name, precision, static_cast<int>(group),
          percent(median(floors))),
      rows);
}

}  // namespace ladder::reports
