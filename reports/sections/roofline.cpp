#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// A limit of performance: a slope (bytes per second) or a level (operations per second).
struct Roof {
  std::string name;
  double bandwidth = 0;  ///< GB/s; 0 for a level
  double level = 0;      ///< GFLOP/s; 0 for a slope
  const Cell* cell = nullptr;
  bool of_paper = false;
};

struct Choice {
  std::string precision, backend, compute, paper_roof;
  std::vector<std::string> names, paper;
};

/// The highest ceiling of this name with a working set that fits in `cache` but not in the next smaller level.
std::optional<Ceiling> cache_ceiling(const Context& context, const CeilingQuery& query, const Cell& peer,
                                     const CacheLevel& cache, double level_before) {
  std::optional<Ceiling> best;
  for (const Ceiling& c : context.ceilings.all()) {
    if (c.name != query.name || c.cell->row->precision != query.precision) continue;
    if (!query.backend.empty() && c.backend != query.backend) continue;
    if (!context.results.share_memory(*c.cell->row, *peer.row)) continue;
    if (c.bytes <= level_before || c.bytes > cache.total()) continue;
    if (!best || c.bandwidth() > best->bandwidth()) best = c;
  }
  return best;
}

/// Name of a roof: its ceiling, the memory level of its working set, and its height.
std::string roof_name(const Ceiling& c, const std::string& where) {
  return fmt::format("{}, {}{}{} GB/s", c.name, where, where.empty() ? "" : ", ", significant(c.bandwidth() / 1e9));
}

std::vector<Roof> make_roofs(const Context& context, const Choice& choice, const std::vector<const Cell*>& cells) {
  std::vector<Roof> roofs;
  const Cell* peer = cells.empty() ? nullptr : cells.front();
  std::vector<std::string> names = choice.names;
  if (names.empty()) {
    names = {"triad"};
    if (peer != nullptr) names.push_back(pattern_copy(*peer));
    // A GPU's cache.
    if (peer != nullptr && &context.results.caches(*peer->row) != &context.results.caches())
      names.insert(names.begin(), "l2-copy");
  }
  for (const std::string& name : names) {
    const auto c = context.ceilings.dram({name, choice.precision, choice.backend}, peer);
    if (c && c->bandwidth() > 0) {
      roofs.push_back({roof_name(*c, c->is_on_chip() ? "" : "DRAM"), c->bandwidth() / 1e9, 0, c->cell});
    }
  }
  double level_before = 0;
  for (const CacheLevel& cache : peer == nullptr ? std::vector<CacheLevel>() : context.results.caches(*peer->row)) {
    const auto c = cache_ceiling(context, {names.back(), choice.precision, choice.backend}, *peer, cache, level_before);
    level_before = cache.total();
    if (!c || !(c->bandwidth() > 0)) continue;
    roofs.push_back({roof_name(*c, cache.name()), c->bandwidth() / 1e9, 0, c->cell});
  }
  if (const auto c = context.ceilings.dram({choice.compute, choice.precision, choice.backend}, peer); c && c->flops() > 0) {
    roofs.push_back(
        {fmt::format("{}, {} GFLOP/s", choice.compute, significant(c->flops() / 1e9)), 0, c->flops() / 1e9, c->cell});
  }
  if (const double stream = context.study.paper.value(choice.paper_roof, "", "stream_bandwidth"); stream > 0) {
    roofs.push_back(
        {fmt::format("paper: STREAM, {}, {} GB/s", choice.paper_roof, significant(stream)), stream, 0, nullptr, true});
  }
  return roofs;
}

constexpr double shown_factor = 8;  ///< counters that differ from the model by more are not drawn

/// Counted operations over counted bytes of DRAM traffic; NaN without counters.
double measured_intensity(const Context& context, const Cell& cell) {
  const Profile* profile = context.results.profile(cell);
  return profile == nullptr ? unknown : positive(cell.row->flops_per_update / profile->dram_bytes_per_update());
}

/// Labels the points that matter: the first of a ladder, its fastest, and each that is at least 25 % faster than all before it.
/// The others are small. `names` are the labels.
void label_steps(std::vector<ChartPoint>& points, const std::vector<std::string>& names) {
  double best = 0;
  std::size_t fastest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].y > points[fastest].y) fastest = i;
    points[i].is_minor = points[i].y < 1.25 * best;
    if (points[i].is_minor) continue;
    points[i].label = names[i];
    best = points[i].y;
  }
  if (points.empty()) return;
  points[fastest].label = names[fastest];
  points[fastest].is_minor = false;
}

ChartPoint point_of(const std::string& name, double intensity, double gflops) {
  return {.x = intensity,
          .y = gflops,
          .hover = fmt::format("{}: {} flop/B, {} GFLOP/s", name, significant(intensity), significant(gflops))};
}

