#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/csv.hpp"
#include "reports/report.hpp"
#include "reports/sections/common.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

constexpr std::int64_t most_pixels = 400;  ///< a side of the picture

/// Speeds of a rectangle of sites; NaN in walls.
struct Flow {
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  std::vector<double> speed;  ///< [y * nx + x]

  double& at(std::int64_t x, std::int64_t y) { return speed[static_cast<std::size_t>(y * nx + x)]; }
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const { return speed[static_cast<std::size_t>(y * nx + x)]; }
};

Flow read_flow(const std::filesystem::path& path) {
  const CsvFile file = CsvFile::read(path);
  const std::size_t x = file.column("x");
  const std::size_t y = file.column("y");
  const std::size_t speed = file.column("speed");
  const std::size_t solid = file.column("solid");
  constexpr std::int64_t limit = 1 << 15;
  Flow flow;
  for (const CsvRecord& r : file.records()) {
    const std::int64_t rx = file.integer(r, x);
    const std::int64_t ry = file.integer(r, y);
    if (rx < 0 || ry < 0 || rx >= limit || ry >= limit) {
      throw InputError(path, r.line, fmt::format("site ({}, {}); accepted: 0 … {}", rx, ry, limit - 1));
    }
    flow.nx = std::max(flow.nx, rx + 1);
    flow.ny = std::max(flow.ny, ry + 1);
  }
  flow.speed.assign(static_cast<std::size_t>(flow.nx * flow.ny), std::numeric_limits<double>::quiet_NaN());
  for (const CsvRecord& r : file.records()) {
    if (file.integer(r, solid) == 0) flow.at(file.integer(r, x), file.integer(r, y)) = file.number(r, speed);
  }
  return flow;
}

/// The flow in blocks of `factor` × `factor` sites: the mean of a block's fluid sites, a wall where half of it is wall.
Flow shrink(const Flow& flow, std::int64_t factor) {
  Flow small{(flow.nx + factor - 1) / factor, (flow.ny + factor - 1) / factor, {}};
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

Figure draw_flow(const Flow& flow, std::int64_t factor, const std::string& case_name) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  std::vector<std::vector<Datum>> rows;
  for (std::int64_t y = 0; y < flow.ny; ++y) {
    for (std::int64_t x = 0; x < flow.nx; ++x) {
      const double speed = flow.at(x, y);
      rows.push_back({static_cast<double>(x * factor), static_cast<double>(y * factor), speed});
      if (std::isnan(speed)) continue;
      low = std::min(low, speed);
      high = std::max(high, speed);
    }
  }
  const double aspect = static_cast<double>(flow.ny) / static_cast<double>(flow.nx);
  const int across = 520;
  const int up = std::clamp(static_cast<int>(across * aspect), 120, 900);
  Plot plot(across + 210, up + 96);
  plot.add("{}", margins(plot, 90, 120, 20, 76));
  const double half = static_cast<double>(factor) / 2;
  plot.add("set xrange [{0}:{1}]\nset yrange [{0}:{2}]", -half, static_cast<double>(flow.nx * factor) - half,
           static_cast<double>(flow.ny * factor) - half);
  plot.add(
      "set xlabel 'x, sites'\nset ylabel 'y, sites'\nset cblabel 'magnitude of velocity, lattice units'\nset tics out "
      "nomirror");
  plot.add(
      "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', "
      "7 '#6ece58', 8 '#b5de2b', 9 '#fde725')");
  plot.add("set cbrange [{}:{}]\nset format cb '%.2g'", std::min(low, high), high > low ? high : low + 1);
  plot.add("set object 1 rectangle from graph 0,0 to graph 1,1 fc rgb '#9a9a9a' fs solid noborder behind");
  plot.add("plot {} using 1:2:3 with image notitle", plot.data(rows));
  return {"field-" + case_name, fmt::format("Magnitude of velocity, {}", case_name), "", std::move(plot)};
}

}  // namespace

void field(const Parameters& block, const Context& context, Section& section) {
  for (const std::string& case_name : block.texts("cases")) {
    const auto path = case_file(block, context, "field", case_name);
    if (!path) {
      section.note(fmt::format("{}: no velocity field is stored.", case_name));
      continue;
    }
    const Flow flow = read_flow(*path);
    if (flow.speed.empty()) {
      section.note(fmt::format("{}: the stored velocity field has no sites.", case_name));
      continue;
    }
    const std::int64_t factor = (std::max(flow.nx, flow.ny) + most_pixels - 1) / most_pixels;
    Figure figure = draw_flow(factor > 1 ? shrink(flow, factor) : flow, factor, case_name);
    figure.caption = fmt::format("{} × {} sites, walls grey{}. From experiments/{}/results/{}.", flow.nx, flow.ny,
                                 factor > 1 ? fmt::format(", a pixel is the mean of {0} × {0} sites", factor) : "",
                                 context.study.name, path->filename().string());
    section.parts.emplace_back(std::move(figure));
  }
}

}  // namespace ladder::reports
