#include "reports/sections/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// Seconds per step of the fastest sample. A disturbed process delays its neighbours, so medians of few samples include
/// waiting, which is not work and grows with the time of a step rather than the size of its messages.
double fastest_step(const Cell& cell) {
  double most = unknown;
  for (const Observation& sample : cell.updates_per_second)
    most = std::fmax(most, sample.value);
  return static_cast<double>(cell.row->cells) / most;
}

/// The same for each phase.
std::map<std::string, double> fastest_phases(const Cell& cell) {
  std::map<std::string, double> least;
  for (const Row* row : cell.rows)
    for (const PhaseTime& phase : parse_phases(row->phases)) {
      const auto found = least.emplace(phase.name, phase.seconds).first;
      found->second = std::min(found->second, phase.seconds);
    }
  return least;
}

/// One lattice on a given number of processes. Times are in seconds per step, of the fastest samples.
struct Run {
  std::int64_t processes = 1, nodes = 1;
  double bulk = unknown, borders = unknown, comm = unknown;  ///< one after the other; one process has no `comm`
  const Cell* sequence = nullptr;
  const Cell* overlapped = nullptr;

  [[nodiscard]] double inside() const { return bulk + borders; }
  [[nodiscard]] double outside() const { return comm + borders; }
  /// Without any overlap.
  [[nodiscard]] double one_by_one() const { return inside() + (processes > 1 ? comm : 0); }
  /// With perfect overlap.
  [[nodiscard]] double longer_part() const { return processes > 1 ? std::max(inside(), outside()) : inside(); }
  [[nodiscard]] double measured() const { return overlapped == nullptr ? unknown : fastest_step(*overlapped); }
  [[nodiscard]] double median() const { return overlapped == nullptr ? unknown : overlapped->microseconds_per_step() / 1e6; }
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

/// The placement's number of `processes` or `nodes`; 1 if it has none.
std::int64_t number_of(const std::string& what, const Row& row) {
  const auto settings = parse_tuning(row.placement);
  const auto found = settings.find(what);
  return found == settings.end() ? 1 : std::max(1L, std::strtol(found->second.c_str(), nullptr, 10));
}

/// The cell for each number of processes; the fastest if there are several.
std::map<std::int64_t, const Cell*> by_processes(const Context& context, const std::string& rung, const std::string& case_name,
                                                 const std::string& precision) {
  std::map<std::int64_t, const Cell*> found;
  for (const Cell* cell : context.results.all({.rung = rung, .case_name = case_name, .precision = precision})) {
    const Cell*& kept = found[number_of("processes", *cell->row)];
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
    for (const auto& [name, seconds] : fastest_phases(*cell))
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
    run.nodes = number_of("nodes", row);
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

/// The largest difference between measured steps and their expected times.
struct Worst {
  double difference = unknown, mean_square = unknown;
  std::size_t points = 0;
  std::string where = {};
};

/// Compares each measured step with `expected(lattice, run)`.
template <class Expected>
Worst worst_of(const std::vector<Lattice>& lattices, Expected expected) {
  Worst worst{0, 0};
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      const double off = std::abs(expected(lattice, run) / run.measured() - 1);
      if (std::isnan(off)) continue;
      ++worst.points;
      worst.mean_square += off * off;
      if (off < worst.difference) continue;
      worst.difference = off;
      worst.where = fmt::format("{} on {} process{}", lattice.case_name, run.processes, run.processes == 1 ? "" : "es");
    }
  if (worst.points == 0) return {};
  worst.mean_square /= static_cast<double>(worst.points);
  return worst;
}

Worst worst_of(const std::vector<Lattice>& lattices, const OverlapModel& model) {
  return worst_of(lattices, [&](const Lattice& lattice, const Run& run) {
    return model.seconds(lattice.cells, lattice.sites, static_cast<double>(run.processes));
  });
}

/// Sum of the squared relative deviations of the points from the line.
double sum_of_squares(const Line& line, const std::vector<std::pair<double, double>>& points) {
  double sum = 0;
  for (const auto& [x, y] : points)
    sum += (line(x) / y - 1) * (line(x) / y - 1);
  return sum;
}

/// The model as published, and extended by constants and contention.
struct Models {
  OverlapModel published, extended;
};

Models fit(const std::vector<Lattice>& lattices) {
  std::vector<std::pair<double, double>> work, edge;
  std::vector<double> per_host;  // number of processes per host for each point in `edge`
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      const auto n = static_cast<double>(run.processes);
      if (run.inside() > 0) work.emplace_back(lattice.cells / n, run.inside());
      if (run.processes == 1 || !(run.outside() > 0)) continue;
      edge.emplace_back(lattice.sites, run.outside());
      per_host.push_back(n / static_cast<double>(run.nodes));
    }
  Models models{{fit_line(work, false), fit_line(edge, false)}, {fit_line(work), fit_line(edge)}};
  OverlapModel& extended = models.extended;
  if (!per_host.empty() && std::ranges::min(per_host) < std::ranges::max(per_host)) {
    extended.per_host = std::ranges::max(per_host);
    double least = unknown;
    for (int percent = 0; percent <= 100; ++percent) {
      OverlapModel candidate = extended;
      candidate.contention = percent / 100.;
      std::vector<std::pair<double, double>> points = edge;
      for (std::size_t k = 0; k < points.size(); ++k)
        points[k].second /= candidate.crowding(per_host[k]);
      candidate.edge = fit_line(points, true, 1);
      const double squares = sum_of_squares(candidate.edge, points);
      if (squares >= least) continue;
      least = squares;
      extended = candidate;
    }
  }
  for (OverlapModel* model : {&models.published, &models.extended})
    if (const Worst worst = worst_of(lattices, *model); worst.points > 0) model->misfit = worst.mean_square;
  return models;
}

/// Relative difference up to which the model counts as accurate.
constexpr double tolerance = 0.1;

/// Why the model must not be extrapolated beyond the measured process counts; empty if it may be.
std::string why_no_prediction(const std::vector<Lattice>& lattices, const OverlapModel& model) {
  std::set<std::int64_t> counts;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs)
      if (!std::isnan(run.measured())) counts.insert(run.processes);
  const Worst worst = worst_of(lattices, model);
  if (counts.size() < 3)
    return fmt::format("{} {} too few to show that the exchange takes the same time on more processes",
                       counted(counts.size(), "process count"), counts.size() == 1 ? "is" : "are");
  if (worst.difference > tolerance) return fmt::format("it is off by {:.1f} % for {}", 100 * worst.difference, worst.where);
  if (std::isnan(model.work.variance_b) || std::isnan(model.edge.variance_a + model.edge.variance_b))
    return "the errors of its parameters are unknown";
  return "";
}

