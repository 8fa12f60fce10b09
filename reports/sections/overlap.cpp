#include "reports/sections/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// One lattice on a given number of processes. Times are in seconds per step.
struct Run {
  std::int64_t processes = 1;
  double bulk = unknown, borders = unknown, comm = unknown;  ///< one after the other; one process has no `comm`
  const Cell* sequence = nullptr;
  const Cell* overlapped = nullptr;

  [[nodiscard]] double inside() const { return bulk + borders; }
  [[nodiscard]] double outside() const { return comm + borders; }
  [[nodiscard]] double measured() const { return overlapped == nullptr ? unknown : overlapped->microseconds_per_step() / 1e6; }
};

/// One lattice.
struct Lattice {
  std::string case_name;
  double cells = unknown;
  double sites = unknown;      ///< of the line at which it is cut
  int reach = 1;               ///< rows or columns per halo
  std::vector<Run> runs = {};  ///< by number of processes

  [[nodiscard]] const Run* of(std::int64_t processes) const {
    const auto found = std::ranges::find(runs, processes, &Run::processes);
    return found == runs.end() ? nullptr : &*found;
  }
  /// Measured speed-up over one process.
  [[nodiscard]] double speedup(const Run& run) const {
    const Run* one = of(1);
    return one == nullptr ? unknown : one->measured() / run.measured();
  }
};

std::int64_t processes_of(const Row& row) {
  const auto settings = parse_tuning(row.placement);
  const auto found = settings.find("processes");
  return found == settings.end() ? 1 : std::max(1L, std::strtol(found->second.c_str(), nullptr, 10));
}

/// The cell for each number of processes; the fastest if there are several.
std::map<std::int64_t, const Cell*> by_processes(const Context& context, const std::string& rung, const std::string& case_name,
                                                 const std::string& precision) {
  std::map<std::int64_t, const Cell*> found;
  for (const Cell* cell : context.results.all({.rung = rung, .case_name = case_name, .precision = precision})) {
    const Cell*& kept = found[processes_of(*cell->row)];
    if (kept == nullptr || cell->median > kept->median) kept = cell;
  }
  return found;
}

/// A lattice that is cut into strips of rows or of columns.
Lattice lattice_of(const Context& context, const std::string& sequence, const std::string& overlapped,
                   const std::string& case_name, const std::string& precision, bool has_columns) {
  Lattice lattice{.case_name = case_name, .cells = cells_in_case(context, case_name)};
  std::map<std::int64_t, Run> runs;
  for (const auto& [processes, cell] : by_processes(context, sequence, case_name, precision)) {
    Run& run = runs[processes];
    run.sequence = cell;
    for (const auto& [name, seconds] : median_phases(*cell))
      if (name == "bulk")
        run.bulk = seconds;
      else if (name == "borders")
        run.borders = seconds;
      else if (name == "comm" && processes > 1)
        run.comm = seconds;
  }
  for (const auto& [processes, cell] : by_processes(context, overlapped, case_name, precision))
    runs[processes].overlapped = cell;
  for (auto& [processes, run] : runs) {
    const Row& row = *(run.sequence != nullptr ? run.sequence : run.overlapped)->row;
    run.processes = processes;
    lattice.sites = has_columns ? row.ny : row.nx;
    lattice.reach = row.reach;
    lattice.runs.push_back(run);
  }
  // A lattice that was not measured, with a name that ends in `-<X>x<Y>`.
  if (lattice.runs.empty()) {
    const std::string sides = case_name.substr(case_name.rfind(has_columns ? 'x' : '-') + 1);
    lattice.sites = positive(std::strtod(sides.c_str(), nullptr));
  }
  return lattice;
}

OverlapModel fit(const std::vector<Lattice>& lattices) {
  std::vector<std::pair<double, double>> work, edge;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      if (run.inside() > 0) work.emplace_back(lattice.cells / static_cast<double>(run.processes), run.inside());
      if (run.processes > 1 && run.outside() > 0) edge.emplace_back(lattice.sites, run.outside());
    }
  return {fit_line(work), fit_line(edge)};
}

/// Two standard deviations.
double bar(double variance) { return 2 * std::sqrt(variance); }

TableCell estimate_cell(double value, double variance, double scale) {
  const double around = bar(variance) * scale;
  std::string text = significant(value * scale);
  if (!std::isnan(around)) text += " ± " + significant(around, 2);
  return {text, value * scale};
}

