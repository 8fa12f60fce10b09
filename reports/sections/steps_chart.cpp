#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/sections/common.hpp"
#include "reports/sections/steps.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr int row_height = 44;
constexpr double lane = 0.2;  ///< distance of the two lanes from the middle of a row

struct Point {
  double at = std::numeric_limits<double>::quiet_NaN();  ///< µs a step
  double from = std::numeric_limits<double>::quiet_NaN();
  double factor = std::numeric_limits<double>::quiet_NaN();
  std::string hover;
};

Point paper_point(const std::vector<Step>& steps, const Step& s) {
  return {s.paper_microseconds, s.over ? steps[*s.over].paper_microseconds : Point{}.from, s.paper_speedup,
          fmt::format("{}: paper, {} µs a step, {}", s.label, significant(s.paper_microseconds), times(s.paper_speedup))};
}

Point our_point(const std::vector<Step>& steps, const Step& s) {
  if (s.cell == nullptr) return {};
  const Cell* before = s.over ? steps[*s.over].cell : nullptr;
  return {s.cell->microseconds_per_step(), before == nullptr ? Point{}.from : before->microseconds_per_step(), s.speedup.value,
          fmt::format("{}: ours, {} µs a step, {} MLUPS, {}", s.label, significant(s.cell->microseconds_per_step()),
                      significant(s.cell->mlups()), ratio_cell(s.speedup).text)};
}

/// Bars, points and factors of one lane: a plot command's parts.
std::string lane_of(Plot& plot, const std::vector<Point>& points, double offset, const char* color, int point_type,
                    const std::string& title) {
  std::vector<std::vector<Datum>> bars;
  std::vector<std::vector<Datum>> marks;
  std::vector<std::vector<Datum>> factors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    if (std::isnan(p.at)) continue;
    const double y = static_cast<double>(i) + offset;
    marks.push_back({p.at, y, Hover{p.hover}});
    if (std::isnan(p.from)) continue;
    bars.push_back({p.at, y, std::min(p.at, p.from), std::max(p.at, p.from), y - 0.11, y + 0.11});
    factors.push_back({std::max(p.at, p.from), y, times(p.factor)});
  }
  if (marks.empty()) return "";
  std::string parts;
  if (!bars.empty()) {
    parts += fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fc rgb '{}' fs solid 0.35 noborder notitle, ", plot.data(bars),
                         color);
    parts += fmt::format("{} using 1:2:3 with labels left offset char 1.1,0 font ',11' tc rgb '{}' notitle, ",
                         plot.data(factors), color::ink);
  }
  const std::string data = plot.data(marks);
  parts +=
      fmt::format("{} using 1:2:3 with labels hypertext point pt {} ps 0.8 lc rgb '{}' notitle, ", data, point_type, color);
  return parts + fmt::format("keyentry with points pt {} ps 0.8 lc rgb '{}' title {}, ", point_type, color, plot_string(title));
}

}  // namespace

Figure steps_chart(const std::vector<Step>& steps, const std::string& case_name) {
  std::vector<Point> paper;
  std::vector<Point> ours;
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  int longest = 0;
  for (const Step& s : steps) {
    paper.push_back(paper_point(steps, s));
    ours.push_back(our_point(steps, s));
    longest = std::max(longest, text_width(s.label));
    for (const double at : {paper.back().at, ours.back().at}) {
      if (std::isnan(at)) continue;
      low = std::min(low, at);
      high = std::max(high, at);
    }
  }
  if (high == 0) low = high = 1;
  low /= 1.6;
  high *= std::pow(high / low, 0.12);  // room for the factor beside the longest bar

  const auto rows = static_cast<int>(steps.size());
  Plot plot(940, 110 + row_height * rows);
  plot.add("{}", margins(plot, longest + 20, 30, 40, 56));
  plot.add("set logscale x");
  plot.add("set xrange [{}:{}]\nset yrange [{}:-0.6]", low, high, rows - 0.4);
  plot.add("{}", log_ticks("x", low, high));
  plot.add("set xlabel 'time per step, µs (log scale; further left is faster)'");
  plot.add("set grid xtics ls 1");
  plot.add("set key at graph 1, screen {} right top horizontal", 1 - 8.0 / plot.height());
  std::string labels;
  for (int i = 0; i < rows; ++i) {
    labels += fmt::format("{}{} {}", i == 0 ? "" : ", ", plot_string(steps[static_cast<std::size_t>(i)].label), i);
    if (i > 0) plot.add("set arrow from graph 0, first {0} to graph 1, first {0} nohead ls 2 back", i - 0.5);
  }
  plot.add("set ytics ({}) scale 0", labels);
  std::string parts =
      lane_of(plot, paper, -lane, color::vermilion, 5, "paper") + lane_of(plot, ours, lane, color::blue, 7, "ours");
  if (parts.empty()) parts = "NaN notitle, ";
  plot.add("plot {}", parts.substr(0, parts.size() - 2));
  return {"ladder-" + case_name, fmt::format("Down the ladder, {}", case_name), "", std::move(plot)};
}

}  // namespace ladder::reports
