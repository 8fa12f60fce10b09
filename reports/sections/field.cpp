#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/format.hpp"
#include "harness/record/csv.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

constexpr std::int64_t most_pixels = 400;  ///< side of the picture

/// Values at the sites of a rectangle; NaN in walls. For large lattices, only every `spacing`-th site is stored.
struct SiteValues {
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  std::vector<double> value;  ///< [y * nx + x]
  std::int64_t spacing = 1;   ///< distance between neighbouring stored sites

  double& at(std::int64_t x, std::int64_t y) { return value[static_cast<std::size_t>(y * nx + x)]; }
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const { return value[static_cast<std::size_t>(y * nx + x)]; }
};

/// The distinct values of a column, in order. @throws FileError for a value that is not a coordinate
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

/// The column `name` of a stored picture.
SiteValues read_flow(const std::filesystem::path& path, const std::string& name) {
  const CsvFile file = read_flow_file(path);
  const std::vector<std::int64_t> xs = coordinates(file, "x");
  const std::vector<std::int64_t> ys = coordinates(file, "y");
  if (xs.size() * ys.size() != file.records().size())
    throw FileError(path, 1,
                    fmt::format("holds {} lines of {} × {} sites; accepted: one line per site", file.records().size(),
                                xs.size(), ys.size()));
  const std::size_t x = file.column("x");
  const std::size_t y = file.column("y");
  const std::size_t value = file.column(name);
  const std::size_t solid = file.column("solid");
  SiteValues flow{std::ssize(xs), std::ssize(ys), std::vector<double>(file.records().size(), unknown)};
  if (xs.size() > 1) flow.spacing = xs[1] - xs[0];
  const auto place = [](const std::vector<std::int64_t>& all, std::int64_t one) {
    return std::ranges::lower_bound(all, one) - all.begin();
  };
  for (const CsvRecord& r : file.records()) {
    if (file.integer(r, solid) != 0) continue;
    flow.at(place(xs, file.integer(r, x)), place(ys, file.integer(r, y))) = file.number(r, value);
  }
  return flow;
}

/// The flow reduced to blocks of `factor` × `factor` sites. A block has the mean of its fluid sites, or is a wall if half of it
/// is.
SiteValues shrink(const SiteValues& flow, std::int64_t factor) {
  SiteValues small{(flow.nx + factor - 1) / factor, (flow.ny + factor - 1) / factor, {}, flow.spacing * factor};
  small.value.resize(static_cast<std::size_t>(small.nx * small.ny));
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
      small.at(bx, by) = 2 * fluid > all ? sum / fluid : unknown;
    }
  }
  return small;
}

/// One flow, or several side by side.
struct Panel {
  std::string title;
  SiteValues flow;
};

/// Whether the panels show one value on a common colour scale, or several values on separate scales.
enum class Scales { one, own };

/// The command for colours that cover these values.
std::string color_range(const Range& values) {
  const double first = std::isfinite(values.low) ? values.low : 0;
  const double span = std::max({std::abs(first), std::abs(values.high), 1e-300});
  // gnuplot rejects an empty range.
  const double last = values.high - first > 1e-12 * span ? values.high : first + (first == 0 ? 1 : span);
  return fmt::format("set cbrange [{}:{}]", first, last);
}

/// The smallest of 1, 2, 5, 10, 20, … that divides a side into at most `parts` parts.
std::int64_t tick_step(std::int64_t side, int parts) {
  for (std::int64_t unit = 1;; unit *= 10)
    for (const std::int64_t digit : {1, 2, 5})
      if (digit * unit * parts >= side) return digit * unit;
}