/// The rungs of a folder in order, joined by a path, and points of other kinds.
std::vector<Curve> make_ladders(const Context& context, const Choice& choice, const std::vector<const Cell*>& cells,
                                const std::string& case_name) {
  const auto model = [](const Cell* cell) { return cell->row->rung.substr(0, cell->row->rung.find('/')); };
  const auto is_ours = [](const Cell* cell) { return !cell->row->is_foreign(); };
  const auto first = std::ranges::find_if(cells, is_ours);
  const bool is_one_model = std::ranges::all_of(cells, [&](const Cell* c) { return !is_ours(c) || model(c) == model(*first); });
  Curve counted{"by the counters", {color::muted, 6}};
  std::vector<Curve> ladders;
  std::vector<std::vector<std::string>> ideas;  // of each ladder
  std::size_t ours = 0;
  for (const Cell* cell : cells) {
    const std::string& rung = cell->row->rung;
    const bool is_foreign = !is_ours(cell);
    const std::size_t start = is_one_model ? rung.find('/') + 1 : 0;
    const std::string name = is_foreign ? "foreign" : rung.substr(start, rung.rfind('/') - start);
    const std::string idea = idea_name(context, rung) + (cell->row->is_checked() ? "" : " (not checked)");
    const double intensity = cell->intensity(), gflops = cell->median * cell->row->flops_per_update / 1e9;
    // If the lattice fits into a cache, DRAM is not the limit and the point from the counters would be far to the right.
    const double measured = measured_intensity(context, *cell), factor = measured / intensity;
    if (factor < shown_factor && factor > 1 / shown_factor)
      counted.points.push_back(point_of(name + "/" + idea + ", counters", measured, gflops));
    if (std::isnan(positive(intensity))) continue;
    if (ladders.empty() || ladders.back().name != name) {
      ladders.push_back({name, our_look(ours), is_foreign ? 0 : 1, true});
      if (is_foreign)
        ladders.back().look = {color::green, 9};
      else
        ++ours;
      ideas.emplace_back();
    }
    ladders.back().points.push_back(point_of(name + "/" + idea, intensity, gflops));
    if (is_foreign) ladders.back().points.back().label = idea;
    ideas.back().push_back(idea);
  }
  for (std::size_t i = 0; i < ladders.size(); ++i)
    if (ladders[i].dashes > 0) label_steps(ladders[i].points, ideas[i]);
  const Paper& paper = context.study.paper;
  for (std::size_t i = 0; i < choice.paper.size(); ++i) {
    const std::string& label = choice.paper[i];
    const double intensity = paper.value_or_general(label, case_name, "intensity");
    const double bandwidth = paper.value(label, case_name, "bandwidth");
    if (intensity > 0 && bandwidth > 0)
      ladders.push_back(
          {"paper: " + label, paper_look(i), 0, false, {point_of("paper: " + label, intensity, intensity * bandwidth)}});
  }
  if (!counted.points.empty()) ladders.insert(ladders.begin(), std::move(counted));
  return ladders;
}

/// The roofs as lines that end at the highest level, then the ladders.
Figure draw_roofline(const std::vector<Roof>& roofs, const std::vector<Curve>& ladders, const std::string& case_name,
                     const std::string& title) {
  Range x, y;
  for (const Curve& ladder : ladders)
    for (const ChartPoint& p : ladder.points) {
      x.take(p.x);
      y.take(p.y);
    }
  double top = 0;
  for (const Roof& r : roofs)
    top = std::max(top, r.level);
  if (top == 0)
    for (const Roof& r : roofs)
      top = std::max(top, r.bandwidth * x.high * 4);
  for (const Roof& r : roofs)
    if (r.bandwidth > 0 && !r.of_paper) x.take(top / r.bandwidth);
  x = {x.low / 4, x.high * 2};
  y = {y.low / 2, std::max(top, y.high) * 2};
  Chart chart{.id = "roofline-" + case_name,
              .title = title,
              .x = {"operational intensity, flop/B", Axis::Scale::logarithmic, x, true},
              .y = {"performance, GFLOP/s", Axis::Scale::logarithmic, y, true}};
  int dashes = 0;
  for (const Roof& roof : roofs) {
    const bool is_slope = roof.bandwidth > 0;
    const double end = is_slope ? std::min(x.high, top / roof.bandwidth) : x.high;
    const auto height = [&](double at) { return is_slope ? roof.bandwidth * at : roof.level; };
    chart.series.push_back({roof.name,
                            {roof.of_paper ? color::vermilion : color::muted, 0},
                            roof.of_paper ? 3
                            : is_slope    ? 1 + dashes++ % 5
                                          : 1,
                            false,
                            {{x.low, height(x.low)}, {end, height(end)}}});
  }
  std::ranges::copy(ladders, std::back_inserter(chart.series));
  return draw(chart);
}

/// A point with the copies that it is compared with.
struct Point {
  const Cell* cell = nullptr;
  std::optional<Fraction> of_dram, of_size;

  [[nodiscard]] const Row& row() const { return *cell->row; }
};

