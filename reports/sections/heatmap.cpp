#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// One shape and its time.
struct Shape {
  int x = 0;
  int y = 0;
  const Cell* cell = nullptr;

  [[nodiscard]] double microseconds() const { return cell->microseconds_per_step(); }
  [[nodiscard]] std::size_t rounds() const { return cell->updates_per_second.size(); }
};

/// The integer value of a tunable; none if the tuning does not set it.
std::optional<int> tunable(const std::string& tuning, const std::string& name) {
  const auto values = parse_tuning(tuning);
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  int value = 0;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

/// The fastest cell of each shape.
std::vector<Shape> shapes_of(const std::vector<const Cell*>& cells, const std::string& x, const std::string& y) {
  std::map<std::pair<int, int>, const Cell*> fastest;
  for (const Cell* cell : cells) {
    const auto at_x = tunable(cell->row->tuning, x);
    const auto at_y = tunable(cell->row->tuning, y);
    if (!at_x || !at_y) continue;
    const Cell*& best = fastest[{*at_x, *at_y}];
    if (best == nullptr || cell->median > best->median) best = cell;
  }
  std::vector<Shape> shapes;
  for (const auto& [key, cell] : fastest)
    shapes.push_back({key.first, key.second, cell});
  return shapes;
}

/// The fastest shape and those within the noise floor of it; only the fastest if no floor is known.
std::vector<Shape> fastest_of(const std::vector<Shape>& shapes, const Results& results) {
  const Shape& fastest = *std::ranges::min_element(shapes, {}, &Shape::microseconds);
  std::vector<Shape> found{fastest};
  for (const Shape& s : shapes) {
    if (s.cell == fastest.cell) continue;
    const double lead = paired_ratio(fastest.cell->updates_per_second, s.cell->updates_per_second).value;
    if (lead <= 1 + results.noise_floor(*fastest.cell, *s.cell)) found.push_back(s);
  }
  return found;
}

/// A sentence that there are too few rounds for a verdict; empty if there are enough.
std::string rounds_text(const std::vector<Shape>& shapes) {
  const std::size_t fewest = std::ranges::min(shapes, {}, &Shape::rounds).rounds();
  const std::size_t most = std::ranges::max(shapes, {}, &Shape::rounds).rounds();
  if (fewest >= verdict_rounds) return "";
  return fmt::format(" {} per shape: too few to decide between shapes of similar speed.",
                     fewest == most ? counted(most, "round") : fmt::format("{} to {} rounds", fewest, most));
}

/// Ascending values with their positions on an axis.
class Places {
 public:
  void take(int value) { values_.insert(value); }
  [[nodiscard]] double at(int value) const { return static_cast<double>(std::distance(values_.begin(), values_.find(value))); }
  [[nodiscard]] bool has(int value) const { return values_.contains(value); }
  [[nodiscard]] int size() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] std::string ticks(const char* axis) const {
    std::vector<std::pair<double, std::string>> labels;
    for (const int v : values_)
      labels.emplace_back(at(v), std::to_string(v));
    return fmt::format("set {}tics {} scale 0", axis, tick_list(labels));
  }

 private:
  std::set<int> values_;
};

std::vector<Datum> box(double x, double y, double half) { return {x, y, x - half, x + half, y - half, y + half}; }

/// The outline of a box, drawn as a line. The empty row at its end separates it from the next one.
std::vector<std::vector<Datum>> outline(double x, double y, double half) {
  return {{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}, {x - half, y - half}, {}};
}

struct Axes {
  std::string x, y;  ///< names of the tunables
};

