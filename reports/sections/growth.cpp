#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/format.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// Exponent s of the law time ∝ sites^s that best fits the points (least squares of the logarithms); NaN for fewer than three
/// sizes.
double exponent(const std::vector<SizePoint>& points) {
  if (points.size() < 3) return unknown;
  double mean_x = 0, mean_y = 0;
  for (const SizePoint& p : points) {
    mean_x += std::log(p.sites) / static_cast<double>(points.size());
    mean_y += std::log(p.value) / static_cast<double>(points.size());
  }
  double xy = 0, xx = 0;
  for (const SizePoint& p : points) {
    xy += (std::log(p.sites) - mean_x) * (std::log(p.value) - mean_y);
    xx += (std::log(p.sites) - mean_x) * (std::log(p.sites) - mean_x);
  }
  return xx > 0 ? xy / xx : unknown;
}

/// The quantity that a figure and its table show against the size.
struct Shown {
  std::string value;   ///< as in the block: `step_time`, `mlups`, `bandwidth` or a kernel's name
  std::string id;      ///< of the figure and the table
  std::string title;   ///< of the figure
  std::string header;  ///< of the table
  std::string unit;    ///< of the axis
  std::string suffix;  ///< of the table's columns

  [[nodiscard]] bool is_kernel() const { return value != "step_time" && value != "mlups" && value != "bandwidth"; }
};

Shown shown_of(const std::string& value) {
  if (value == "step_time") {
    return {value,         "growth",      "Time per step by size", "Time per step, µs, and its exponent in the number of sites",
            "µs per step", "_us_per_step"};
  }
  if (value == "mlups") return {value, "growth-mlups", "Rate by size", "Rate, MLUPS, and its exponent", "MLUPS", "_mlups"};
  if (value == "bandwidth") {
    return {value,  "growth-bandwidth", "Bandwidth by size", "Bandwidth at minimum traffic, GB/s, and its exponent",
            "GB/s", "_gbytes_per_s"};
  }
  return {value,
          "growth-" + id_slug(value),
          fmt::format("Time per launch of {} by size", value),
          fmt::format("Time per launch of {}, µs, and its exponent in the number of sites", value),
          "µs per launch",
          "_us_per_launch"};
}

/// A line with the values that the table shows.
struct Grown {
  SizeLine line;
  std::vector<TableCell> cells = {};

  [[nodiscard]] TableCell cell_of(const std::string& case_name) const {
    const auto found = std::ranges::find(line.points, case_name, &SizePoint::case_name);
    return found == line.points.end() ? "—" : cells[static_cast<std::size_t>(found - line.points.begin())];
  }

  void add(const std::string& case_name, double sites, TableCell cell, double value, const std::string& unit) {
    line.points.push_back(
        {case_name, sites, value, fmt::format("{}, {}: {} {}", line.name, case_name, significant(value), unit)});
    cells.push_back(std::move(cell));
  }
};

Table make_table(const Shown& shown, const std::vector<Grown>& lines, const std::vector<std::string>& cases) {
  std::vector<Column<Grown>> columns = {{"Rung", "rung", &Grown::line, &SizeLine::name}};
  for (const std::string& c : cases)
    columns.emplace_back(c, id_slug(c) + shown.suffix, [c](const Grown& grown) { return grown.cell_of(c); });
  columns.emplace_back("exponent", "exponent", &Grown::line, &SizeLine::points, exponent, two_decimals);
  return tabulate(shown.id, shown.header, columns, lines);
}

/// The range of the exponents of our lines or of the paper's; empty if none has an exponent.
std::string exponents_text(const std::vector<Grown>& lines, bool of_paper) {
  std::vector<std::pair<double, std::string>> found;
  for (const Grown& grown : lines)
    if (const double s = exponent(grown.line.points); !std::isnan(s) && grown.line.is_dashed == of_paper)
      found.emplace_back(s, grown.line.name);
  return range_text(found, [](double s) { return fmt::format("{:.2f}", s); });
}

