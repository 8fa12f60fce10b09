#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  double of_best = 0;                    ///< of the fastest application there
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

/// The metric for fractions, flagged if it exceeds the metric of the largest fractions that the rungs' traffic explains.
TableCell portability_cell(const std::vector<double>& fractions, const std::vector<double>& most) {
  return percent_cell(portability_metric(fractions), portability_metric(most));
}

/// "97.6 % [88.1, 104]", without the interval if there is none.
TableCell copy_cell(const std::optional<Fraction>& of_copy) {
  TableCell cell = fraction_cell(of_copy);
  if (of_copy) cell.text += percent_interval(of_copy->ratio.interval);
  return cell;
}

double efficiency(const Outcome& outcome) {
  return outcome.cell != nullptr ? outcome.share_of_copy() : outcome.is_unknown ? unknown : 0;
}

Table make_table(const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                 const std::vector<std::vector<Outcome>>& outcomes, const std::string& case_name) {
  Table table{"portability-" + case_name, fmt::format("Performance portability, {}", case_name), {{"Code", "code", false}}};
  for (const Platform& p : platforms) {
    table.columns.push_back({p.label, id_slug(p.label) + "_rung", false});
    table.columns.push_back({"µs per step", id_slug(p.label) + "_us_per_step"});
    table.columns.push_back({"of copy", id_slug(p.label) + "_copy_fraction"});
    table.columns.push_back({"of the best", id_slug(p.label) + "_best_fraction"});
  }
  table.columns.push_back({"portability, of copy", "portability_copy"});
  table.columns.push_back({"of the best", "portability_best"});
  for (std::size_t a = 0; a < applications.size(); ++a) {
    std::vector<TableCell> row{applications[a].label};
    std::vector<double> of_copy;
    std::vector<double> most;
    std::vector<double> of_best;
    for (const Outcome& o : outcomes[a]) {
      of_copy.push_back(efficiency(o));
      most.push_back(o.of_copy ? o.of_copy->most : 1);
      of_best.push_back(o.is_unknown ? unknown : o.of_best);
      if (o.cell == nullptr) {
        row.insert(row.end(), {o.why, "—", "—", "—"});
      } else {
        const Row& r = *o.cell->row;
        row.insert(row.end(), {r.tuning.empty() ? last_part(r.rung) : last_part(r.rung) + ", " + r.tuning, time_cell(*o.cell),
                               copy_cell(o.of_copy), percent_cell(o.of_best)});
      }
    }
    row.push_back(portability_cell(of_copy, most));
    row.push_back(portability_cell(of_best, {1}));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Grouped bars: one group per platform, with a bar for each application that runs there.
struct Bars {
  std::string id, title, y_label;
  bool is_logarithmic = false;
  double (*value)(const Outcome&);
};

Figure make_figure(const Bars& bars, const std::vector<Application>& applications, const std::vector<Platform>& platforms,
                   const std::vector<std::vector<Outcome>>& outcomes) {
  int longest = 0;
  for (const Application& a : applications)
    longest = std::max(longest, text_width(a.label));
  Range y{.high = bars.is_logarithmic ? 0. : 100};
  bool is_empty = true;
  Plot plot(420 + 110 * static_cast<int>(platforms.size()) + longest, 490);
  const double width = 0.8 / static_cast<double>(applications.size());
  for (std::size_t a = 0; a < applications.size(); ++a) {
    std::vector<std::vector<Datum>> rows;
    for (std::size_t p = 0; p < platforms.size(); ++p) {
      const Outcome& o = outcomes[a][p];
      const double value = o.cell == nullptr ? unknown : positive(bars.value(o));
      if (std::isnan(value)) continue;
      const double x = static_cast<double>(p) - 0.4 + (static_cast<double>(a) + 0.5) * width;
      rows.push_back({x, value, width,
                      Hover{fmt::format("{}, {}: {} µs per step, {} of copy", applications[a].label, platforms[p].label,
                                        significant(o.cell->microseconds_per_step()), percent(o.share_of_copy()))}});
      y.take(value);
    }
    if (rows.empty()) continue;
    is_empty = false;
    plot.draw(
        "{0} using 1:2:3 with boxes fs solid lc rgb '{1}' title {2}, "
        "{0} using 1:2:4 with labels hypertext point pt 7 ps 0.5 lc rgb '{1}' notitle",
        plot.data(rows), color::series(a), plot_string(applications[a].label));
  }
  if (is_empty) plot.draw("NaN notitle");
  std::vector<std::pair<double, std::string>> ticks;
  for (std::size_t p = 0; p < platforms.size(); ++p)
    ticks.emplace_back(p, platforms[p].label);
  plot.add("{}", margins(plot, 88, longest + 85, 20, 140));
  plot.add("set xrange [-0.5:{}]\nset xtics {} scale 0 rotate by -20", static_cast<double>(platforms.size()) - 0.5,
           tick_list(ticks));
  if (bars.is_logarithmic) {
    plot.add("set logscale y 10\nset yrange [{}:{}]\n{}", y.low / 2, y.high * 1.5, log_ticks("y", y.low / 2, y.high * 1.5));
  } else {
    plot.add("set yrange [0:{}]", 1.08 * y.high);
  }
  plot.add("set ylabel {}\nset grid ytics ls 1\n{}", plot_string(bars.y_label), key_at_right(plot, longest));
  return {bars.id, bars.title, "", std::move(plot)};
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
         {Bars{"efficiency-" + case_name, fmt::format("Fraction of each platform's own copy from DRAM, {}", case_name),
               "of the platform's own copy, %", false, [](const Outcome& o) { return 100 * o.share_of_copy(); }},
          Bars{"time-" + case_name, fmt::format("Time per step on each platform, {}", case_name), "µs per step", true,
               [](const Outcome& o) { return o.cell->microseconds_per_step(); }}})
      section.add(make_figure(bars, applications, platforms, outcomes), caption, sources);
    section.add(make_table(applications, platforms, outcomes, case_name),
                caption +
                    " Portability is the harmonic mean of the fractions over all platforms, and 0 if the code does not run on "
                    "one of them (Pennycook, Sewall and Lee).",
                sources);
  }
  say_what_moves_less(shown, section);
}

}  // namespace ladder::reports
