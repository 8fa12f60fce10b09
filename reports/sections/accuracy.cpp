#include <fmt/format.h>

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
  const auto scientific = [](double v) { return TableCell(std::isnan(v) ? "—" : fmt::format("{:.2e}", v), v); };
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
  table.caption = fmt::format(
      "Rows: study {0}, machine {1}, session {2}; kind=check, outcome=ok; experiments/{0}/results/{1}.csv. The error of "
      "populations is the largest absolute difference over the largest population; the error of the observable is the largest "
      "relative error in any step.",
      context.study.name, context.results.data().name, joined({sessions.begin(), sessions.end()}, 4));
  section.parts.emplace_back(std::move(table));
}

}  // namespace ladder::reports
