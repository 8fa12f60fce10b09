#include "reports/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/format.hpp"
#include "harness/record/statistics.hpp"

namespace ladder::reports {
namespace {

/// A prediction counts as right if the measured rate differs from it by at most this fraction.
constexpr double close = 0.15;

bool is_close(double share) { return std::abs(share - 1) <= close; }

/// A cell and its limits, of which at least one is known.
struct Limited {
  const Cell* cell = nullptr;
  std::vector<Limit> limits;

  [[nodiscard]] double share() const { return cell->median / predicted_rate(limits); }
};

/// A backend and its measured over its predicted rates, in ascending order.
using Shares = std::pair<std::string, std::vector<double>>;

auto quantile(double q) {
  return [q](const std::vector<double>& all) { return all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1))]; };
}

double close_part(const std::vector<double>& all) {
  return static_cast<double>(std::ranges::count_if(all, is_close)) / static_cast<double>(all.size());
}

TableCell over_predicted(const Limited& limited) {
  TableCell cell = number_cell(limited.share());
  cell.flagged = std::abs(limited.share() - 1) > close;
  return cell;
}

Table cells_table(const std::vector<Limited>& cells) {
  std::vector<Column<Limited>> columns = {
      {"Rung", "rung",
       [](const Limited& l) { return l.cell->row->rung + (l.cell->row->build == "default" ? "" : ", " + l.cell->row->build); }},
      {"Case", "case", &Limited::cell, &Cell::row, &Row::case_name},
      {"Precision", "precision", &Limited::cell, &Cell::row, &Row::precision}};
  for (std::size_t i = 0; i < limit_names.size(); ++i)
    columns.emplace_back(std::string(limit_names[i]), slug(limit_names[i]), [i](const Limited& l) {
      const Limit& limit = l.limits[i];
      TableCell cell = number_cell(limit.rate / 1e6);
      if (limit.cell != nullptr) cell.hover = fmt::format("{} MLUPS: {}", cell.exact, limit.how);
      return cell;
    });
  columns.insert(columns.end(),
                 {{"Lowest", "lowest", [](const Limited& l) { return std::string(lowest(l.limits)->name); }},
                  {"Predicted", "predicted_mlups", [](const Limited& l) { return predicted_rate(l.limits) / 1e6; }},
                  {"Measured", "measured_mlups", &Limited::cell, rate_cell},
                  {"Measured over predicted", "measured_over_predicted", over_predicted}});
  Table table = tabulate("limits", "Limits and measured rates, MLUPS", columns, cells);
  table.is_folded = true;
  return table;
}

}  // namespace

void limits(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> rungs = block.texts("rungs", {"*"});
  const std::vector<std::string> cases = block.texts("cases", {"*"});
  std::vector<Limited> cells;
  std::vector<const Cell*> used, sources;
  std::map<std::string, std::vector<double>> backends;
  std::vector<double> all;
  for (const Cell& cell : context.results.cells()) {
    const Row& row = *cell.row;
    if (row.is_foreign() || !matches_any(rungs, row.rung) || !matches_any(cases, row.case_name)) continue;
    const CellQuery own_tuning{
        .rung = row.rung, .build = row.build, .case_name = row.case_name, .precision = row.precision, .workers = row.workers()};
    if (context.results.choose(own_tuning) != &cell) continue;
    Limited limited{&cell, limits_of(cell, context)};
    if (lowest(limited.limits) == nullptr) continue;
    for (const Limit& limit : limited.limits)
      if (limit.cell != nullptr) sources.push_back(limit.cell);
    used.push_back(&cell);
    if (!std::isnan(limited.share()))
      for (std::vector<double>* shares : {&backends[row.backend], &all})
        shares->insert(std::ranges::upper_bound(*shares, limited.share()), limited.share());
    cells.push_back(std::move(limited));
  }
  const std::string caption = rows_caption(context, used, "kind=sample and kind=ceiling, the rungs' own tuning");
  if (all.empty()) {
    section.note("Nothing is predicted: no rung has a limit and was also measured on a smaller lattice.");
  } else {
    std::vector<Shares> shares(backends.begin(), backends.end());
    shares.emplace_back("all", all);
    section.find(fmt::format("The limits predict the rate within {} for {} of {} ({}).", percent(close),
                             std::ranges::count_if(all, is_close), counted(all.size(), "cell"), percent(close_part(all))));
    section.add(tabulate("limits-backends", "Measured over predicted rate, by backend",
                         {{"Backend", "backend", &Shares::first},
                          {"Cells", "cells", &Shares::second, &std::vector<double>::size, count_cell},
                          {"Median", "median", &Shares::second, [](const std::vector<double>& of) { return median(of); }},
                          {"First quartile", "quartile_1", &Shares::second, quantile(0.25)},
                          {"Third quartile", "quartile_3", &Shares::second, quantile(0.75)},
                          {"Within 15 %", "within_15_percent", &Shares::second, close_part, share_cell}},
                         shares),
                caption);
  }
  if (!cells.empty())
    section.add(cells_table(cells), caption + " Hover over a limit to see what it comes from.", rows_of(used, sources));
}

}  // namespace ladder::reports
