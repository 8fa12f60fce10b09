#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "harness/store/csv.hpp"
#include "harness/store/error.hpp"
#include "reports/sections/common.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr std::int64_t most_pixels = 400;  ///< a side of the picture

/// Speeds of a rectangle of sites; NaN in walls. In a large lattice, the sites are `spacing` apart.
struct Flow {
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  std::vector<double> speed;  ///< [y * nx + x]
  std::int64_t spacing = 1;   ///< distance between neighbouring stored sites

  double& at(std::int64_t x, std::int64_t y) { return speed[static_cast<std::size_t>(y * nx + x)]; }
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const { return speed[static_cast<std::size_t>(y * nx + x)]; }
};

/// The different values of a column, in order. @throws FileError for a value that is not a coordinate
std::vector<std::int64_t> coordinates(const CsvFile& file, const std::string& column) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::size_t at = file.column(column);
  std::set<std::int64_t> all;
  for (const CsvRecord& r : file.records()) {
    const std::int64_t value = file.integer(r, at);
    if (value < 0 || value > most)
      throw FileError(file.path(), r.line, fmt::format("{} is {}; accepted: an integer from 0 to {}", column, value, most));
    all.insert(value);
  }
  return {all.begin(), all.end()};
}

Flow read_flow(const std::filesystem::path& path) {
  const CsvFile file = read_flow_file(path);
  const std::vector<std::int64_t> xs = coordinates(file, "x");
  const std::vector<std::int64_t> ys = coordinates(file, "y");
  if (xs.size() * ys.size() != file.records().size())
    throw FileError(path, 1,
                    fmt::format("holds {} lines of {} × {} sites; accepted: one line per site", file.records().size(),
                                xs.size(), ys.size()));
  const std::size_t x = file.column("x");
  const std::size_t y = file.column("y");
  const std::size_t speed = file.column("speed");
  const std::size_t solid = file.column("solid");
  Flow flow{std::ssize(xs), std::ssize(ys),
            std::vector<double>(file.records().size(), std::numeric_limits<double>::quiet_NaN())};
  if (xs.size() > 1) flow.spacing = xs[1] - xs[0];
  const auto place = [](const std::vector<std::int64_t>& all, std::int64_t one) {
    return std::ranges::lower_bound(all, one) - all.begin();
  };
  for (const CsvRecord& r : file.records()) {
    if (file.integer(r, solid) != 0) continue;
    flow.at(place(xs, file.integer(r, x)), place(ys, file.integer(r, y))) = file.number(r, speed);
  }
  return flow;
}

