#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// A code whose portability is computed: one rung, or the fastest of several.
struct Application {
  std::string label, rung, tuning;
};

/// A machine, or one device of a machine.
struct Platform {
  std::string label, machine, device;
  const Context* context = nullptr;  ///< null if the machine has no results
};

/// An application on a platform.
struct Outcome {
  const Cell* cell = nullptr;
  std::string why;                       ///< why there is no cell
  std::optional<Fraction> of_copy = {};  ///< of the platform's own copy-Q
  double of_best = unknown;              ///< of the fastest application there
  bool is_unknown = false;               ///< no application was measured there

  /// The ratio of of_copy; NaN if it is unknown.
  [[nodiscard]] double share_of_copy() const { return of_copy ? of_copy->ratio.value : unknown; }
};

std::vector<Application> read_applications(const Parameters& block) {
  std::vector<Application> applications;
  const std::string tuning = block.text("tuning", "best");
  for (const Parameters& row : block.tables("applications")) {
    applications.push_back({row.text("label"), row.text("rung"), row.text("tuning", tuning)});
    row.finish();
  }
  return applications;
}

std::vector<Platform> read_platforms(const Parameters& block, const std::vector<Context>& machines) {
  std::vector<Platform> platforms;
  for (const Parameters& row : block.tables("platforms")) {
    Platform platform{row.text("label"), row.text("machine"), row.text("device", "*")};
    row.finish();
    for (const Context& context : machines)
      if (context.results.data().label() == platform.machine) platform.context = &context;
    platforms.push_back(std::move(platform));
  }
  return platforms;
}

Outcome outcome_of(const Application& application, const Platform& platform, const std::string& case_name,
                   const std::string& precision) {
  if (platform.context == nullptr) return {.why = "no results"};
  const Context& context = *platform.context;
  Outcome outcome;
  for (const Cell* cell : cells_of(context, {application.rung}, case_name, precision, application.tuning)) {
    if (!matches(platform.device, cell->row->device)) continue;
    if (outcome.cell == nullptr || cell->median > outcome.cell->median) outcome.cell = cell;
  }
  if (outcome.cell == nullptr)
    outcome.why = why_missing(context, {.rung = application.rung, .case_name = case_name, .precision = precision});
  else
    outcome.of_copy = context.ceilings.of_dram_copy(*outcome.cell, "");
  return outcome;
}

/// Outcomes of all applications on all platforms, [application][platform].
std::vector<std::vector<Outcome>> outcomes_of(const std::vector<Application>& applications,
                                              const std::vector<Platform>& platforms, const std::string& case_name,
                                              const std::string& precision) {
  std::vector<std::vector<Outcome>> outcomes;
  std::vector<double> best(platforms.size(), 0);
  for (const Application& application : applications) {
    auto& row = outcomes.emplace_back();
    for (std::size_t p = 0; p < platforms.size(); ++p) {
      const Outcome& outcome = row.emplace_back(outcome_of(application, platforms[p], case_name, precision));
      if (outcome.cell != nullptr) best[p] = std::max(best[p], outcome.cell->median);
    }
  }
  for (auto& row : outcomes) {
    for (std::size_t p = 0; p < platforms.size(); ++p) {
      if (row[p].cell != nullptr) row[p].of_best = row[p].cell->median / best[p];
      row[p].is_unknown = best[p] == 0;
    }
  }
  return outcomes;
}

/// The portability metric of Pennycook, Sewall and Lee ("Implications of a metric for performance portability", Future
/// Generation Computer Systems 92, 2019): the harmonic mean of the efficiencies on all platforms, or 0 if any of them is 0.
double portability_metric(const std::vector<double>& efficiencies) {
  double sum = 0;
  for (const double e : efficiencies)
    sum += 1 / e;  // infinite for 0, so that the mean is 0; NaN if unknown
  return static_cast<double>(efficiencies.size()) / sum;
}

/// "97.6 % [88.1, 104]", without the interval if there is none.
TableCell copy_cell(const Fraction& of_copy) {
  TableCell cell = fraction_cell(of_copy);
  cell.text += percent_interval(of_copy.ratio.interval);
  return cell;
}

double efficiency(const Outcome& outcome) {
  return outcome.cell != nullptr ? outcome.share_of_copy() : outcome.is_unknown ? unknown : 0;
}

