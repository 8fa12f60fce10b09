#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/sections/steps.hpp"

namespace ladder::reports {
namespace {

constexpr int lane_height = 22;       ///< pixels
constexpr int row_gap = 4;            ///< vertical gap between rows, in pixels
constexpr double lane_offset = 0.22;  ///< distance of the two lanes from the middle of a row, in rows
constexpr double bar_half = 0.11;     ///< half the height of a bar, in rows

struct Point {
  double at = unknown;  ///< µs per step
  double from = unknown;
  double factor = unknown;
  std::string hover;
  std::string mark = {};  ///< next to the factor
};

Point paper_point(const std::vector<Step>& steps, const Step& s) {
  return {s.paper_microseconds, s.over ? steps[*s.over].paper_microseconds : unknown, s.paper_speedup,
          fmt::format("{}: paper, {} µs per step, {}", s.label, significant(s.paper_microseconds), times(s.paper_speedup))};
}

Point our_point(const std::vector<Step>& steps, const Step& s) {
  if (s.cell == nullptr) return {};
  const Cell* before = s.over ? steps[*s.over].cell : nullptr;
  const double other = disagreeing_speedup(steps, s);
  return {s.cell->microseconds_per_step(), before == nullptr ? unknown : before->microseconds_per_step(), s.speedup.value,
          fmt::format("{}: ours, {} µs per step, {} MLUPS, {}{}", s.label, significant(s.cell->microseconds_per_step()),
                      significant(s.cell->mlups()), ratio_cell(s.speedup).text,
                      std::isnan(other) ? "" : fmt::format(" in common rounds, {} between the dots", times(other))),
          std::isnan(other) ? "" : " ≠"};
}

/// The points of one lane, one per row; NaN if a row has none.
struct Lane {
  std::string title;
  const char* color;
  int point_type;
  std::vector<Point> points;

  [[nodiscard]] bool is_empty() const {
    return std::ranges::all_of(points, [](const Point& p) { return std::isnan(p.at); });
  }
};

/// The lanes that have points, from top to bottom.
std::vector<Lane> lanes_of(const std::vector<Step>& steps) {
  Lane paper{"paper", color::vermilion, 5, {}};
  Lane ours{"ours", color::blue, 7, {}};
  for (const Step& s : steps) {
    paper.points.push_back(paper_point(steps, s));
    ours.points.push_back(our_point(steps, s));
  }
  std::vector<Lane> lanes{std::move(paper), std::move(ours)};
  std::erase_if(lanes, [](const Lane& l) { return l.is_empty(); });
  return lanes;
}

/// Draws bars, points and factors of a lane that is `offset` rows below the middle of its rows.
void draw_lane(Plot& plot, const Lane& lane, double offset) {
  std::vector<std::vector<Datum>> bars;
  std::vector<std::vector<Datum>> marks;
  std::vector<std::vector<Datum>> factors;
  for (std::size_t i = 0; i < lane.points.size(); ++i) {
    const Point& p = lane.points[i];
    if (std::isnan(p.at)) continue;
    const double y = static_cast<double>(i) + offset;
    marks.push_back({p.at, y, Hover{p.hover}});
    if (std::isnan(p.from)) continue;
    bars.push_back({p.at, y, std::min(p.at, p.from), std::max(p.at, p.from), y - bar_half, y + bar_half});
    factors.push_back({std::max(p.at, p.from), y, times(p.factor) + p.mark});
  }
  if (!bars.empty()) {
    plot.draw("{} using 1:2:3:4:5:6 with boxxyerror fc rgb '{}' fs solid 0.35 noborder notitle", plot.data(bars), lane.color);
    plot.draw("{} using 1:2:3 with labels left offset char 1.1,0 font ',11' tc rgb '{}' notitle", plot.data(factors),
              color::ink);
  }
  plot.draw_points(plot.data(marks), lane.point_type, 0.8, lane.color, lane.title);
}

/// The steps that have a time, each still relative to the same step.
std::vector<Step> measured(const std::vector<Step>& all) {
  std::vector<Step> kept;
  std::vector<std::optional<std::size_t>> places;
  for (const Step& s : all) {
    const bool is_known = s.cell != nullptr || !std::isnan(s.paper_microseconds);
    places.push_back(is_known ? std::optional(kept.size()) : std::nullopt);
    if (!is_known) continue;
    kept.push_back(s);
    if (s.over) kept.back().over = *s.over < places.size() ? places[*s.over] : std::nullopt;
  }
  return kept;
}

/// The range of times in all lanes, with room for a factor next to the longest bar.
Range range_of(const std::vector<Lane>& lanes) {
  Range range;
  for (const Lane& lane : lanes)
    for (const Point& p : lane.points)
      range.take(p.at);
  range.low /= 1.6;
  return {range.low, range.high * std::pow(range.high / range.low, 0.12)};
}

}  // namespace

double disagreeing_speedup(const std::vector<Step>& steps, const Step& step) {
  const Cell* before = step.over ? steps[*step.over].cell : nullptr;
  if (step.cell == nullptr || before == nullptr) return unknown;
  const double of_medians = step.cell->median / before->median;
  return std::abs(of_medians / step.speedup.value - 1) > 0.1 ? of_medians : unknown;
}

std::optional<Figure> steps_chart(const std::vector<Step>& all, const std::string& case_name) {
  const std::vector<Step> steps = measured(all);
  const std::vector<Lane> lanes = lanes_of(steps);
  if (lanes.empty()) return std::nullopt;
  const auto [low, high] = range_of(lanes);
  const auto rows = static_cast<int>(steps.size());
  std::vector<std::pair<double, std::string>> labels;
  int longest = 0;
  for (int i = 0; i < rows; ++i) {
    const std::string label = words(steps[static_cast<std::size_t>(i)].label);
    labels.emplace_back(i, label);
    longest = std::max(longest, text_width(label));
  }

  Plot plot(940, 110 + rows * (row_gap + lane_height * static_cast<int>(lanes.size())));
  plot.add("{}", margins(plot, longest + 20, 30, 40, 56));
  plot.add("set logscale x\nset xrange [{}:{}]\nset yrange [{}:-0.6]\n{}", low, high, rows - 0.4, log_ticks("x", low, high));
  plot.add("set xlabel 'time per step, µs (log scale; further left is faster)'\nset grid xtics ls 1");
  plot.add("set key at graph 1, screen {} right top horizontal", 1 - 8.0 / plot.height());
  plot.add("set ytics {} scale 0", tick_list(labels));
  for (int i = 1; i < rows; ++i)
    plot.add("set arrow from graph 0, first {0} to graph 1, first {0} nohead ls 2 back", i - 0.5);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    draw_lane(plot, lanes[i], lanes.size() == 1 ? 0 : i == 0 ? -lane_offset : lane_offset);
  return Figure{"ladder-" + case_name, fmt::format("Down the ladder, {}", case_name), "", std::move(plot)};
}

}  // namespace ladder::reports