Table parameter_table(const OverlapModel& model) {
  using Parameter = std::tuple<std::string, std::string, TableCell, std::string>;
  const Line &work = model.work, &edge = model.edge;
  return tabulate(
      "parameters", "Parameters of the model",
      {{"Parameter", "parameter", nth<0>},
       {"Meaning", "meaning", nth<1>},
       {"Value", "value", nth<2>},
       {"Unit", "unit", nth<3>}},
      std::vector<Parameter>{
          {"α", "work per cell", estimate_cell(work.b, work.variance_b, 1e9), "ns"},
          {"β", "constant work per step", estimate_cell(work.a, work.variance_a, 1e6), "µs"},
          {"γ", "constant cost of exchange and border work", estimate_cell(edge.a, edge.variance_a, 1e6), "µs"},
          {"δ", "exchange and border work per site of the cut", estimate_cell(edge.b, edge.variance_b, 1e9), "ns"}});
}

TableCell millis(double seconds) { return number_cell(1e3 * seconds, 4); }

TableCell difference_cell(double off) {
  if (std::isnan(off)) return "—";
  TableCell cell(fmt::format("{:+.1f} %", 100 * off), off);
  cell.flagged = std::abs(off) > 0.1;
  return cell;
}

Table time_table(const std::vector<Lattice>& lattices, const OverlapModel& model) {
  struct Point {
    const Lattice* lattice;
    const Run* run;
    double processes, predicted;  ///< by the model, in seconds
    TableCell speedup;            ///< by the model

    [[nodiscard]] double difference() const { return predicted / run->measured() - 1; }
    [[nodiscard]] double measured_speedup() const { return lattice->speedup(*run); }
  };
  std::vector<Point> points;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      const auto n = static_cast<double>(run.processes);
      const Estimate expected = model.speedup(lattice.cells, lattice.sites, n);
      points.push_back({&lattice, &run, n, model.seconds(lattice.cells, lattice.sites, n),
                        estimate_cell(expected.value, expected.variance, 1)});
    }
  return tabulate("times", "Parts of a step in sequence, and the whole, ms",
                  {{"Case", "case", &Point::lattice, &Lattice::case_name},
                   {"Processes", "processes", &Point::processes, count_cell},
                   {"Bulk", "bulk_ms", &Point::run, &Run::bulk, millis},
                   {"Borders", "borders_ms", &Point::run, &Run::borders, millis},
                   {"Comm", "comm_ms", &Point::run, &Run::comm, millis},
                   {"T_a", "inside_ms", &Point::run, &Run::inside, millis},
                   {"T_b", "outside_ms", &Point::run, &Run::outside, millis},
                   {"Model", "model_ms", &Point::predicted, millis},
                   {"Step, overlapped", "step_ms", &Point::run, &Run::measured, millis},
                   {"Model over step", "difference", &Point::difference, difference_cell},
                   {"Speed-up", "speedup", &Point::measured_speedup},
                   {"Model's speed-up", "model_speedup", &Point::speedup}},
                  points);
}

/// Describes how well the model fits the measurements, and when communication starts to dominate.
void tell(const std::vector<Lattice>& lattices, const OverlapModel& model, double most, Section& section) {
  double worst = 0;
  std::size_t points = 0;
  std::string where;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      const double off =
          std::abs(model.seconds(lattice.cells, lattice.sites, static_cast<double>(run.processes)) / run.measured() - 1);
      if (std::isnan(off)) continue;
      ++points;
      if (off < worst) continue;
      worst = off;
      where = fmt::format("{} on {} process{}", lattice.case_name, run.processes, run.processes == 1 ? "" : "es");
    }
  if (points > 0)
    section.find(fmt::format("The model is within {:.1f} % of each of {}; it is furthest off for {}.", 100 * worst,
                             counted(points, "measured point"), where));
  for (const Lattice& lattice : lattices) {
    const double edge = model.edge(lattice.sites);
    if (std::isnan(edge) || edge <= model.work.a) continue;
    const double n = model.work.b * lattice.cells / (edge - model.work.a);
    section.say(n > most ? fmt::format("{}: the exchange is hidden on up to {:.0f} processes.", lattice.case_name, most)
                         : fmt::format("{}: from {:.0f} processes on, the exchange takes longer than the work inside; the "
                                       "speed-up is at most {}.",
                                       lattice.case_name, std::max(2.0, std::ceil(n)),
                                       significant(model.inside(lattice.cells, 1) / edge)));
  }
}

