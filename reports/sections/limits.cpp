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

/// How well the limits predict the rates of one backend.
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
  table.columns.insert(table.columns.end(), {{"Lowest", "lowest", false},
                                             {"Predicted", "predicted_mlups"},
                                             {"Measured", "measured_mlups"},
                                             {"Measured over predicted", "measured_over_predicted"}});
  std::vector<const Cell*> used, sources;
  std::map<std::string, std::vector<double>> shares;
  std::vector<double> all;
  for (const Cell& cell : context.results.cells()) {
    const Row& row = *cell.row;
    if (row.is_foreign() || !matches_any(rungs, row.rung) || !matches_any(cases, row.case_name)) continue;
    const CellQuery own_tuning{
        .rung = row.rung, .build = row.build, .case_name = row.case_name, .precision = row.precision, .workers = row.workers()};
    if (context.results.choose(own_tuning) != &cell) continue;
    const std::vector<Limit> limits = limits_of(cell, context);
    const Limit* least = lowest(limits);
    if (least == nullptr) continue;
    const double predicted = predicted_rate(limits);
    const double share = cell.median / predicted;
    std::vector<TableCell> fields{row.rung + (row.build == "default" ? "" : ", " + row.build), row.case_name, row.precision};
    for (const Limit& limit : limits) {
      TableCell field = number_cell(limit.rate / 1e6);
      if (limit.cell != nullptr) field.hover = fmt::format("{} MLUPS: {}", field.exact, limit.how);
      fields.push_back(std::move(field));
      if (limit.cell != nullptr) sources.push_back(limit.cell);
    }
    fields.emplace_back(std::string(least->name));
    fields.push_back(number_cell(predicted / 1e6));
    fields.push_back(rate_cell(cell));
    fields.push_back(number_cell(share));
    fields.back().flagged = std::abs(share - 1) > close;
    table.rows.push_back(std::move(fields));
    used.push_back(&cell);
    if (std::isnan(share)) continue;
    shares[row.backend].push_back(share);
    all.push_back(share);
  }
  const std::string caption = rows_caption(context, used, "kind=sample and kind=ceiling, the rungs' own tuning");
  if (all.empty()) {
    section.note("Nothing is predicted: no rung has a limit and was also measured on a smaller lattice.");
  } else {
    const auto right = static_cast<std::size_t>(std::ranges::count_if(all, is_close));
    section.find(fmt::format("The limits predict the rate within {} for {} of {} ({}).", percent(close), right,
                             counted(all.size(), "cell"),
                             percent(static_cast<double>(right) / static_cast<double>(all.size()))));
    Table summary{"limits-backends",
                  "Measured over predicted rate, by backend",
                  {{"Backend", "backend", false},
                   {"Cells", "cells"},
                   {"Median", "median"},
                   {"First quartile", "quartile_1"},
                   {"Third quartile", "quartile_3"},
                   {"Within 15 %", "within_15_percent"}}};
    for (const auto& [backend, of_backend] : shares)
      summary.rows.push_back(backend_row(backend, of_backend));
    summary.rows.push_back(backend_row("all", all));
    section.add(std::move(summary), caption);
  }
  if (!table.rows.empty())
    section.add(std::move(table), caption + " Hover over a limit to see what it comes from.", rows_of(used, sources));
}

}  // namespace ladder::reports