/// The flow in blocks of `factor` × `factor` sites: the mean of a block's fluid sites; a wall if half of the block is wall.
Flow shrink(const Flow& flow, std::int64_t factor) {
  Flow small{(flow.nx + factor - 1) / factor, (flow.ny + factor - 1) / factor, {}, flow.spacing * factor};
  small.speed.resize(static_cast<std::size_t>(small.nx * small.ny));
  for (std::int64_t by = 0; by < small.ny; ++by) {
    for (std::int64_t bx = 0; bx < small.nx; ++bx) {
      double sum = 0;
      int fluid = 0;
      int all = 0;
      for (std::int64_t y = by * factor; y < std::min(flow.ny, (by + 1) * factor); ++y) {
        for (std::int64_t x = bx * factor; x < std::min(flow.nx, (bx + 1) * factor); ++x) {
          ++all;
          if (std::isnan(flow.at(x, y))) continue;
          ++fluid;
          sum += flow.at(x, y);
        }
      }
      small.at(bx, by) = 2 * fluid > all ? sum / fluid : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return small;
}

/// Several flows side by side, or one.
struct Panel {
  std::string title;
  Flow flow;
};

/// Draws the panels on one colour scale, in rows of at most four.
Plot draw_flows(const std::vector<Panel>& panels) {
  const Flow& shape = panels.front().flow;
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Panel& panel : panels)
    for (const double speed : panel.flow.speed) {
      if (std::isnan(speed)) continue;
      low = std::min(low, speed);
      high = std::max(high, speed);
    }
  const int count = static_cast<int>(panels.size());
  const int columns = std::min(count, 4);
  const int rows = (count + columns - 1) / columns;
  const double aspect = static_cast<double>(shape.ny) / static_cast<double>(shape.nx);
  const int across = count == 1 ? 520 : 190;
  const int up = std::clamp(static_cast<int>(across * aspect), count == 1 ? 120 : 40, 900);
  const int title = count == 1 ? 0 : 24;
  const int left = 90, right = 120, top = 20, bottom = 76, gap = 16;
  const int width = left + columns * across + (columns - 1) * gap + right;
  const int height = top + rows * (up + title) + (rows - 1) * gap + bottom;
  Plot plot(width, height);
  const double half = static_cast<double>(shape.spacing) / 2;
  plot.add("set xrange [{0}:{1}]\nset yrange [{0}:{2}]", -half, static_cast<double>(shape.nx * shape.spacing) - half,
           static_cast<double>(shape.ny * shape.spacing) - half);
  plot.add("set cblabel 'magnitude of velocity, lattice units'\nset tics out nomirror");
  plot.add(
      "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', "
      "7 '#6ece58', 8 '#b5de2b', 9 '#fde725')");
  plot.add("set cbrange [{}:{}]\nset format cb '%.2g'", std::min(low, high), high > low ? high : low + 1);
  plot.add("set object 1 rectangle from graph 0,0 to graph 1,1 fc rgb '#9a9a9a' fs solid noborder behind");
  if (count > 1) plot.add("set multiplot");
  for (int i = 0; i < count; ++i) {
    const int column = i % columns, row = i / columns;
    const int from_left = left + column * (across + gap);
    const int from_top = top + title + row * (up + title + gap);
    plot.add("{}", margins(plot, from_left, width - from_left - across, from_top, height - from_top - up));
    // The scales of a row and of a column are those of its first and last panel.
    plot.add("set ylabel '{}'\nset format y '{}'", column == 0 ? "y, sites" : "", column == 0 ? "%h" : "");
    plot.add("set xlabel '{}'\nset format x '{}'", i + columns >= count ? "x, sites" : "", i + columns >= count ? "%h" : "");
    plot.add("{} colorbox", i == columns - 1 ? "set" : "unset");
    if (count > 1) plot.add("set title {} offset 0,-0.6", plot_string(panels[static_cast<std::size_t>(i)].title));
    const Flow& flow = panels[static_cast<std::size_t>(i)].flow;
    std::vector<std::vector<Datum>> sites;
    for (std::int64_t y = 0; y < flow.ny; ++y)
      for (std::int64_t x = 0; x < flow.nx; ++x)
        sites.push_back({static_cast<double>(x * flow.spacing), static_cast<double>(y * flow.spacing), flow.at(x, y)});
    plot.add("plot {} using 1:2:3 with image notitle", plot.data(sites));
  }
  if (count > 1) plot.add("unset multiplot");
  return plot;
}

Figure draw(const std::vector<ladder::Flow>& files, const Context& context, const std::string& case_name) {
  std::vector<Panel> panels;
  for (const ladder::Flow& file : files) {
    const std::filesystem::path path = context.results.data().folder / file.file;
    panels.push_back({fmt::format("step {}", file.steps), read_flow(path)});
    const Flow& flow = panels.back().flow;
    if (flow.speed.empty()) throw FileError(path, 1, "holds no sites; accepted: one line per site");
    if (flow.nx != panels.front().flow.nx || flow.ny != panels.front().flow.ny)
      throw FileError(path, 1,
                      fmt::format("holds {} × {} sites; accepted: as many as {}, {} × {}", flow.nx, flow.ny, files.front().file,
                                  panels.front().flow.nx, panels.front().flow.ny));
  }
  const auto [nx, ny] = std::pair(panels.front().flow.nx, panels.front().flow.ny);
  const std::int64_t spacing = panels.front().flow.spacing;
  const std::int64_t pixels = panels.size() > 1 ? most_pixels / 2 : most_pixels;
  const std::int64_t factor = (std::max(nx, ny) + pixels - 1) / pixels;
  if (factor > 1)
    for (Panel& panel : panels)
      panel.flow = shrink(panel.flow, factor);
  const std::string after = files.size() == 1 && files[0].steps > 0 ? fmt::format(" after {} steps", files[0].steps) : "";
  return {"field-" + case_name, fmt::format("Magnitude of velocity, {}{}", case_name, after),
          fmt::format("{} × {} sites{}, walls grey{}. {}", nx, ny, spacing > 1 ? fmt::format(", {} apart", spacing) : "",
                      factor > 1 ? fmt::format(", a pixel is the mean of {0} × {0} sites", factor) : "",
                      flows_caption(context, files)),
          draw_flows(panels)};
}

}  // namespace

void field(const Parameters& block, const Context& context, Section& section) {
  for (const std::string& case_name : block.texts("cases")) {
    std::vector<ladder::Flow> files;
    for (const auto& [steps, flow] : flows_of(block, context, "field", case_name))
      files.push_back(flow);
    if (files.empty()) {
      section.note(fmt::format("{}: no velocity field is stored.", case_name));
      continue;
    }
    section.parts.emplace_back(draw(files, context, case_name));
  }
}

}  // namespace ladder::reports
