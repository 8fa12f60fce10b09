#include "reports/sections/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "reports/sections/size_chart.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

/// One rung on one case with one number of workers.
struct Step {
  const Cell* cell = nullptr;
  Ratio speedup;                    ///< over the fewest workers
  double efficiency = 0;            ///< speed-up over the factor of workers
  std::optional<Fraction> of_copy;  /// of copy-Q with the same number of workers
};

/// One rung on one case, by number of workers.
struct Ladder {
  std::string name;
  Look look;
  std::map<double, Step> steps;
  Amdahl law = {};
};

/// Copy-Q with the same number of threads and a working set of the cell's size.
std::optional<Ceiling> copy_beside(const Context& context, const Cell& cell, const std::string& backend) {
  const Row& row = *cell.row;
  const CeilingQuery query{pattern_copy(cell), row.precision, backend, row.workers()};
  if (const auto nearest = context.ceilings.nearest(query, row.footprint_bytes, &cell)) return nearest;
  const auto dram = context.ceilings.dram(query, &cell);
  const auto& caches = context.results.caches(row);
  const bool are_alike = dram && residency(row.footprint_bytes, caches) == residency(dram->bytes, caches);
  return are_alike ? dram : std::nullopt;
}

/// The rungs that match and were measured on the case with two numbers of workers or more.
std::vector<Ladder> ladders_of(const Context& context, const std::vector<std::string>& patterns, const std::string& case_name,
                               const std::string& precision, const std::string& tuning, const std::string& backend) {
  std::vector<Ladder> found;
  const std::vector<std::string> ids = context.results.matching_rungs(patterns);
  const std::vector<std::string> names = short_names(ids);
  const std::vector<Look> rung_looks = looks(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CellQuery query{.rung = ids[i], .case_name = case_name, .precision = precision, .tuning = tuning};
    Ladder ladder{names[i], rung_looks[i], {}};
    std::set<std::int64_t> counts;
    for (const Cell* cell : context.results.all(query))
      counts.insert(cell->row->workers());
    for (const std::int64_t count : counts) {
      query.workers = count;
      if (const Cell* cell = context.results.choose(query)) ladder.steps[static_cast<double>(count)].cell = cell;
    }
    if (ladder.steps.size() < 2) continue;
    const auto& [fewest, first] = *ladder.steps.begin();
    std::vector<std::pair<double, double>> points;
    for (auto& [workers, step] : ladder.steps) {
      step.speedup = paired_ratio(step.cell->updates_per_second, first.cell->updates_per_second);
      step.efficiency = step.speedup.value * fewest / workers;
      if (const auto copy = copy_beside(context, *step.cell, backend))
        step.of_copy = context.ceilings.of_pattern(*step.cell, *copy);
      points.emplace_back(workers, step.cell->mlups());
    }
    ladder.law = fit_amdahl(points);
    found.push_back(std::move(ladder));
  }
  return found;
}

Interval interval_of(const Cell& cell) {
  std::vector<double> mlups;
  for (const Observation& o : cell.updates_per_second)
    mlups.push_back(o.value / 1e6);
  return bootstrap_median(mlups);
}

std::string workers_name(double workers) { return fmt::format("{:.0f}", workers); }

SizePoint point(const std::string& name, double workers, double value, const std::string& unit, const Interval& interval = {}) {
  const std::string text =
      fmt::format("{}, {}: {}{}", name, counted(static_cast<std::size_t>(workers), "thread"), significant(value, 4), unit);
  return {workers_name(workers), workers, value, text, interval};
}