/// Our exponents and the paper's; empty if we have none.
std::string finding(const Shown& shown, const std::vector<Grown>& lines) {
  const std::string ours = exponents_text(lines, false);
  if (ours.empty()) return "";
  const std::string paper = exponents_text(lines, true);
  return fmt::format("{}: the exponent in the number of sites is {}{}.", shown.title, ours,
                     paper.empty() ? "" : "; for the publication's values it is " + paper);
}

/// Rows behind our lines.
struct Sources {
  std::vector<const Cell*> cells;
  std::vector<const Profile*> profiles;
};

/// Latest counters of a kernel for the cell's rung, case and tuning; null if there are none.
const Profile* kernel_of(const Context& context, const Cell& cell, const std::string& kernel) {
  return context.results.latest_profile([&](const Profile& p) {
    return p.kind == "kernel" && p.kernel == kernel && p.rung == cell.row->rung && p.case_name == cell.row->case_name &&
           p.precision == cell.row->precision && p.tuning == cell.row->tuning;
  });
}

Grown line_of(const Context& context, const Shown& shown, const RungOverSizes& rung, Sources& used) {
  Grown grown{{rung.name, false, rung.look, {}}};
  for (const Cell* cell : rung.cells) {
    const Row& row = *cell->row;
    const auto sites = static_cast<double>(row.cells);
    if (shown.is_kernel()) {
      const Profile* profile = kernel_of(context, *cell, shown.value);
      if (profile == nullptr) continue;
      used.profiles.push_back(profile);
      const double microseconds = profile->microseconds_per_launch();
      grown.add(row.case_name, sites, number_cell(microseconds), microseconds, shown.unit);
      continue;
    }
    used.cells.push_back(cell);
    const double bandwidth = cell->median * row.bytes_per_update_minimum / 1e9;
    if (shown.value == "step_time")
      grown.add(row.case_name, sites, time_cell(*cell), cell->microseconds_per_step(), shown.unit);
    else if (shown.value == "mlups")
      grown.add(row.case_name, sites, rate_cell(*cell), cell->mlups(), shown.unit);
    else
      grown.add(row.case_name, sites, number_cell(bandwidth), bandwidth, shown.unit);
  }
  return grown;
}

/// The paper's line. Its rates follow from seconds and steps, and its bandwidths from the rates and our bytes per update.
Grown line_of_paper(const Parameters& block, const Context& context, const Shown& shown, const std::string& label, Look look,
                    double bytes) {
  Grown grown{{"paper: " + label, true, look, {}}};
  const Paper& paper = context.study.paper;
  for (const std::string& c : block.texts("cases")) {
    const double sites = positive(cells_in_case(context, c));
    const double step = 1e6 * positive(paper.value(label, c, "seconds")) / nominal_steps(paper, label, c);
    const double value = shown.is_kernel()            ? positive(paper.value(label, c, shown.value + "_time"))
                         : shown.value == "step_time" ? positive(step)
                         : shown.value == "mlups"     ? positive(sites / step)
                                                      : positive(sites / step * bytes / 1e3);
    if (std::isnan(value) || std::isnan(sites)) continue;
    const PaperValue* kernel = paper.find(label, c, shown.value + "_time");
    if (shown.is_kernel() && kernel->unit != "µs")
      block.fail("paper",
                 fmt::format("names '{}', whose '{}' is in '{}'; accepted: µs", label, kernel->quantity, kernel->unit));
    grown.add(c, sites, number_cell(value), value, shown.unit);
  }
  return grown;
}

/// Notes which cases lack counters for a kernel, and the command that reads them.
void say_missing(const Parameters& block, const Context& context, const Shown& shown, const Sources& used, Section& section) {
  std::vector<std::string> missing;
  for (const std::string& c : block.texts("cases"))
    if (std::ranges::find(used.profiles, c, &Profile::case_name) == used.profiles.end()) missing.push_back(c);
  if (missing.empty()) return;
  section.note(
      fmt::format("No counters of {} at {}. To read them at a size: ladder profile '{}' --case {} --precision {} --study {}",
                  shown.value, joined(missing, missing.size()), fmt::join(block.texts("rungs"), "' '"), missing.front(),
                  precision_of(block), context.study.name));
}

/// The rungs of a block that a machine has rows of.
struct Measured {
  const Context* context;
  std::vector<RungOverSizes> rungs;
};