Table make_table(const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                 const std::vector<std::vector<Outcome>>& outcomes, const std::string& case_name) {
  const auto of = [&](const Application& a) -> const std::vector<Outcome>& {
    return outcomes[static_cast<std::size_t>(&a - applications.data())];
  };
  std::vector<Column<Application>> columns = {{"Code", "code", &Application::label}};
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    const auto add = [&, p](const std::string& title, const std::string& name, auto... path) {
      columns.emplace_back(
          title, id_slug(platforms[p].label) + name, [of, p](const Application& a) { return &of(a)[p]; }, path...);
    };
    add(platforms[p].label, "_rung", [](const Outcome& o) {
      return o.cell == nullptr ? o.why : with_tuning(last_part(o.cell->row->rung), o.cell->row->tuning);
    });
    add("µs per step", "_us_per_step", &Outcome::cell, time_cell);
    add("of copy", "_copy_fraction", &Outcome::of_copy, copy_cell);
    add("of the best", "_best_fraction", &Outcome::of_best, share_cell);
  }
  const auto mean = [&](auto fraction) {
    return [&, fraction](const Application& a) {
      std::vector<double> all;
      std::ranges::transform(of(a), std::back_inserter(all), fraction);
      return portability_metric(all);
    };
  };
  const auto of_copy = mean(efficiency);
  const auto most = mean([](const Outcome& o) { return o.of_copy ? o.of_copy->most : 1; });
  columns.emplace_back("portability, of copy", "portability_copy",
                       [&](const Application& a) { return percent_cell(of_copy(a), most(a)); });
  columns.emplace_back("of the best", "portability_best", mean([](const Outcome& o) {
                         return o.is_unknown ? unknown : o.cell == nullptr ? 0 : o.of_best;
                       }),
                       share_cell);
  return tabulate("portability-" + case_name, fmt::format("Performance portability, {}", case_name), columns, applications);
}

/// One row per platform, with a line for each application that runs there.
struct Bars {
  std::string id, title, label, unit;
  bool is_logarithmic = false;
  double (*value)(const Outcome&);
};

Figure make_figure(const Bars& bars, const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                   const std::vector<std::vector<Outcome>>& outcomes) {
  RowChart chart{.id = bars.id,
                 .title = bars.title,
                 .x = {bars.label, bars.is_logarithmic ? Axis::Scale::logarithmic : Axis::Scale::linear},
                 .rows = {},
                 .lanes = {}};
  if (!bars.is_logarithmic) chart.x.shown = {0, 100};
  for (const Platform& p : platforms)
    chart.rows.push_back(p.label);
  for (std::size_t a = 0; a < applications.size(); ++a) {
    Lane lane{"", our_look(a), static_cast<int>(a)};
    for (std::size_t p = 0; p < platforms.size(); ++p) {
      const Outcome& o = outcomes[a][p];
      const double value = o.cell == nullptr ? unknown : positive(bars.value(o));
      if (std::isnan(value)) continue;
      lane.bars.push_back({.row = p,
                           .value = value,
                           .from = bars.is_logarithmic ? unknown : 0,
                           .text = fmt::format("{}{}  {}", rounded(value), bars.unit, applications[a].label),
                           .hover = fmt::format("{}, {}: {} µs per step, {} of copy", applications[a].label, platforms[p].label,
                                                significant(o.cell->microseconds_per_step()), percent(o.share_of_copy()))});
    }
    chart.lanes.push_back(std::move(lane));
  }
  return draw(chart);
}

/// A cascade (Sewall et al., "Interpreting and visualizing performance portability metrics", P3HPC 2020): for each application,
/// its fractions of the fastest application from the highest platform to the lowest, and the portability metric over the
/// platforms so far as a faint line. Nothing if fewer than two platforms have results.
std::optional<Figure> make_cascade(const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                                   const std::vector<std::vector<Outcome>>& outcomes, const std::string& what) {
  std::vector<std::size_t> known;
  for (std::size_t p = 0; p < platforms.size(); ++p)
    if (!outcomes.empty() && !outcomes.front()[p].is_unknown) known.push_back(p);
  if (known.size() < 2) return std::nullopt;
  Chart chart{.id = "cascade-" + what.substr(0, what.find(',')),
              .title = fmt::format("Fraction of the fastest code, sorted for each code: {}", what),
              .x = {"platforms, from each code's best to its worst"},
              .y = {"of the fastest code, %"}};
  chart.y.shown = {0, 100};
  chart.x.shown = {1, static_cast<double>(known.size())};
  for (std::size_t n = 1; n <= known.size(); ++n)
    chart.x.ticks.emplace_back(n, std::to_string(n));
  std::pair<double, std::string> best;
  for (std::size_t a = 0; a < applications.size(); ++a) {
    const auto share = [&](std::size_t p) { return outcomes[a][p].cell == nullptr ? 0 : outcomes[a][p].of_best; };
    std::vector<std::size_t> order = known;
    std::ranges::stable_sort(order, std::ranges::greater(), share);
    Curve curve{applications[a].label, our_look(a), 1};
    Curve mean{"", {our_look(a).color, 0}, 1, true};
    std::vector<double> so_far;
    for (const std::size_t p : order) {
      so_far.push_back(share(p));
      const double metric = portability_metric(so_far);
      const auto n = static_cast<double>(so_far.size());
      const std::string hover =
          fmt::format("{}, {}: {} of the fastest code; portability over {}: {}", applications[a].label, platforms[p].label,
                      percent(share(p)), counted(so_far.size(), "platform"), percent(metric));
      curve.points.push_back({.x = n, .y = 100 * share(p), .hover = hover});
      mean.points.push_back({.x = n, .y = 100 * metric});
    }
    best = std::max(best, {portability_metric(so_far), applications[a].label});
    chart.series.push_back(std::move(curve));
    chart.series.push_back(std::move(mean));
  }
  Figure figure = draw(chart);
  if (best.first > 0)
    figure.conclusion =
        fmt::format("'{}' has the highest portability, {} of the fastest code.", best.second, percent(best.first));
  return figure;
}