Table make_table(const Context& context, const std::vector<const Cell*>& cells, const Choice& choice,
                 const std::string& case_name) {
  std::vector<const Cell*> used = cells;
  std::vector<Point> points;
  for (const Cell* cell : cells) {
    const Point& point = points.emplace_back(Point{cell, context.ceilings.of_dram_copy(*cell, choice.backend),
                                                   context.ceilings.of_nearest_copy(*cell, choice.backend)});
    for (const auto& fraction : {point.of_dram, point.of_size})
      if (fraction) used.push_back(fraction->ceiling.cell);
  }
  const auto name = [](const Point& p) { return with_tuning(p.row().rung, p.cell->foreign_note()); };
  const auto counted_rate = [&](const Point& p) {
    const Profile* profile = context.results.profile(*p.cell);
    return profile == nullptr ? unknown : p.cell->median * profile->dram_bytes_per_update() / 1e9;
  };
  Table table = tabulate(
      "roofline-" + case_name, fmt::format("Points under the roofs, {}, {}", case_name, choice.precision),
      {{"Rung", "rung", name},
       {"Tuning", "tuning", &Point::row, &Row::tuning},
       {"flop/B", "flops_per_byte", &Point::cell, &Cell::intensity},
       {"GFLOP/s", "gflops", [](const Point& p) { return p.cell->median * p.row().flops_per_update / 1e9; }},
       {"GB/s, model's traffic", "gbytes_per_s",
        [](const Point& p) { return p.cell->median * p.row().bytes_per_update_model / 1e9; }},
       {"Fits in", "fits_in", &Point::row,
        [&](const Row& r) { return residency(r.footprint_bytes, context.results.caches(r)); }},
       {"Of copy-Q, DRAM", "fraction_of_copy_dram", &Point::of_dram, fraction_cell},
       {"Of copy-Q, that size", "fraction_of_copy_same_size", &Point::of_size, fraction_cell},
       {"flop/B, counters", "flops_per_dram_byte", [&](const Point& p) { return measured_intensity(context, *p.cell); }},
       {"GB/s, counters", "dram_gbytes_per_s", counted_rate}},
      points);
  table.sources = rows_of(used);
  return table;
}

/// Names the fastest rung, and compares it with the copy that has its access pattern; empty if no rung has a point.
std::string fastest_text(const Context& context, const Choice& choice, const std::vector<const Cell*>& cells,
                         const std::string& case_name) {
  // Considers only rungs with a point in the figure.
  const auto rate = [](const Cell* c) {
    return c->row->is_foreign() || std::isnan(positive(c->intensity())) ? 0 : c->median * c->row->flops_per_update;
  };
  const auto fastest = std::ranges::max_element(cells, {}, rate);
  if (fastest == cells.end() || !(rate(*fastest) > 0)) return "";
  const Cell& cell = **fastest;
  std::string text =
      fmt::format("{}: the fastest rung in the figure is {}, with {} GFLOP/s at {} flop/B", case_name, cell.row->rung,
                  significant(cell.median * cell.row->flops_per_update / 1e9), significant(cell.intensity()));
  if (const auto dram = context.ceilings.of_dram_copy(cell, choice.backend))
    text += fmt::format(", {} of {} from DRAM", fraction_cell(*dram).text, dram->ceiling.name);
  return text + ".";
}

}  // namespace

void roofline(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "best");
  const std::vector<std::string> roof = paper_labels(block, context, "paper_roof");
  const Choice choice{.precision = precision,
                      .backend = block.text("ceilings", ""),
                      .compute = block.text("compute", "fma"),
                      .paper_roof = roof.empty() ? "" : roof.front(),
                      .names = block.texts("bandwidths", {}),
                      .paper = paper_labels(block, context)};
  std::vector<const Cell*> shown;
  for (const std::string& case_name : cases) {
    const std::vector<const Cell*> cells = cells_of(context, rungs, case_name, precision, tuning);
    const std::vector<Curve> ladders = make_ladders(context, choice, cells, case_name);
    if (ladders.empty()) {
      section.note(fmt::format("{}: no rows of these rungs with counted operations.", case_name));
      continue;
    }
    std::ranges::copy(cells, std::back_inserter(shown));
    const std::string filter = fmt::format("kind=sample, case={}, precision={}, fastest tuning", case_name, precision);
    const std::vector<Roof> roofs = make_roofs(context, choice, cells);
    Figure figure = draw_roofline(roofs, ladders, case_name, figure_title(context, "Roofline", {case_name, precision}));
    figure.conclusion = fastest_text(context, choice, cells, case_name);
    if (!figure.conclusion.empty()) section.find(figure.conclusion);
    std::vector<const Cell*> rows = cells;
    for (const Roof& r : roofs)
      if (r.cell != nullptr) rows.push_back(r.cell);
    section.add(std::move(figure), rows_caption(context, rows, filter + "; and kind=ceiling"), rows_of(rows));
    Table table = make_table(context, cells, choice, case_name);
    table.caption = rows_caption(context, cells, filter);
    std::vector<const Profile*> profiles;
    for (const Cell* cell : cells)
      if (const Profile* p = context.results.profile(*cell)) profiles.push_back(p);
    if (!profiles.empty()) table.caption += " " + profiles_caption(context, profiles);
    table.profiles = std::move(profiles);
    section.parts.emplace_back(std::move(table));
  }
  say_what_moves_less(shown, section);
  say_foreign(shown, section);
}

}  // namespace ladder::reports