Measured measured_on(const Context& context, const Parameters& block) {
  const auto [cases, patterns, precision, tuning] = selection_of(block, "best");
  return {&context, rungs_over_sizes(context, patterns, cases, precision, tuning)};
}

/// Shows the rungs on these machines. Line labels include the machine if there are several.
void show(const Parameters& block, std::vector<Measured> machines, Section& section) {
  const auto [cases, patterns, precision, tuning] = selection_of(block, "best");
  const Context& first = *machines.front().context;
  const bool is_empty = machines.front().rungs.empty();
  if (machines.size() > 1) {
    std::size_t lines = 0;
    for (auto& [context, rungs] : machines)
      for (RungOverSizes& rung : rungs) {
        rung.name += ", " + context->results.data().label();
        rung.look = our_look(lines++);
      }
  }
  const std::vector<std::string> labels = paper_labels(block, first);
  if (is_empty) section.note("No rows of these rungs and cases yet.");
  std::vector<const Cell*> shown_cells;
  for (std::string value : block.texts("values", {"step_time"})) {
    constexpr std::string_view kernel = "kernel:";
    if (value.starts_with(kernel))
      value.erase(0, kernel.size());
    else if (shown_of(value).is_kernel())
      block.fail("values", fmt::format("has '{}'; accepted: step_time, mlups, bandwidth, kernel:NAME", value));
    const Shown shown = shown_of(value);
    std::vector<Grown> lines;
    Sources used;
    std::string caption;
    for (const auto& [context, rungs] : machines) {
      Sources own;
      for (const RungOverSizes& rung : rungs)
        if (Grown grown = line_of(*context, shown, rung, own); !grown.line.points.empty()) lines.push_back(std::move(grown));
      if (!shown.is_kernel())
        caption +=
            rows_caption(*context, own.cells, fmt::format("kind=sample, precision={}, tuning {}", precision, tuning)) + " ";
      else if (!own.profiles.empty() || machines.size() == 1)
        caption += profiles_caption(*context, own.profiles) + (own.profiles.empty() ? "" : " ");
      if (shown.is_kernel() && !is_empty) say_missing(block, *context, shown, own, section);
      used.cells.insert(used.cells.end(), own.cells.begin(), own.cells.end());
      used.profiles.insert(used.profiles.end(), own.profiles.begin(), own.profiles.end());
    }
    const double bytes = is_empty ? unknown : machines.front().rungs.front().cells.front()->row->bytes_per_update_minimum;
    for (std::size_t i = 0; i < labels.size(); ++i)
      lines.push_back(line_of_paper(block, first, shown, labels[i], paper_look(i), bytes));
    const std::string text = finding(shown, lines);
    if (!text.empty()) section.find(text);
    SizeChart chart{.id = shown.id,
                    .title = machines.size() == 1 ? figure_title(first, shown.title, {precision})
                                                  : fmt::format("{}: {}", shown.title, precision),
                    .y_label = shown.unit,
                    .is_logarithmic = true,
                    .conclusion = text};
    for (const Grown& grown : lines)
      chart.lines.push_back(grown.line);
    if (is_drawable(chart)) section.add(draw_sizes(std::move(chart)), caption, rows_of(used.cells));
    section.add(
        make_table(shown, lines, cases),
        caption +
            "Exponents are least-squares fits to the logarithms over the sizes shown, of which there must be at least three.",
        rows_of(used.cells), used.profiles);
    shown_cells.insert(shown_cells.end(), used.cells.begin(), used.cells.end());
  }
  say_foreign(shown_cells, section);
}

}  // namespace

void growth(const Parameters& block, const Context& context, Section& section) {
  show(block, {measured_on(context, block)}, section);
}

void growth_of_machines(const Parameters& block, const std::vector<Context>& machines, Section& section) {
  std::vector<Measured> measured;
  for (const Context& context : machines)
    if (Measured own = measured_on(context, block); !own.rungs.empty()) measured.push_back(std::move(own));
  if (measured.empty()) measured.push_back({&machines.front(), {}});
  show(block, std::move(measured), section);
}

}  // namespace ladder::reports
