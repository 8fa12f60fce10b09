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

/// A tick for each size, as a gnuplot command.
std::string size_ticks(const std::vector<SizeLine>& lines) {
  std::vector<std::pair<double, std::string>> sizes;
  for (const SizeLine& line : lines)
    for (const SizePoint& p : line.points)
      add_once(sizes, {p.sites, p.case_name});
  return fmt::format("set xtics {} {}", tick_list(sizes), sizes.size() > 6 ? "rotate by -40" : "");
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
  const std::vector<SizeLine> lines = drawable(chart);
  int longest = 0;
  Range x, y{.high = chart.least_top};
  for (const SizeLine& line : lines) {
    longest = std::max(longest, text_width(line.name));
    for (const SizePoint& p : line.points) {
      x.take(p.sites);
      y.take(p.value);
    }
  }
  for (const auto& [at, name] : chart.levels)
    y.take(at);
  x = {x.low / 1.5, x.high * 1.5};
  // gnuplot drops entries of the key that do not fit next to the frame.
  Plot plot(570 + longest, std::max(440, 140 + 24 * static_cast<int>(lines.size())));
  plot.add("{}", margins(plot, 100, longest + 85, 20, 90));
  plot.add("set logscale x 2\nset xrange [{}:{}]", x.low, x.high);
  if (chart.is_logarithmic)
    plot.add("set logscale y 10\nset yrange [{}:{}]\n{}", y.low / 1.5, y.high * 1.5, log_ticks("y", y.low / 1.5, y.high * 1.5));
  else
    plot.add("set yrange [0:{}]", 1.08 * y.high);
  plot.add("{}\nset xlabel {}\nset ylabel {}\nset grid ls 1", size_ticks(lines), plot_string(chart.x_label),
           plot_string(chart.y_label));
  plot.add("{}", key_at_right(plot, longest));
  for (const auto& [at, name] : chart.levels) {
    plot.add("set arrow from graph 0, first {0} to graph 1, first {0} nohead lc rgb '{1}' lw 1.5", at, color::ink);
    if (!name.empty())
      plot.add("set label {} at graph 0.02, first {} offset 0, 0.5 tc rgb '{}'", plot_string(name), at, color::ink);
  }
  for (const auto& [at, name] : chart.marks) {
    if (!(at > x.low && at < x.high)) continue;
    plot.add("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '{1}' lw 1.5", at, color::muted);
    plot.add("set label {} at first {}, graph 0.02 rotate by 90 offset -1, 0 tc rgb '{}'", plot_string(name), at, color::muted);
  }
  std::vector<std::string> points;  // drawn above all lines, so that the pointer reaches them
  for (const SizeLine& line : lines) {
    std::vector<std::vector<Datum>> rows;
    std::vector<std::vector<Datum>> bars;
    for (const SizePoint& p : line.points) {
      rows.push_back({p.sites, p.value, Hover{p.hover}});
      if (p.interval.is_known()) bars.push_back({p.sites, p.value, p.interval.low, p.interval.high});
    }
    if (!bars.empty())
      plot.draw("{} using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '{}' notitle", plot.data(bars), line.look.color);
    const std::string data = plot.data(rows);
    plot.draw("{} using 1:2 with linespoints pt {} ps 0.9 lw 1.5 dt {} lc rgb '{}' title {}", data, line.look.point,
              line.is_dashed ? 2 : 1, line.look.color, plot_string(line.name));
    points.push_back(fmt::format("{} using 1:2:3 with labels hypertext point pt {} ps 0.9 lc rgb '{}' notitle", data,
                                 line.look.point, line.look.color));
  }
  for (const std::string& element : points)
    plot.draw("{}", element);
  return {std::move(chart.id), std::move(chart.title), "", std::move(plot)};
}

}  // namespace ladder::reports