/// Two standard deviations.
double bar(double variance) { return 2 * std::sqrt(variance); }

TableCell estimate_cell(double value, double variance, double scale) {
  const double around = bar(variance) * scale;
  std::string text = significant(value * scale);
  if (!std::isnan(around)) text += " ± " + significant(around, 2);
  return {text, value * scale};
}

Table parameter_table(const Models& models) {
  using Parameter = std::tuple<std::string, std::string, TableCell, TableCell, std::string>;
  const auto row = [&](const char* name, const char* meaning, Line OverlapModel::*line, double Line::*value,
                       double Line::*variance, double scale, const char* unit) {
    const auto cell = [&](const OverlapModel& model) {
      return estimate_cell(model.*line.*value, model.*line.*variance, scale);
    };
    // Without a constant in its line, the published model has neither beta nor gamma.
    return Parameter{name, meaning, value == &Line::a ? TableCell("—") : cell(models.published), cell(models.extended), unit};
  };
  return tabulate(
      "parameters", "Parameters of the model",
      {{"Parameter", "parameter", nth<0>},
       {"Meaning", "meaning", nth<1>},
       {"As published", "published", nth<2>},
       {"Extended", "value", nth<3>},
       {"Unit", "unit", nth<4>}},
      std::vector<Parameter>{
          row("α", "work per cell", &OverlapModel::work, &Line::b, &Line::variance_b, 1e9, "ns"),
          row("β", "constant work per step", &OverlapModel::work, &Line::a, &Line::variance_a, 1e6, "µs"),
          row("γ", "constant cost of exchange and border work", &OverlapModel::edge, &Line::a, &Line::variance_a, 1e6, "µs"),
          row("δ", "exchange and border work per site of the cut", &OverlapModel::edge, &Line::b, &Line::variance_b, 1e9, "ns"),
          Parameter{"ε", "increase in T_b per process beyond the second on a host", "—",
                    models.extended.per_host > 2 ? number_cell(100 * models.extended.contention, 3) : "—", "%"}});
}

TableCell millis(double seconds) { return number_cell(1e3 * seconds, 4); }