/// The figure at two widths: the time of each shape as a coloured box.
Figure draw_map(const std::vector<Shape>& shapes, const std::vector<Shape>& outlined, const Axes& names,
                std::pair<int, int> paper_best, const std::string& id, const std::string& title) {
  Places x, y;
  for (const Shape& s : shapes) {
    x.take(s.x);
    y.take(s.y);
  }
  const auto [fastest, slowest] = std::ranges::minmax_element(shapes, {}, &Shape::microseconds);
  const double low = fastest->microseconds();
  const double high = std::max(slowest->microseconds(), low * 1.01);
  std::vector<std::vector<Datum>> boxes, on_bright, on_dark, hovers, outlines;
  for (const Shape& s : shapes) {
    const double us = s.microseconds();
    boxes.push_back(box(x.at(s.x), y.at(s.y), 0.46));
    boxes.back().emplace_back(us);
    // At this point of the palette, black and white text have equal contrast, 4.5.
    const bool is_bright = std::log(us / low) < 0.565 * std::log(high / low);
    (is_bright ? on_bright : on_dark).push_back({x.at(s.x), y.at(s.y), rounded(us)});
    hovers.push_back({x.at(s.x), y.at(s.y),
                      Hover{fmt::format("{}={}, {}={}: {} µs per step, {} of the fastest", names.x, s.x, names.y, s.y,
                                        significant(us, 4), times(us / low))}});
  }
  for (const Shape& s : outlined)
    std::ranges::copy(outline(x.at(s.x), y.at(s.y), 0.46), std::back_inserter(outlines));

  const auto draw_at = [&](int width, int font) {
    Plot plot(width, 110 + std::min(44, width / 11) * std::max(y.size(), 3), font);
    plot.margins(50, 16, 44, 48);
    plot.add("set xrange [-0.6:{}]\nset yrange [-0.6:{}]\n{}\n{}", x.size() - 0.4, y.size() - 0.4, x.ticks("x"), y.ticks("y"));
    plot.text(8, plot.height() - 32, names.y, "left", color::ink, font);
    plot.text((width + 34) / 2., 12, names.x + "; colour and number: µs per step", "center", color::ink, font);
    plot.add("set palette defined (0 '#fde725', 1 '#7ad151', 2 '#22a884', 3 '#2a788e', 4 '#414487', 5 '#440154')");
    plot.add("set logscale cb\nset cbrange [{}:{}]\nunset colorbox", low, high);
    plot.add("set key at screen 0.99, screen {} right top horizontal noautotitle", 1 - 4.0 / plot.height());
    plot.draw("{} using 1:2:3:4:5:6:7 with boxxyerror fc palette fs solid noborder", plot.data(boxes));
    for (const auto& [rows, text_color] : {std::pair{on_bright, "#010101"}, std::pair{on_dark, "#fffffe"}})
      if (!rows.empty())
        plot.draw("{} using 1:2:3 with labels font ',{}' tc rgb '{}' notitle", plot.data(rows), font - 1, text_color);
    if (x.has(paper_best.first) && y.has(paper_best.second))
      plot.draw("{} using 1:2 with lines lw 2.5 dt 2 lc rgb '{}' title 'best in the paper'",
                plot.data(outline(x.at(paper_best.first), y.at(paper_best.second), 0.5)), color::vermilion);
    plot.draw("{} using 1:2 with lines lw 3 lc rgb '{}' title 'fastest here'", plot.data(outlines), color::blue);
    plot.draw("{} using 1:2:3 with labels hypertext point pt 5 ps 4 lc rgb '#fe000000' notitle", plot.data(hovers));
    return plot;
  };
  return {.id = id, .title = title, .caption = "", .plot = draw_at(1080, 13), .narrow = draw_at(380, 11)};
}