/// For each number of processes, the parts of a step that take place one after the other, and the whole step.
std::optional<Figure> time_figure(const Lattice& lattice, const std::string& title) {
  const Look bulk{color::blue, 0}, borders{color::light, 0}, comm{color::deep, 0};
  RowChart chart{.id = "times-" + id_slug(lattice.case_name),
                 .title = title,
                 .x = {"ms per step", Axis::Scale::linear, {0, 0}},
                 .rows = {},
                 .lanes = {{"bulk", bulk, 0},
                           {"borders", borders, 0},
                           {"comm", comm, 1},
                           {"", borders, 1},
                           {"overlapped", {color::blue, 7}, 2}}};
  for (const Run& run : lattice.runs) {
    const auto add = [&](std::size_t lane, const char* what, double from, double to, bool is_end) {
      if (std::isnan(to) || to <= from) return;
      chart.lanes[lane].bars.push_back(
          {.row = chart.rows.size(),
           .value = 1e3 * to,
           .from = 1e3 * from,
           .text = is_end ? rounded(1e3 * to) : "",
           .hover = fmt::format("{}: {} ms of {}", run.processes, significant(1e3 * (to - from)), what)});
    };
    add(0, "bulk", 0, run.bulk, false);
    add(1, "borders", run.bulk, run.inside(), true);
    if (run.processes > 1) {
      add(2, "communication", 0, run.comm, false);
      add(3, "borders", run.comm, run.outside(), true);
    }
    const double whole = 1e3 * run.measured();
    chart.lanes[4].bars.push_back({.row = chart.rows.size(),
                                   .value = whole,
                                   .text = rounded(whole),
                                   .hover = fmt::format("{}: {} ms per step, overlapped", run.processes, significant(whole))});
    chart.rows.push_back(fmt::format("{} process{}", run.processes, run.processes == 1 ? "" : "es"));
  }
  return chart.lanes[0].bars.empty() ? std::nullopt : std::optional(draw(chart));
}