TableCell difference_cell(double off) {
  if (std::isnan(off)) return "—";
  TableCell cell(fmt::format("{:+.1f} %", 100 * off), off);
  cell.flagged = std::abs(off) > tolerance;
  return cell;
}

Table time_table(const std::vector<Lattice>& lattices, const Models& models) {
  struct Point {
    const Lattice* lattice;
    const Run* run;
    double processes, published, extended;  ///< times by the two models, in seconds
    TableCell speedup;                      ///< by the extended model

    [[nodiscard]] double published_difference() const { return published / run->measured() - 1; }
    [[nodiscard]] double difference() const { return extended / run->measured() - 1; }
    [[nodiscard]] double one_by_one_difference() const { return run->one_by_one() / run->measured() - 1; }
    [[nodiscard]] double measured_speedup() const { return lattice->speedup(*run); }
  };
  std::vector<Point> points;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs) {
      const auto n = static_cast<double>(run.processes);
      const Estimate expected = models.extended.speedup(lattice.cells, lattice.sites, n);
      points.push_back({&lattice, &run, n, models.published.seconds(lattice.cells, lattice.sites, n),
                        models.extended.seconds(lattice.cells, lattice.sites, n),
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
                   {"Step, overlapped", "step_ms", &Point::run, &Run::measured, millis},
                   {"Its median", "median_step_ms", &Point::run, &Run::median, millis},
                   {"Model as published", "published_ms", &Point::published, millis},
                   {"Over step", "published_difference", &Point::published_difference, difference_cell},
                   {"Extended model", "model_ms", &Point::extended, millis},
                   {"Over step", "difference", &Point::difference, difference_cell},
                   {"T_a + comm over step", "one_by_one_difference", &Point::one_by_one_difference, difference_cell},
                   {"Speed-up", "speedup", &Point::measured_speedup},
                   {"Model's speed-up", "model_speedup", &Point::speedup}},
                  points);
}

/// How well both models fit the measurements; empty without any.
std::string fit_text(const std::vector<Lattice>& lattices, const Models& models) {
  const Worst extended = worst_of(lattices, models.extended), published = worst_of(lattices, models.published);
  if (extended.points == 0) return "";
  return fmt::format(
      "The extended model is within {:.1f} % of each of {}; it is furthest off for {}. As published, without "
      "constants, it is within {:.1f} %.",
      100 * extended.difference, counted(extended.points, "measured point"), extended.where, 100 * published.difference);
}

/// Says whether the exchange is hidden at all.
void tell_whether_hidden(const std::vector<Lattice>& lattices, Section& section) {
  const Worst hidden = worst_of(lattices, [](const Lattice&, const Run& run) { return run.longer_part(); });
  const Worst one_by_one = worst_of(lattices, [](const Lattice&, const Run& run) { return run.one_by_one(); });
  if (hidden.points == 0) return;
  section.say(
      fmt::format("Without a fit, the longer of the measured T_a and T_b is within {:.1f} % of each step, and the parts in "
                  "sequence, T_a + comm, within {:.1f} %{}.",
                  100 * hidden.difference, 100 * one_by_one.difference,
                  one_by_one.difference < hidden.difference ? ": the exchange is not hidden" : ""));
}

/// When communication starts to dominate; empty if it is unknown.
std::string exchange_text(const Lattice& lattice, const OverlapModel& model, double most) {
  if (std::isnan(model.outside(lattice.sites, 2))) return "";
  double n = 2;
  while (n <= most && model.outside(lattice.sites, n) <= model.inside(lattice.cells, n))
    ++n;
  if (n > most) return fmt::format("{}: the exchange is hidden on up to {:.0f} processes.", lattice.case_name, most);
  return fmt::format(
      "{}: from {:.0f} processes on, the exchange takes longer than the work inside; the speed-up is at most {}.",
      lattice.case_name, n, significant(model.inside(lattice.cells, 1) / model.outside(lattice.sites, n)));
}

/// The efficiency of the lattices that were measured on the most processes.
std::string efficiency_text(const std::vector<Lattice>& lattices) {
  std::int64_t most = 1;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs)
      most = std::max<std::int64_t>(most, run.processes);
  std::vector<std::pair<double, std::string>> found;
  for (const Lattice& lattice : lattices)
    for (const Run& run : lattice.runs)
      if (const double share = lattice.speedup(run) / static_cast<double>(most); run.processes == most && share > 0)
        found.emplace_back(share, lattice.case_name);
  if (found.empty() || most == 1) return "";
  return fmt::format("The efficiency on {} processes is {}.", most, range_text(found, percent));
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

