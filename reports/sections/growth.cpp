#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/sections/size_chart.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

/// Exponent s of the law time ∝ sites^s that fits the points best, by least squares of the logarithms; NaN for fewer than three
/// sizes.
double exponent(const std::vector<SizePoint>& points) {
  if (points.size() < 3) return std::nan("");
  double mean_x = 0, mean_y = 0;
  for (const SizePoint& p : points) {
    mean_x += std::log(p.sites) / static_cast<double>(points.size());
    mean_y += std::log(p.value) / static_cast<double>(points.size());
  }
  double xy = 0, xx = 0;
  for (const SizePoint& p : points) {
    xy += (std::log(p.sites) - mean_x) * (std::log(p.value) - mean_y);
    xx += (std::log(p.sites) - mean_x) * (std::log(p.sites) - mean_x);
  }
  return xx > 0 ? xy / xx : std::nan("");
}

SizePoint point(const std::string& name, const std::string& case_name, double sites, double microseconds) {
  return {case_name, sites, microseconds, fmt::format("{}, {}: {} µs per step", name, case_name, significant(microseconds))};
}

Table make_table(const std::vector<SizeLine>& lines, const std::vector<std::string>& cases) {
  Table table{"growth", "Time per step, µs, and its exponent in the number of sites", "", {{"Rung", "rung", false}}, {}};
  for (const std::string& c : cases)
    table.columns.push_back({c, slug(c) + "_us_per_step"});
  table.columns.push_back({"exponent", "exponent"});
  for (const SizeLine& line : lines) {
    std::vector<TableCell> row{line.name};
    for (const std::string& c : cases) {
      const auto found = std::ranges::find(line.points, c, &SizePoint::case_name);
      row.push_back(found == line.points.end() ? TableCell("—") : number_cell(found->value));
    }
    const double s = exponent(line.points);
    row.push_back(std::isnan(s) ? TableCell("—") : TableCell(fmt::format("{:.2f}", s), s));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void growth(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::vector<std::string> rungs = block.texts("rungs");
  const std::string precision = precision_of(block);
  const std::string tuning = block.text("tuning", "best");

  std::vector<SizeLine> lines;
  std::vector<const Cell*> used;
  for (const RungOverSizes& rung : rungs_over_sizes(context, rungs, cases, precision, tuning)) {
    SizeLine line{rung.name, false, rung.look, {}};
    for (const Cell* cell : rung.cells) {
      line.points.push_back(
          point(rung.name, cell->row->case_name, static_cast<double>(cell->row->cells), cell->microseconds_per_step()));
      used.push_back(cell);
    }
    lines.push_back(std::move(line));
  }
  std::size_t papers = 0;
  for (const std::string& label : paper_labels(block, context)) {
    SizeLine line{"paper: " + label, true, paper_look(papers++), {}};
    for (const std::string& c : cases) {
      const double seconds = positive(context.study.paper.value(label, c, "seconds"));
      const double microseconds = 1e6 * seconds / nominal_steps(context.study.paper, label, c);
      const double sites = cells_in_case(context, c);
      if (!std::isnan(positive(microseconds)) && !std::isnan(positive(sites)))
        line.points.push_back(point(line.name, c, sites, microseconds));
    }
    lines.push_back(std::move(line));
  }
  if (used.empty()) section.note("No rows of these rungs and cases yet.");
  const std::string caption =
      rows_caption(context, used, fmt::format("kind=sample, precision={}, tuning {}", precision, tuning));
  SizeChart chart{
      .id = "growth", .title = "Time per step by size", .y_label = "µs per step", .is_logarithmic = true, .lines = lines};
  if (is_drawable(chart)) {
    Figure figure = draw_sizes(std::move(chart));
    figure.caption = caption;
    figure.sources = rows_of(used);
    section.parts.emplace_back(std::move(figure));
  }
  Table table = make_table(lines, cases);
  table.caption = caption + " Exponents are least-squares fits of the logarithms over the sizes shown, three at least.";
  table.sources = rows_of(used);
  section.parts.emplace_back(std::move(table));
}

}  // namespace ladder::reports