/// Names the fastest shape, its gain over the rung's default shape and over the slowest, and the shapes that are equally fast.
std::string finding(const std::vector<Shape>& shapes, const std::vector<Shape>& outlined, const Context& context,
                    const Axes& names) {
  const auto [fastest, slowest] = std::ranges::minmax_element(shapes, {}, &Shape::microseconds);
  std::string text = fmt::format("the fastest of {} is {} × {} with {} µs per step", counted(shapes.size(), "shape"),
                                 fastest->x, fastest->y, significant(fastest->microseconds()));
  const Cell* own = with_own_tuning(context, *fastest->cell);
  if (own == fastest->cell)
    text += ", the rung's own";
  else if (own != nullptr)
    text += fmt::format(", {} over the rung's own, {} × {}",
                        ratio_cell(paired_ratio(fastest->cell->updates_per_second, own->updates_per_second)).text,
                        tunable(own->row->tuning, names.x).value_or(0), tunable(own->row->tuning, names.y).value_or(0));
  text += fmt::format("; the slowest, {} × {}, takes {} times as long", slowest->x, slowest->y,
                      significant(slowest->microseconds() / fastest->microseconds()));
  if (outlined.size() > 1)
    text += fmt::format("; {} as fast within the noise",
                        counted(outlined.size() - 1, "other") + (outlined.size() == 2 ? " is" : " are"));
  return text + ".";
}

Table make_table(std::vector<Shape> shapes, const Axes& names, const std::string& case_name) {
  std::ranges::sort(shapes, {}, &Shape::microseconds);
  const Series& fastest = shapes.front().cell->updates_per_second;
  Table table = tabulate("heatmap-" + case_name, fmt::format("Shapes from fast to slow, {}", case_name),
                         {{names.x, id_slug(names.x), &Shape::x},
                          {names.y, id_slug(names.y), &Shape::y},
                          {"µs per step", "us_per_step", &Shape::cell, time_cell},
                          {"MLUPS", "mlups", &Shape::cell, rate_cell},
                          {"Of the fastest", "time_over_fastest",
                           [&](const Shape& s) { return ratio_cell(paired_ratio(fastest, s.cell->updates_per_second)); }},
                          {"Samples", "samples", &Shape::rounds}},
                         shapes);
  table.is_folded = true;
  return table;
}

}  // namespace

void heatmap(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::string rung = block.text("rung");
  const std::string precision = precision_of(block);
  const Axes names{block.text("x", "wx"), block.text("y", "wy")};
  const std::vector<std::string> paper = paper_labels(block, context);
  for (const std::string& case_name : cases) {
    const std::vector<Shape> shapes = shapes_of(
        context.results.all({.rung = rung, .case_name = case_name, .precision = precision, .tuning = ""}), names.x, names.y);
    if (shapes.empty()) {
      section.note(fmt::format("{}: no rows of {} with both {} and {}.", case_name, rung, names.x, names.y));
      continue;
    }
    std::pair<int, int> paper_best{0, 0};
    if (!paper.empty()) {
      const auto best = [&](const std::string& name) {
        const double value = context.study.paper.value_or_general(paper.front(), case_name, "best_" + name);
        return value > 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
      };
      paper_best = {best(names.x), best(names.y)};
    }
    std::vector<const Cell*> cells;
    for (const Shape& s : shapes)
      cells.push_back(s.cell);
    const std::string caption =
        rows_caption(context, cells, fmt::format("kind=sample, rung={}, case={}, precision={}", rung, case_name, precision)) +
        rounds_text(shapes);
    const std::vector<Shape> outlined = fastest_of(shapes, context.results);
    const std::string fastest =
        shapes.size() > 1 ? case_name + ": " + finding(shapes, outlined, context, names) : std::string();
    if (!fastest.empty()) section.find(fastest);
    std::string reading = " Bright shapes are fast; blank shapes are invalid or did not run.";
    if (outlined.size() > 1)
      reading += fmt::format(
          " Compared round by round, the {} outlined shapes do not differ from the fastest by more than the noise floor.",
          outlined.size());
    Figure figure =
        draw_map(shapes, outlined, names, paper_best, "heatmap-" + case_name,
                 figure_title(context, fmt::format("Time per step of each {} × {}", names.x, names.y), {case_name, precision}));
    figure.conclusion = fastest;
    section.add(std::move(figure), caption + reading, rows_of(cells));
    section.add(make_table(shapes, names, case_name), caption, rows_of(cells));
  }
}

}  // namespace ladder::reports
