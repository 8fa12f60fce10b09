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

/// How well the lowest limit predicts the rates of one backend.
std::vector<TableCell> backend_row(const std::string& backend, std::vector<double> shares) {
  std::ranges::sort(shares);
  const auto quantile = [&](double q) { return shares[static_cast<std::size_t>(q * static_cast<double>(shares.size() - 1))]; };
  const auto right = static_cast<double>(std::ranges::count_if(shares, is_close));
  return {backend,
          count_cell(static_cast<double>(shares.size())),
          number_cell(median(shares)),
          number_cell(quantile(0.25)),
          number_cell(quantile(0.75)),
          percent_cell(right / static_cast<double>(shares.size()))};
}

}  // namespace

void limits(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> rungs = block.texts("rungs", {"*"});
  const std::vector<std::string> cases = block.texts("cases", {"*"});
  Table table{"limits",
              "Limits and measured rates, MLUPS",
              {{"Rung", "rung", false}, {"Case", "case", false}, {"Precision", "precision", false}},
              true};
  for (const std::string_view name : limit_names)
    table.columns.push_back({std::string(name), slug(name)});
  table.columns.insert(
      table.columns.end(),
      {{"Lowest", "lowest", false}, {"Measured", "measured_mlups"}, {"Measured over lowest", "measured_over_lowest"}});
  std::vector<const Cell*> used, sources;
  std::map<std::string, std::vector<double>> shares;
  std::vector<double> all;
  for (const Cell& cell : context.results.cells()) {
    const Row& row = *cell.row;
    if (row.is_foreign() || !matches_any(rungs, row.rung) || !matches_any(cases, row.case_name)) continue;
    if (with_own_tuning(context, cell) != &cell) continue;
    const std::vector<Limit> limits = limits_of(cell, context);
    const Limit* least = lowest(limits);
    if (least == nullptr) continue;
    const double share = cell.median / least->rate;
    std::vector<TableCell> fields{row.rung + (row.build == "default" ? "" : ", " + row.build), row.case_name, row.precision};
    for (const Limit& limit : limits) {
      TableCell field = number_cell(limit.rate / 1e6);
      if (limit.cell != nullptr) field.hover = fmt::format("{} MLUPS: {}", field.exact, limit.how);
      fields.push_back(std::move(field));
      if (limit.cell != nullptr) sources.push_back(limit.cell);
    }
    fields.emplace_back(std::string(least->name));
    fields.push_back(rate_cell(cell));
    fields.push_back(number_cell(share));
    fields.back().flagged = !is_close(share);
    table.rows.push_back(std::move(fields));
    shares[row.backend].push_back(share);
    all.push_back(share);
    used.push_back(&cell);
  }
  if (table.rows.empty()) return section.note("No cell has a limit.");
  const auto right = static_cast<std::size_t>(std::ranges::count_if(all, is_close));
  section.find(fmt::format("The lowest limit predicts the rate within {} for {} of {} ({}).", percent(close), right,
                           counted(all.size(), "cell"), percent(static_cast<double>(right) / static_cast<double>(all.size()))));
  Table summary{"limits-backends",
                "Measured rate over the lowest limit, by backend",
                {{"Backend", "backend", false},
                 {"Cells", "cells"},
                 {"Median", "median"},
                 {"First quartile", "quartile_1"},
                 {"Third quartile", "quartile_3"},
                 {"Within 15 %", "within_15_percent"}}};
  for (const auto& [backend, of_backend] : shares)
    summary.rows.push_back(backend_row(backend, of_backend));
  summary.rows.push_back(backend_row("all", all));
  const std::string caption = rows_caption(context, used, "kind=sample and kind=ceiling, the rungs' own tuning");
  section.add(std::move(summary), caption);
  section.add(std::move(table), caption + " Hover over a limit to see what it comes from.", rows_of(used, sources));
}

}  // namespace ladder::reports