/// Speed-up over one process, or parallel efficiency in percent, as measured points and the model.
SizeChart speedup_chart(const std::vector<Lattice>& lattices, const OverlapModel& model, double most, bool is_efficiency,
                        const std::string& title) {
  SizeChart chart{.id = is_efficiency ? "efficiency" : "speedup",
                  .title = title,
                  .y_label = is_efficiency ? "efficiency, %" : "speed-up over one process",
                  .x_label = "processes (log scale)",
                  .is_logarithmic = !is_efficiency};
  if (is_efficiency) chart.least_top = 100;
  const auto point = [&](const Lattice& lattice, double n, const Estimate& speedup, const char* what) {
    const double scale = is_efficiency ? 100 / n : 1;
    const double value = speedup.value * scale, around = bar(speedup.variance) * scale;
    const std::string text = fmt::format("{}, {}, {:.0f} processes: {}{}", lattice.case_name, what, n, significant(value),
                                         is_efficiency ? " %" : "");
    return SizePoint{fmt::format("{:.0f}", n), n, value, text, {std::max(value - around, value / 1e3), value + around}};
  };
  for (std::size_t i = 0; i < lattices.size(); ++i) {
    const Lattice& lattice = lattices[i];
    SizeLine points{lattice.case_name, false, our_look(i), {}};
    for (const Run& run : lattice.runs)
      points.points.push_back(point(lattice, static_cast<double>(run.processes), {lattice.speedup(run), unknown}, "measured"));
    SizeLine line{lattice.runs.empty() ? lattice.case_name + " (model)" : "", true, {points.look.color, 0}, {}};
    // Strips are at least as thick as a halo.
    for (double n = 1; n <= std::min(most, lattice.cells / lattice.sites / lattice.reach); n *= 2)
      line.points.push_back(point(lattice, n, model.speedup(lattice.cells, lattice.sites, n), "model"));
    chart.lines.push_back(std::move(points));
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

Line fit_line(const std::vector<std::pair<double, double>>& points) {
  if (points.empty()) return {unknown, unknown, unknown, unknown, unknown};
  // Minimizes the sum of ((a + b x) / y - 1)^2, with u = 1 / y and v = x / y.
  double uu = 0, uv = 0, vv = 0, u = 0, v = 0;
  for (const auto& [x, y] : points) {
    uu += 1 / (y * y);
    uv += x / (y * y);
    vv += x * x / (y * y);
    u += 1 / y;
    v += x / y;
  }
  const double determinant = uu * vv - uv * uv;
  const bool is_one_x = std::ranges::all_of(points, [&](const auto& p) { return p.first == points[0].first; });
  Line line{(u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant};
  const bool through_0 = is_one_x || line.a < 0;
  const bool is_flat = !through_0 && line.b < 0;
  if (through_0) line = {0, v / vv};
  if (is_flat) line = {u / uu, 0};
  double squares = 0;
  for (const auto& [x, y] : points)
    squares += (line(x) / y - 1) * (line(x) / y - 1);
  const auto parameters = static_cast<std::ptrdiff_t>(through_0 || is_flat ? 1 : 2);
  const auto free = std::ssize(points) - parameters;
  const double variance = free > 0 ? squares / static_cast<double>(free) : unknown;
  if (through_0)
    line.variance_b = variance / vv;
  else if (is_flat)
    line.variance_a = variance / uu;
  else {
    line.variance_a = variance * vv / determinant;
    line.covariance = -variance * uv / determinant;
    line.variance_b = variance * uu / determinant;
  }
  return line;
}

double OverlapModel::seconds(double cells, double sites, double processes) const {
  return processes == 1 ? inside(cells, 1) : std::max(inside(cells, processes), edge(sites));
}

Estimate OverlapModel::speedup(double cells, double sites, double processes) const {
  const double one = inside(cells, 1), time = seconds(cells, sites, processes), ratio = one / time;
  if (processes == 1) return {1, 0};
  // The derivatives of the ratio with respect to the parameters, times `time`.
  if (time > inside(cells, processes))
    return {ratio, (work.spread(1, cells) + edge.spread(ratio, ratio * sites)) / (time * time)};
  return {ratio, work.spread(1 - ratio, cells - ratio * cells / processes) / (time * time)};
}

void overlap(const Parameters& block, const Context& context, Section& section) {
  const std::string sequence = block.text("sequence"), overlapped = block.text("overlapped");
  const std::vector<std::string> cases = block.texts("cases");
  const std::vector<std::string> predicted = block.texts("predict", {});
  const std::string precision = precision_of(block);
  const double most = block.number("processes", 4096);
  if (!(most >= 1 && most <= 1e6)) block.fail("processes", fmt::format("is {}; accepted: 1 to 1000000", most));

  std::string strips = "rows";
  block.take("strips", strips, {"rows", "columns"});
  const bool has_columns = strips == "columns";

  std::vector<Lattice> lattices;
  std::vector<const Cell*> used;
  for (const std::string& name : cases) {
    lattices.push_back(lattice_of(context, sequence, overlapped, name, precision, has_columns));
    for (const Run& run : lattices.back().runs)
      for (const Cell* cell : {run.sequence, run.overlapped})
        if (cell != nullptr) used.push_back(cell);
  }
  const OverlapModel model = fit(lattices);
  if (std::isnan(model.work.b) || std::isnan(model.edge.b))
    return section.note(fmt::format("{} has no rows with the phases bulk, borders and comm on two processes or more, on {}.",
                                    sequence, joined(cases, cases.size())));
  tell(lattices, model, most, section);
  const std::string caption =
      rows_caption(context, used, fmt::format("kind=sample, rungs {} and {}, precision={}", sequence, overlapped, precision));
  const auto show = [&](auto part, const std::string& more) { section.add(std::move(part), caption + more, rows_of(used)); };
  for (const Lattice& lattice : lattices)
    if (auto figure = time_figure(
            lattice, figure_title(context, "Parts of a step in sequence, and the whole step", {lattice.case_name, precision})))
      show(*std::move(figure), " T_a is bulk and borders, T_b comm and borders, measured in sequence; points are whole steps.");
  for (const std::string& name : predicted) {
    lattices.push_back(lattice_of(context, sequence, overlapped, name, precision, has_columns));
    lattices.back().reach = lattices.front().reach;
  }
  for (const bool is_efficiency : {false, true}) {
    SizeChart chart = speedup_chart(
        lattices, model, most, is_efficiency,
        figure_title(context,
                     is_efficiency ? "Parallel efficiency, measured and predicted" : "Speed-up, measured and predicted",
                     {precision}));
    if (is_drawable(chart)) show(draw_sizes(std::move(chart)), " Dashed: the model, with two standard deviations.");
  }
  std::erase_if(lattices, [](const Lattice& lattice) { return lattice.runs.empty(); });
  show(parameter_table(model), " Least squares of relative differences; ± two standard deviations.");
  show(time_table(lattices, model),
       " Medians. The model is max(T_a, T_b) with fitted T_a and T_b; flagged if it is off by more than 10 %.");
}

}  // namespace ladder::reports