SizeChart speed_chart(const std::string& case_name, const std::vector<Ladder>& ladders) {
  SizeChart chart{.id = "scaling-" + slug(case_name),
                  .title = "Speed by threads, " + case_name,
                  .y_label = "MLUPS",
                  .x_label = "threads (log scale)",
                  .is_logarithmic = true,
                  .lines = {}};
  std::map<std::string, SizeLine> copies;  // by name
  for (const Ladder& ladder : ladders) {
    SizeLine measured{ladder.name, false, ladder.look, {}};
    SizeLine ideal{&ladder == &ladders.front() ? "ideal" : "", true, {color::muted, 0}, {}};
    SizeLine model{"", true, {ladder.look.color, 0}, {}};
    const auto& [fewest, first] = *ladder.steps.begin();
    for (const auto& [workers, step] : ladder.steps) {
      measured.points.push_back(point(ladder.name, workers, step.cell->mlups(), " MLUPS", interval_of(*step.cell)));
      ideal.points.push_back(point(ladder.name + ", ideal", workers, first.cell->mlups() * workers / fewest, " MLUPS"));
      model.points.push_back(point(ladder.name + ", Amdahl's law", workers, ladder.law.speed(workers), " MLUPS"));
      if (!step.of_copy) continue;
      const Ceiling& copy = step.of_copy->ceiling;
      SizeLine& line = copies.try_emplace(copy.name, SizeLine{copy.name, false, {color::ink, 4}, {}}).first->second;
      if (std::ranges::find(line.points, workers, &SizePoint::sites) == line.points.end())
        line.points.push_back(point(describe(copy), workers, copy.cell->mlups(), " M elements/s"));
    }
    for (SizeLine* line : {&measured, &ideal, &model})
      chart.lines.push_back(std::move(*line));
  }
  for (auto& [name, line] : copies) {
    std::ranges::sort(line.points, {}, &SizePoint::sites);
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

SizeChart efficiency_chart(const std::string& case_name, const std::vector<Ladder>& ladders) {
  SizeChart chart{.id = "efficiency-" + slug(case_name),
                  .title = "Parallel efficiency, " + case_name,
                  .y_label = "efficiency, %",
                  .x_label = "threads (log scale)",
                  .least_top = 100,
                  .lines = {},
                  .levels = {{100, "ideal"}}};
  for (const Ladder& ladder : ladders) {
    SizeLine line{ladder.name, false, ladder.look, {}};
    const double fewest = ladder.steps.begin()->first;
    for (const auto& [workers, step] : ladder.steps) {
      const double scale = 100 * fewest / workers;
      const Interval interval{step.speedup.interval.low * scale, step.speedup.interval.high * scale};
      line.points.push_back(point(ladder.name, workers, 100 * step.efficiency, " %", interval));
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

Table make_table(const std::string& case_name, const std::vector<Ladder>& ladders) {
  Table table{"scaling-" + slug(case_name),
              "Speed by threads, " + case_name,
              "",
              {{"Rung", "rung", false},
               {"Threads", "threads"},
               {"Placement", "placement", false},
               {"MLUPS", "mlups"},
               {"Speed-up", "speedup"},
               {"Efficiency", "efficiency"},
               {"Amdahl, MLUPS", "amdahl_mlups"},
               {"Serial share", "serial_share"},
               {"of copy", "copy_fraction"}},
              {}};
  for (const Ladder& ladder : ladders)
    for (const auto& [workers, step] : ladder.steps) {
      const double law = ladder.law.speed(workers);
      table.rows.push_back({step.cell->row->rung, TableCell(workers_name(workers)), step.cell->row->placement,
                            rate_cell(*step.cell, 4), ratio_cell(step.speedup),
                            TableCell(percent(step.efficiency), step.efficiency),
                            std::isnan(law) ? TableCell("—") : number_cell(law, 4),
                            std::isnan(law) ? TableCell("—") : percent_cell(ladder.law.serial_share()),
                            step.of_copy ? fraction_cell(*step.of_copy) : TableCell("—")});
    }
  return table;
}

}  // namespace

Amdahl fit_amdahl(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 3) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  // Minimizes the sum of (speed * (serial + parallel / workers) - 1)^2.
  double ss = 0, sp = 0, pp = 0, s = 0, p = 0;
  for (const auto& [workers, speed] : points) {
    ss += speed * speed;
    sp += speed * speed / workers;
    pp += speed * speed / (workers * workers);
    s += speed;
    p += speed / workers;
  }
  const double determinant = ss * pp - sp * sp;
  const Amdahl law{(s * pp - p * sp) / determinant, (p * ss - s * sp) / determinant};
  if (law.serial < 0) return {0, p / pp};
  if (law.parallel < 0) return {s / ss, 0};
  return law;
}

void scaling(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::vector<std::string> rungs = block.texts("rungs");
  const std::string precision = precision_of(block);
  const std::string tuning = block.text("tuning", "initial");
  const std::string backend = block.text("ceilings", "");
  std::vector<const Cell*> shown;
  for (const std::string& case_name : cases) {
    const std::vector<Ladder> ladders = ladders_of(context, rungs, case_name, precision, tuning, backend);
    if (ladders.empty()) {
      section.note(fmt::format("{}: no rung was measured with two numbers of threads.", case_name));
      continue;
    }
    const auto last = [](const Ladder& ladder) { return ladder.steps.rbegin()->second.cell->median; };
    const Ladder& fastest = *std::ranges::max_element(ladders, {}, last);
    const auto& [most, end] = *fastest.steps.rbegin();
    section.find(fmt::format("{}: the fastest is {} with {} MLUPS on {}, {} over {}.", case_name, fastest.name,
                             significant(end.cell->mlups()), counted(static_cast<std::size_t>(most), "thread"),
                             ratio_cell(end.speedup).text,
                             counted(static_cast<std::size_t>(fastest.steps.begin()->first), "thread")));
    std::vector<const Cell*> used;
    std::vector<const Cell*> limits;
    for (const Ladder& ladder : ladders)
      for (const auto& [workers, step] : ladder.steps) {
        used.push_back(step.cell);
        if (step.of_copy) limits.push_back(step.of_copy->ceiling.cell);
      }
    std::ranges::copy(used, std::back_inserter(shown));
    const std::string caption =
        rows_caption(context, used, fmt::format("kind=sample, case={}, precision={}, tuning {}", case_name, precision, tuning));
    std::vector<const Row*> sources = rows_of(used);
    std::ranges::copy(rows_of(limits), std::back_inserter(sources));
    for (SizeChart& chart : std::vector{speed_chart(case_name, ladders), efficiency_chart(case_name, ladders)}) {
      Figure figure = draw_sizes(std::move(chart));
      figure.caption =
          caption + " Bars are 95 % intervals of the median. Dashed: the ideal, and Amdahl's law in a rung's colour.";
      figure.sources = sources;
      section.parts.emplace_back(std::move(figure));
    }
    Table table = make_table(case_name, ladders);
    table.caption =
        caption +
        " Speed-ups are over the fewest threads. Amdahl's law is fitted to three numbers of threads or more. The copy "
        "has the same number of threads and a working set of the same size.";
    table.sources = std::move(sources);
    section.parts.emplace_back(std::move(table));
  }
  say_what_moves_less(shown, section);
}

}  // namespace ladder::reports
