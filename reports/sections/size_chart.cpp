#include "reports/sections/size_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ladder::reports {
namespace {

bool has_place(const SizePoint& point, bool is_logarithmic) {
  return !std::isnan(positive(point.sites)) && std::isfinite(point.value) && (!is_logarithmic || point.value > 0);
}

/// The lines and points that can be drawn on the axes.
std::vector<SizeLine> drawable(const SizeChart& chart) {
  std::vector<SizeLine> lines = chart.lines;
  for (SizeLine& line : lines)
    std::erase_if(line.points, [&](const SizePoint& p) { return !has_place(p, chart.is_logarithmic); });
  std::erase_if(lines, [](const SizeLine& line) { return line.points.empty(); });
  return lines;
}

}  // namespace

std::vector<RungOverSizes> rungs_over_sizes(const Context& context, const std::vector<std::string>& patterns,
                                            const std::vector<std::string>& cases, const std::string& precision,
                                            const std::string& tuning) {
  std::vector<RungOverSizes> found;
  const std::vector<std::string> ids = context.results.matching_rungs(patterns);
  const std::vector<std::string> names = short_names(ids);
  const std::vector<Look> rung_looks = looks(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    RungOverSizes rung{names[i], rung_looks[i], {}};
    for (const std::string& case_name : cases) {
      const Cell* cell =
          context.results.choose({.rung = ids[i], .case_name = case_name, .precision = precision, .tuning = tuning});
      if (cell != nullptr) rung.cells.push_back(cell);
    }
    if (!rung.cells.empty()) found.push_back(std::move(rung));
  }
  return found;
}

bool is_drawable(const SizeChart& chart) { return !drawable(chart).empty(); }

Figure draw_sizes(SizeChart chart) {
  const Axis::Scale scale = chart.is_logarithmic ? Axis::Scale::logarithmic : Axis::Scale::linear;
  Chart drawn{.id = std::move(chart.id),
              .title = std::move(chart.title),
              .x = {chart.x_label, Axis::Scale::logarithmic},
              .y = {chart.y_label, scale},
              .levels = std::move(chart.levels),
              .marks = std::move(chart.marks)};
  if (!chart.is_logarithmic) drawn.y.shown = {0, chart.least_top};
  for (const SizeLine& line : drawable(chart)) {
    Curve& series = drawn.series.emplace_back(Curve{line.name, line.look, line.is_dashed ? 2 : 1});
    for (const SizePoint& p : line.points) {
      add_once(drawn.x.ticks, {p.sites, p.case_name});
      series.points.push_back({.x = p.sites, .y = p.value, .hover = p.hover, .interval = p.interval});
    }
  }
  Figure figure = draw(drawn);
  figure.conclusion = std::move(chart.conclusion);
  return figure;
}

}  // namespace ladder::reports