Line fit_line(const std::vector<std::pair<double, double>>& points, bool has_constant, int other_parameters) {
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
  const bool through_0 = !has_constant || is_one_x || line.a < 0;
  const bool is_flat = !through_0 && line.b < 0;
  if (through_0) line = {0, v / vv};
  if (is_flat) line = {u / uu, 0};
  const double squares = sum_of_squares(line, points);
  const auto parameters = static_cast<std::ptrdiff_t>(through_0 || is_flat ? 1 : 2);
  const auto free = std::ssize(points) - parameters - other_parameters;
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
  return processes == 1 ? inside(cells, 1) : std::max(inside(cells, processes), outside(sites, processes));
}

Estimate OverlapModel::speedup(double cells, double sites, double processes) const {
  const double one = inside(cells, 1), time = seconds(cells, sites, processes), ratio = one / time;
  if (processes == 1) return {1, 0};
  // The derivatives of the ratio with respect to the parameters, times `time`.
  const double spread =
      time > inside(cells, processes)
          ? work.spread(1, cells) + edge.spread(ratio * crowding(processes), ratio * crowding(processes) * sites)
          : work.spread(1 - ratio, cells - ratio * cells / processes);
  return {ratio, spread / (time * time) + misfit * ratio * ratio};
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
  const Models models = fit(lattices);
  const OverlapModel& model = models.extended;
  if (std::isnan(model.work.b) || std::isnan(model.edge.b))
    return section.note(fmt::format("{} has no rows with the phases bulk, borders and comm on two processes or more, on {}.",
                                    sequence, joined(cases, cases.size())));
  const std::string fits = fit_text(lattices, models);
  if (!fits.empty()) section.find(fits);
  tell_whether_hidden(lattices, section);
  const std::string why_not = why_no_prediction(lattices, model);
  double shown = most;
  if (!why_not.empty()) {
    shown = 1;
    for (const Lattice& lattice : lattices)
      for (const Run& run : lattice.runs)
        shown = std::max(shown, static_cast<double>(run.processes));
    section.say(fmt::format("The model is not extrapolated beyond {:.0f} processes: {}.", shown, why_not));
  }
  const std::string caption =
      rows_caption(context, used, fmt::format("kind=sample, rungs {} and {}, precision={}", sequence, overlapped, precision));
  const auto show = [&](auto part, const std::string& more) { section.add(std::move(part), caption + more, rows_of(used)); };
  for (const Lattice& lattice : lattices) {
    const std::string exchange = why_not.empty() ? exchange_text(lattice, model, most) : "";
    if (!exchange.empty()) section.say(exchange);
    auto figure = time_figure(
        lattice, figure_title(context, "Parts of a step in sequence, and the whole step", {lattice.case_name, precision}));
    if (!figure) continue;
    figure->conclusion = exchange;
    show(*std::move(figure),
         " Fastest samples. T_a is bulk and borders, T_b comm and borders, measured in sequence; points are whole steps.");
  }
  for (const std::string& name : predicted) {
    if (!why_not.empty()) break;
    lattices.push_back(lattice_of(context, sequence, overlapped, name, precision, has_columns));
    lattices.back().reach = lattices.front().reach;
  }
  for (const bool is_efficiency : {false, true}) {
    SizeChart chart = speedup_chart(
        lattices, model, shown, is_efficiency,
        figure_title(context,
                     is_efficiency ? "Parallel efficiency, measured and predicted" : "Speed-up, measured and predicted",
                     {precision}));
    chart.conclusion = is_efficiency ? efficiency_text(lattices) : fits;
    if (is_drawable(chart))
      show(draw_sizes(std::move(chart)),
           " Fastest samples. Dashed: the extended model, with two standard deviations of its parameters and its misfit.");
  }
  std::erase_if(lattices, [](const Lattice& lattice) { return lattice.runs.empty(); });
  show(parameter_table(models), " Least squares of relative differences; ± two standard deviations.");
  show(time_table(lattices, models),
       fmt::format(" Fastest samples, because others include waiting for a disturbed neighbour. The models are max(T_a, T_b) "
                   "with fitted T_a and T_b; flagged if off by more than {:.0f} %.",
                   100 * tolerance));
}

}  // namespace ladder::reports