/// The code whose lowest fraction of a platform's copy is the highest, among those that run on all platforms with results.
std::string steadiest_text(const std::vector<Application>& applications, const std::vector<std::vector<Outcome>>& outcomes) {
  std::pair<double, std::string> best;
  for (std::size_t a = 0; a < applications.size(); ++a) {
    double least = std::numeric_limits<double>::infinity();
    for (const Outcome& o : outcomes[a])
      if (!o.is_unknown) least = std::min(least, o.cell == nullptr ? 0 : o.share_of_copy());
    if (std::isfinite(least)) best = std::max(best, {least, applications[a].label});
  }
  if (best.first == 0) return "No code runs on every platform with results.";
  return fmt::format("'{}' reaches at least {} of the copy on every platform with results.", best.second, percent(best.first));
}

/// The fastest code on each platform.
std::string fastest_text(const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                         const std::vector<std::vector<Outcome>>& outcomes) {
  std::map<std::string, std::vector<std::string>> won;
  for (std::size_t a = 0; a < applications.size(); ++a)
    for (std::size_t p = 0; p < platforms.size(); ++p)
      if (outcomes[a][p].cell != nullptr && outcomes[a][p].of_best == 1)
        won[applications[a].label].push_back(platforms[p].label);
  std::vector<std::string> parts;
  for (const auto& [label, where] : won)
    parts.push_back(fmt::format("'{}'{} on {}", label, parts.empty() ? " is the fastest" : "", fmt::join(where, " and ")));
  return fmt::format("{}.", fmt::join(parts, "; "));
}

/// Names the rows that the outcomes came from: study, machines, sessions and files.
std::string caption_of(const std::vector<Context>& machines, const std::vector<const Row*>& rows, const std::string& filter) {
  std::set<std::string> sessions;
  for (const Row* row : rows)
    sessions.insert(row->session);
  std::vector<std::string> names;
  for (const Context& context : machines)
    names.push_back(context.results.data().label());
  return fmt::format("Rows: study {}, machines {}; sessions {}; kind=sample and kind=ceiling, {}.", machines.front().study.name,
                     joined(names), joined({sessions.begin(), sessions.end()}, 8), filter);
}

}  // namespace

void portability(const Parameters& block, const std::vector<Context>& machines, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::string precision = precision_of(block);
  const std::vector<Application> applications = read_applications(block);
  const std::vector<Platform> platforms = read_platforms(block, machines);
  for (const Platform& platform : platforms)
    if (platform.context == nullptr) section.note(fmt::format("No results of machine {} in this report.", platform.machine));
  std::vector<const Cell*> shown;
  for (const std::string& case_name : cases) {
    const auto outcomes = outcomes_of(applications, platforms, case_name, precision);
    std::vector<const Cell*> cells;
    for (const auto& row : outcomes) {
      for (const Outcome& o : row) {
        if (o.cell == nullptr) continue;
        cells.push_back(o.cell);
        shown.push_back(o.cell);
        if (o.of_copy) cells.push_back(o.of_copy->ceiling.cell);
      }
    }
    if (cells.empty()) {
      section.note(fmt::format("No rows of {} yet.", case_name));
      continue;
    }
    const std::vector<const Row*> sources = rows_of(cells);
    const std::string caption = caption_of(machines, sources, fmt::format("case={}, precision={}", case_name, precision));
    for (const Bars& bars :
         {Bars{"efficiency-" + case_name,
               fmt::format("Fraction of each platform's own copy from DRAM: {}, {}", case_name, precision),
               "of the platform's own copy, %", " %", false, [](const Outcome& o) { return 100 * o.share_of_copy(); }},
          Bars{"time-" + case_name, fmt::format("Time per step on each platform: {}, {}", case_name, precision),
               "time per step, µs (log scale; further left is faster)", " µs", true,
               [](const Outcome& o) { return o.cell->microseconds_per_step(); }}}) {
      Figure figure = make_figure(bars, applications, platforms, outcomes);
      figure.conclusion =
          bars.is_logarithmic ? fastest_text(applications, platforms, outcomes) : steadiest_text(applications, outcomes);
      section.add(std::move(figure), caption, sources);
    }
    if (auto cascade = make_cascade(applications, platforms, outcomes, fmt::format("{}, {}", case_name, precision)))
      section.add(std::move(*cascade),
                  caption +
                      " A code that does not run on a platform reaches 0 there. Faint lines: portability over the platforms so "
                      "far, as in the table.",
                  sources);
    section.add(make_table(applications, platforms, outcomes, case_name),
                caption +
                    " Portability is the harmonic mean of the fractions over all platforms, and 0 if the code does not run on "
                    "one of them (Pennycook, Sewall and Lee).",
                sources);
  }
  say_what_moves_less(shown, section);
}

}  // namespace ladder::reports