/// Draws the panels in rows of up to four or, for a narrow column, two.
Plot draw_flows(const std::vector<Panel>& panels, Scales scales, const std::string& label, bool is_narrow) {
  const SiteValues& shape = panels.front().flow;
  const int count = static_cast<int>(panels.size());
  const bool is_one = count == 1, own = scales == Scales::own;
  const int columns = std::min(count, !is_narrow ? 4 : own ? 1 : 2);
  const int rows = (count + columns - 1) / columns;
  const double aspect = static_cast<double>(shape.ny) / static_cast<double>(shape.nx);
  const int left = is_narrow ? 52 : 90, right = is_narrow ? 86 : 120, top = 20, bottom = is_narrow ? 56 : 76;
  const int gap = own ? 110 : 16, gap_below = 16;
  const int across = is_narrow ? (380 - left - right - (columns - 1) * gap) / columns : is_one ? 520 : 190;
  const int up = std::clamp(static_cast<int>(across * aspect), is_one ? 120 : 40, 900);
  const int title = is_one ? 0 : 24;
  const int width = left + columns * across + (columns - 1) * gap + right;
  const int height = top + rows * (up + title) + (rows - 1) * gap_below + bottom;
  Plot plot(width, height, is_narrow ? 11 : 13);
  const double half = static_cast<double>(shape.spacing) / 2;
  plot.add("set xrange [{0}:{1}]\nset yrange [{0}:{2}]", -half, static_cast<double>(shape.nx * shape.spacing) - half,
           static_cast<double>(shape.ny * shape.spacing) - half);
  plot.add("set cblabel {}\nset tics out nomirror", plot_string(label));
  if (!is_one) plot.add("set xtics 0,{}", tick_step(shape.nx * shape.spacing, across / 45));
  plot.add(
      "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', "
      "7 '#6ece58', 8 '#b5de2b', 9 '#fde725')");
  plot.add("set format cb '{}'", own ? "%.3g" : "%.2g");
  plot.add("set object 1 rectangle from graph 0,0 to graph 1,1 fc rgb '#9a9a9a' fs solid noborder behind");
  Range all;
  for (const Panel& panel : panels)
    std::ranges::for_each(panel.flow.value, [&](double value) { all.take(value); });
  if (!is_one) plot.add("set multiplot");
  for (int i = 0; i < count; ++i) {
    const int column = i % columns, row = i / columns;
    const int from_left = left + column * (across + gap);
    const int from_top = top + title + row * (up + title + gap_below);
    const SiteValues& flow = panels[static_cast<std::size_t>(i)].flow;
    Range range;
    std::ranges::for_each(flow.value, [&](double value) { range.take(value); });
    plot.add("{}", color_range(own ? range : all));
    plot.margins(from_left, width - from_left - across, from_top, height - from_top - up);
    // The first panel of a row and the last panel of a column have the scales for the whole row and column.
    plot.add("set ylabel '{}'\nset format y '{}'", column == 0 ? "y, sites" : "", column == 0 ? "%h" : "");
    plot.add("set xlabel '{}'\nset format x '{}'", i + columns >= count ? "x, sites" : "", i + columns >= count ? "%h" : "");
    plot.add("{} colorbox", own || i == columns - 1 ? "set" : "unset");
    if (!is_one) plot.add("set title {} offset 0,-0.6", plot_string(panels[static_cast<std::size_t>(i)].title));
    std::vector<std::vector<Datum>> sites;
    for (std::int64_t y = 0; y < flow.ny; ++y)
      for (std::int64_t x = 0; x < flow.nx; ++x)
        sites.push_back({static_cast<double>(x * flow.spacing), static_cast<double>(y * flow.spacing), flow.at(x, y)});
    plot.add("plot {} using 1:2:3 with image notitle", plot.data(sites));
  }
  if (!is_one) plot.add("unset multiplot");
  return plot;
}

/// Readable name of a value.
std::string name_of(const std::string& value) { return value == "speed" ? "velocity magnitude" : words(value); }

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// A figure of `panels`, which were read from `files`; neither may be empty.
Figure draw(std::vector<Panel> panels, const std::vector<ladder::Flow>& files, const Context& context,
            const std::string& case_name, const std::string& id, const std::string& title, Scales scales,
            const std::string& label) {
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string& file = files[std::min(i, files.size() - 1)].file;
    const std::filesystem::path path = context.results.data().folder / file;
    const SiteValues& flow = panels[i].flow;
    if (flow.value.empty()) throw FileError(path, 1, "holds no sites; accepted: one line per site");
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
  Figure figure{
      .id = id,
      .title = fmt::format("{}, {}{}", title, case_name, after),
      .caption = fmt::format("{} × {} sites{}, walls grey{}. {}", nx, ny, spacing > 1 ? fmt::format(", {} apart", spacing) : "",
                             factor > 1 ? fmt::format(", a pixel is the mean of {0} × {0} sites", factor) : "",
                             flows_caption(context, files)),
      .plot = draw_flows(panels, scales, label, false),
      .narrow = draw_flows(panels, scales, label, true)};
  figure.most_width = std::max(figure.plot.width(), 720);  // with less, the narrow picture would be shown
  return figure;
}

/// One value in all pictures of a case, on a common scale.
Figure draw_frames(const std::vector<ladder::Flow>& files, const Context& context, const std::string& case_name,
                   const std::string& value) {
  std::vector<Panel> panels;
  for (const ladder::Flow& file : files)
    panels.push_back({fmt::format("step {}", file.steps), read_flow(context.results.data().folder / file.file, value)});
  const std::string id = "field-" + case_name + (value == "speed" ? "" : "-" + value);
  return draw(std::move(panels), files, context, case_name, id, capital(name_of(value)), Scales::one,
              name_of(value) + ", lattice units");
}

/// Several values in the last picture of a case, on separate scales.
Figure draw_values(const ladder::Flow& file, const Context& context, const std::string& case_name,
                   const std::vector<std::string>& values) {
  std::vector<Panel> panels;
  std::vector<std::string> names;
  for (const std::string& value : values) {
    names.push_back(name_of(value));
    panels.push_back({names.back(), read_flow(context.results.data().folder / file.file, value)});
  }
  return draw(std::move(panels), {file}, context, case_name, "fields-" + case_name, capital(joined(names)), Scales::own, "");
}

}  // namespace

void field(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> values = block.texts("values", {"speed"});
  for (const std::string& case_name : block.texts("cases")) {
    std::vector<ladder::Flow> files;
    for (const auto& [steps, flow] : flows_of(block, context, "field", case_name))
      files.push_back(flow);
    if (files.empty()) {
      section.note(fmt::format("{}: no velocity field is stored.", case_name));
      continue;
    }
    section.parts.emplace_back(values.size() == 1 ? draw_frames(files, context, case_name, values.front())
                                                  : draw_values(files.back(), context, case_name, values));
  }
}

}  // namespace ladder::reports
