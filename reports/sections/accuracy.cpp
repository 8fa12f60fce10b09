#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

/// Whether check `a` replaces the earlier check `b` of the same rung: it is from a later session, else it compared more steps,
/// else its error is larger.
bool says_more(const Row& a, const Row& b) {
  if (a.session != b.session) return true;
  if (a.check_steps != b.check_steps) return a.check_steps > b.check_steps;
  return a.population_error > b.population_error;
}

TableCell scientific(double v) { return {std::isnan(v) ? "—" : fmt::format("{:.2e}", v), v}; }

/// Plots errors against rates, one curve per precision, for the fastest tuning of each rung and the check of this tuning. Adds
/// nothing if the checks are of different cases, or if fewer than two rungs have rates.
void add_chart(const std::vector<const Row*>& checks, const Context& context, Section& section) {
  const std::string& case_name = checks.front()->case_name;
  if (!std::ranges::all_of(checks, [&](const Row* row) { return row->case_name == case_name; })) return;
  std::map<std::string, const Row*> by_key;
  for (const Row& row : context.results.data().file.rows)
    if (row.kind == "check" && row.ok()) by_key[row.key] = &row;
  Chart chart{.id = "accuracy",
              .title = fmt::format("Error against rate, {}", case_name),
              .x = {"MLUPS", Axis::Scale::logarithmic},
              .y = {"largest error of a population in the check", Axis::Scale::logarithmic}};
  std::vector<const Cell*> shown;
  for (const Row* any : checks)  // ordered by precision
    for (const Cell* cell : cells_of(context, {any->rung}, case_name, any->precision, "best")) {
      const Row* const check = by_key[cell->row->key];
      if (check == nullptr || !(check->population_error > 0)) continue;
      if (chart.series.empty() || chart.series.back().name != any->precision)
        chart.series.push_back({any->precision, our_look(chart.series.size())});
      chart.series.back().points.push_back(
          {.x = cell->mlups(),
           .y = check->population_error,
           .hover = fmt::format("{}, {}: {} MLUPS, error {} in {}", any->rung, any->precision, count_cell(cell->mlups()).text,
                                scientific(check->population_error).text, counted(check->check_steps, "step"))});
      shown.push_back(cell);
    }
  if (shown.size() < 2) return;
  std::vector<std::string> fastest;
  for (Curve& curve : chart.series) {
    ChartPoint& point = *std::ranges::max_element(curve.points, {}, &ChartPoint::x);
    point.label = point.hover.substr(0, point.hover.find(','));
    fastest.push_back(point.hover);
  }
  Figure figure = draw(chart);
  figure.conclusion = fmt::format("The fastest in each precision: {}.", fmt::join(fastest, "; "));
  section.add(std::move(figure),
              rows_caption(context, shown, fmt::format("kind=sample, case={}", case_name)) +
                  " Each point is a rung's fastest tuning, with the error of the check of this tuning.",
              rows_of(shown));
}

}  // namespace

void accuracy(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> rungs = block.texts("rungs", {"*"});
  const std::vector<std::string> cases = block.texts("cases", {"*"});
  const std::vector<std::string> precisions = block.texts("precisions", number_names());
  std::map<std::pair<std::string, std::string>, const Row*> chosen;  // by precision and rung
  std::set<std::string> sessions;
  for (const Row& row : context.results.data().file.rows) {
    if (row.kind != "check" || !row.ok()) continue;
    if (!matches_any(rungs, row.rung) || !matches_any(cases, row.case_name) || !matches_any(precisions, row.precision))
      continue;
    const Row*& best = chosen[{row.precision, row.rung}];
    if (best == nullptr || says_more(row, *best)) best = &row;
  }
  if (chosen.empty()) return section.note("No passed checks of these rungs are stored yet.");
  const auto part = [](const auto& entry) { return entry.second->population_error / entry.second->tolerance; };
  const auto& worst = *std::ranges::max_element(chosen, {}, part);
  section.find(fmt::format("{} passed; the largest error is {} of the tolerance ({}, {}).", counted(chosen.size(), "check"),
                           percent(part(worst)), worst.first.second, worst.first.first));
  std::vector<const Row*> rows;
  for (const auto& [key, row] : chosen) {
    sessions.insert(row->session);
    rows.push_back(row);
  }
  add_chart(rows, context, section);
  Table table = tabulate("accuracy", "Error against the reference at the largest number of steps compared",
                         {{"Rung", "rung", &Row::rung},
                          {"Precision", "precision", &Row::precision},
                          {"Case", "case", &Row::case_name},
                          {"Tuning", "tuning", &Row::tuning},
                          {"Steps", "check_steps", &Row::check_steps, count_cell},
                          {"Error of populations", "population_error", &Row::population_error, scientific},
                          {"Accepted", "tolerance", &Row::tolerance, scientific},
                          {"Error / accepted", "error_over_tolerance",
                           [](const Row& row) { return percent_cell(row.population_error / row.tolerance); }},
                          {"Error of the observable", "history_error", &Row::history_error, scientific}},
                         rows);
  table.sources = rows;
  table.is_by_rung = true;
  table.caption = fmt::format(
      "Rows: study {0}, machine {1}, session {2}; kind=check, outcome=ok; experiments/{0}/results/{1}.csv. The error of "
      "populations is the largest absolute difference over the largest population; the error of the observable is the largest "
      "relative error in any step.",
      context.study.name, context.results.data().name, joined({sessions.begin(), sessions.end()}, 4));
  section.parts.emplace_back(std::move(table));
}

}  // namespace ladder::reports
