#include "reports/sections/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/format.hpp"
#include "harness/record/placement.hpp"
#include "reports/sections/size_chart.hpp"

namespace ladder::reports {
namespace {

/// One rung on one case with a given number of workers.
struct ScalingStep {
  const Cell* cell = nullptr;
  Ratio speedup;                    ///< over the fewest workers
  double efficiency = 0;            ///< speed-up over the factor of workers
  std::optional<Fraction> of_copy;  /// of copy-Q with the same number of workers
};

/// One rung on one case, by number of workers.
struct ScaledLadder {
  std::string name;
  Look look;
  std::map<double, ScalingStep> steps;
  Amdahl law = {};
};

/// Copy-Q with the same number of threads and a working set as large as the cell's.
std::optional<Ceiling> copy_beside(const Context& context, const Cell& cell, const std::string& backend) {
  const Row& row = *cell.row;
  const CeilingQuery query{pattern_copy(cell), row.precision, backend, row.workers()};
  if (const auto nearest = context.ceilings.nearest(query, row.footprint_bytes, &cell)) return nearest;
  const auto dram = context.ceilings.dram(query, &cell);
  const auto& caches = context.results.caches(row);
  const bool are_alike = dram && residency(row.footprint_bytes, caches) == residency(dram->bytes, caches);
  return are_alike ? dram : std::nullopt;
}

/// The content of one table and its figures: the ladders for one case, or for one number of cells per worker.
struct Subject {
  std::string name = {};  ///< of the case, or `1,048,576 cells per worker` for weak scaling
  bool is_weak = false;
  std::vector<ScaledLadder> ladders = {};

  /// `worker` if any placement has several processes or devices, or for weak scaling; else `thread`.
  [[nodiscard]] std::string noun() const {
    const auto is_divided = [](const auto& step) {
      const std::string& placement = step.second.cell->row->placement;
      return placement.find("processes=") != std::string::npos || placement.find("devices=") != std::string::npos;
    };
    const bool are_divided =
        std::ranges::any_of(ladders, [&](const ScaledLadder& ladder) { return std::ranges::any_of(ladder.steps, is_divided); });
    return is_weak || are_divided ? "worker" : "thread";
  }
  [[nodiscard]] std::string workers(double count) const { return counted(static_cast<std::size_t>(count), noun()); }
};

/// Computes the ratios of a ladder from its cells, and fits the law unless the cells are of several cases.
void compare(ScaledLadder& ladder, const Context& context, const std::string& backend, bool is_weak) {
  const auto& [fewest, first] = *ladder.steps.begin();
  std::vector<std::pair<double, double>> points;
  for (auto& [workers, step] : ladder.steps) {
    step.speedup = paired_ratio(step.cell->updates_per_second, first.cell->updates_per_second);
    step.efficiency = step.speedup.value * fewest / workers;
    if (const auto copy = copy_beside(context, *step.cell, backend))
      step.of_copy = context.ceilings.of_pattern(*step.cell, *copy);
    points.emplace_back(workers, step.cell->mlups());
  }
  ladder.law = fit_amdahl(is_weak ? std::vector<std::pair<double, double>>{} : points);
}

/// The cells of a rung and case, by number of workers. Workers that share a device are skipped: they take turns and do not
/// scale.
std::map<std::int64_t, const Cell*> by_workers(const Context& context, CellQuery query) {
  std::map<std::int64_t, const Cell*> found;
  for (const Cell* cell : context.results.all(query))
    found[cell->row->workers()] = nullptr;
  for (auto& [workers, cell] : found) {
    query.workers = workers;
    cell = context.results.choose(query);
  }
  std::erase_if(found, [](const auto& f) { return f.second == nullptr || is_shared_device(f.second->row->device); });
  return found;
}

/// The content of a section for the matching rungs: for each case, or each number of cells per worker, the rungs that were
/// measured with at least two numbers of workers. Cases without such a rung have no ladders. If two cases have the same numbers
/// of workers and of cells per worker, the first is used.
std::vector<Subject> subjects_of(const Context& context, const Selection& chosen, const std::string& backend, bool is_weak) {
  const std::vector<std::string> ids = context.results.matching_rungs(chosen.rungs);
  const std::vector<std::string> names = short_names(ids);
  const std::vector<Look> rung_looks = looks(ids);
  std::map<std::int64_t, Subject> subjects;  // by place of the case, or by cells per worker
  for (std::size_t place = 0; place < chosen.cases.size() && !is_weak; ++place)
    subjects[static_cast<std::int64_t>(place)].name = chosen.cases[place];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::map<std::int64_t, ScaledLadder> ladders;
    for (std::size_t place = 0; place < chosen.cases.size(); ++place)
      for (const auto& [workers, cell] : by_workers(
               context,
               {.rung = ids[i], .case_name = chosen.cases[place], .precision = chosen.precision, .tuning = chosen.tuning})) {
        if (is_weak && cell->row->cells % workers != 0) continue;
        const std::int64_t key = is_weak ? cell->row->cells / workers : static_cast<std::int64_t>(place);
        ScaledLadder& ladder = ladders.try_emplace(key, ScaledLadder{names[i], rung_looks[i], {}}).first->second;
        ladder.steps.try_emplace(static_cast<double>(workers), ScalingStep{cell, {}, 0, {}});
      }
    for (auto& [key, ladder] : ladders) {
      if (ladder.steps.size() < 2) continue;
      compare(ladder, context, backend, is_weak);
      Subject& subject = subjects[key];
      subject.ladders.push_back(std::move(ladder));
      subject.is_weak = is_weak;
      if (is_weak) subject.name = grouped(key) + " cells per worker";
    }
  }
  std::vector<Subject> all;
  for (auto& [key, subject] : subjects)
    all.push_back(std::move(subject));
  return all;
}

Interval interval_of(const Cell& cell) {
  std::vector<double> mlups;
  for (const Observation& o : cell.updates_per_second)
    mlups.push_back(o.value / 1e6);
  return bootstrap_median(mlups);
}

/// The interval of a step's efficiency.
Interval efficiency_interval(const ScaledLadder& ladder, double workers, const ScalingStep& step) {
  const double scale = ladder.steps.begin()->first / workers;
  return {step.speedup.interval.low * scale, step.speedup.interval.high * scale};
}

std::string workers_name(double workers) { return fmt::format("{:.0f}", workers); }

SizePoint point(const Subject& subject, const std::string& name, double workers, double value, const std::string& unit,
                const Interval& interval = {}) {
  const std::string text = fmt::format("{}, {}: {}{}", name, subject.workers(workers), significant(value, 4), unit);
  return {workers_name(workers), workers, value, text, interval};
}

SizeChart speed_chart(const Subject& subject) {
  SizeChart chart{.id = "scaling-" + id_slug(subject.name),
                  .title = fmt::format("Speed by {}s, {}", subject.noun(), subject.name),
                  .y_label = "MLUPS",
                  .x_label = subject.noun() + "s (log scale)",
                  .is_logarithmic = true};
  std::map<std::string, SizeLine> copies;  // by name
  for (const ScaledLadder& ladder : subject.ladders) {
    SizeLine measured{ladder.name, false, ladder.look, {}};
    SizeLine ideal{&ladder == &subject.ladders.front() ? "ideal" : "", true, {color::muted, 0}, {}};
    SizeLine model{"", true, {ladder.look.color, 0}, {}};
    const auto& [fewest, first] = *ladder.steps.begin();
    for (const auto& [workers, step] : ladder.steps) {
      const auto at = [&, count = workers](const std::string& name, double value, const std::string& unit,
                                           const Interval& interval = {}) {
        return point(subject, name, count, value, unit, interval);
      };
      measured.points.push_back(at(ladder.name, step.cell->mlups(), " MLUPS", interval_of(*step.cell)));
      ideal.points.push_back(at(ladder.name + ", ideal", first.cell->mlups() * workers / fewest, " MLUPS"));
      model.points.push_back(at(ladder.name + ", Amdahl's law", ladder.law.speed(workers), " MLUPS"));
      if (!step.of_copy) continue;
      const Ceiling& copy = step.of_copy->ceiling;
      SizeLine& line = copies.try_emplace(copy.name, SizeLine{copy.name, false, {color::ink, 4}, {}}).first->second;
      if (std::ranges::find(line.points, workers, &SizePoint::sites) == line.points.end())
        line.points.push_back(at(describe(copy), copy.cell->mlups(), " M elements/s"));
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

SizeChart efficiency_chart(const Subject& subject) {
  SizeChart chart{.id = "efficiency-" + id_slug(subject.name),
                  .title = fmt::format("{}, {}", subject.is_weak ? "Weak efficiency" : "Parallel efficiency", subject.name),
                  .y_label = "efficiency, %",
                  .x_label = subject.noun() + "s (log scale)",
                  .least_top = 100,
                  .levels = {{100, "ideal"}}};
  for (const ScaledLadder& ladder : subject.ladders) {
    SizeLine line{ladder.name, false, ladder.look, {}};
    for (const auto& [workers, step] : ladder.steps) {
      const Interval& interval = efficiency_interval(ladder, workers, step);
      line.points.push_back(
          point(subject, ladder.name, workers, 100 * step.efficiency, " %", {100 * interval.low, 100 * interval.high}));
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

/// "98.2 % [97.9, 98.5]".
TableCell efficiency_cell(const ScaledLadder& ladder, double workers, const ScalingStep& step) {
  return {percent(step.efficiency) + percent_interval(efficiency_interval(ladder, workers, step)), step.efficiency};
}

/// A row of the table: a rung on a number of workers, or a label of the publication on a case.
struct ScalingLine {
  std::string name, case_name;
  const ScaledLadder* ladder = nullptr;
  double workers = unknown;
  const ScalingStep* step = nullptr;
  double mlups = unknown, mlups_process = unknown, mflups_process = unknown;
};

/// The labels that have rates per process for a case of the subject.
std::vector<ScalingLine> lines_of_paper(const Paper& paper, const std::vector<std::string>& labels, const Subject& subject) {
  std::set<std::string> cases;
  for (const ScaledLadder& ladder : subject.ladders)
    for (const auto& [workers, step] : ladder.steps)
      cases.insert(step.cell->row->case_name);
  std::vector<ScalingLine> lines;
  for (const std::string& label : labels)
    for (const std::string& name : cases) {
      const auto value = [&](const std::string& quantity) { return paper.value(label, name, quantity); };
      if (std::isnan(value("mlups_process"))) continue;
      lines.push_back({.name = std::string(paper_prefix) + label,
                       .case_name = name,
                       .mlups = value("mlups"),
                       .mlups_process = value("mlups_process"),
                       .mflups_process = value("mflups_process")});
    }
  return lines;
}

/// The columns of Amdahl's law apply to a single lattice; the case column applies to several. With labels of the publication,
/// there are rates per process.
Table make_table(const Subject& subject, const Paper& paper, const std::vector<std::string>& labels) {
  std::vector<ScalingLine> lines = lines_of_paper(paper, labels, subject);
  for (const ScaledLadder& ladder : subject.ladders)
    for (const auto& [workers, step] : ladder.steps) {
      const Row& row = *step.cell->row;
      const double each = labels.empty() ? unknown : step.cell->mlups() / parse_placement(row.placement).processes;
      lines.push_back({row.rung, row.case_name, &ladder, workers, &step, step.cell->mlups(), each, each * fluid_share(row)});
    }
  Table table = tabulate(
      "scaling-" + id_slug(subject.name), fmt::format("Speed by {}s, {}", subject.noun(), subject.name),
      {{"Rung", "rung", &ScalingLine::name},
       {"Case", "case", [&](const ScalingLine& l) { return subject.is_weak ? l.case_name : ""; }},
       {subject.noun() == "worker" ? "Workers" : "Threads", subject.noun() + "s",
        [](const ScalingLine& l) { return TableCell(l.step == nullptr ? "—" : workers_name(l.workers)); }},
       {"Placement", "placement", &ScalingLine::step, &ScalingStep::cell, &Cell::row, &Row::placement},
       {"MLUPS", "mlups",
        [](const ScalingLine& l) { return l.step == nullptr ? number_cell(l.mlups, 4) : four_digit_rate_cell(*l.step->cell); }},
       {"Speed-up", "speedup", &ScalingLine::step, &ScalingStep::speedup, ratio_cell},
       {"Efficiency", "efficiency",
        [](const ScalingLine& l) {
          return l.step == nullptr ? TableCell("—") : efficiency_cell(*l.ladder, l.workers, *l.step);
        }},
       {"Amdahl, MLUPS", "amdahl_mlups",
        [](const ScalingLine& l) { return l.ladder == nullptr ? unknown : l.ladder->law.speed(l.workers); }, Digits{4}},
       {"Serial share", "serial_share", &ScalingLine::ladder, &ScaledLadder::law, &Amdahl::serial_share, share_cell},
       {"of copy", "copy_fraction", &ScalingLine::step, &ScalingStep::of_copy, fraction_cell},
       {"MLUPS per process", "mlups_process", &ScalingLine::mlups_process, Digits{4}},
       {"MFLUPS per process", "mflups_process", &ScalingLine::mflups_process, Digits{4}}},
      lines);
  table.is_by_rung = true;
  return table;
}

/// Names the fastest rung on the most workers, and its gain from the additional workers.
std::string finding(const Subject& subject) {
  const auto last = [](const ScaledLadder& ladder) { return ladder.steps.rbegin()->second.cell->median; };
  const ScaledLadder& fastest = *std::ranges::max_element(subject.ladders, {}, last);
  const auto& [most, end] = *fastest.steps.rbegin();
  const std::string fewest = subject.workers(fastest.steps.begin()->first);
  std::string text = fmt::format("{}: the fastest is {} with {} MLUPS on {}", subject.name, fastest.name,
                                 significant(end.cell->mlups()), subject.workers(most));
  if (!subject.is_weak) return text + fmt::format(", {} over {}.", ratio_cell(end.speedup).text, fewest);
  return text + fmt::format(", an efficiency of {} over {}.", efficiency_cell(fastest, most, end).text, fewest);
}

/// The range of the rungs' efficiencies on their most workers.
std::string efficiency_text(const Subject& subject) {
  std::vector<std::pair<double, std::string>> found;
  double most = 0;
  for (const ScaledLadder& ladder : subject.ladders)
    most = std::max(most, ladder.steps.rbegin()->first);
  for (const ScaledLadder& ladder : subject.ladders)
    if (const auto step = ladder.steps.find(most); step != ladder.steps.end())
      found.emplace_back(step->second.efficiency, ladder.name);
  return fmt::format("{}: the efficiency on {} is {}.", subject.name, subject.workers(most), range_text(found, percent));
}

}  // namespace

Amdahl fit_amdahl(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 3) return {unknown, unknown};
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
  const Selection chosen = selection_of(block, "initial");
  const std::string backend = block.text("ceilings", "");
  const bool is_weak = block.flag("weak", false);
  const std::vector<std::string> labels = paper_labels(block, context);
  const std::vector<Subject> subjects = subjects_of(context, chosen, backend, is_weak);
  if (is_weak && subjects.empty())
    section.note("No rung was measured with the same number of cells per worker for two numbers of workers.");
  std::vector<const Cell*> shown;
  for (const Subject& subject : subjects) {
    if (subject.ladders.empty()) {
      section.note(fmt::format("{}: no rung was measured with two numbers of workers on separate devices.", subject.name));
      continue;
    }
    const std::string fastest = finding(subject);
    section.find(fastest);
    std::vector<const Cell*> used;
    std::vector<const Cell*> limits;
    for (const ScaledLadder& ladder : subject.ladders)
      for (const auto& [workers, step] : ladder.steps) {
        used.push_back(step.cell);
        if (step.of_copy) limits.push_back(step.of_copy->ceiling.cell);
      }
    std::ranges::copy(used, std::back_inserter(shown));
    const std::string of = is_weak ? joined(chosen.cases, chosen.cases.size()) : subject.name;
    const std::string caption = rows_caption(
        context, used, fmt::format("kind=sample, case={}, precision={}, tuning {}", of, chosen.precision, chosen.tuning));
    const std::vector<const Row*> sources = rows_of(used, limits);
    const std::string law = is_weak ? "." : ", and Amdahl's law in a rung's colour.";
    SizeChart speed = speed_chart(subject), efficiency = efficiency_chart(subject);
    speed.conclusion = fastest;
    efficiency.conclusion = efficiency_text(subject);
    for (SizeChart& chart : {std::ref(speed), std::ref(efficiency)}) {
      chart.title = figure_title(context, chart.title, {chosen.precision});
      section.add(draw_sizes(std::move(chart)), caption + " Bars are 95 % intervals of the median. Dashed: the ideal" + law,
                  sources);
    }
    section.add(
        make_table(subject, context.study.paper, labels),
        caption + (is_weak
                       ? " The lattice grows with the workers. Speed-ups are over the fewest workers, paired by round; the "
                         "efficiency is the speed-up over the increase in workers. The copy has the same number of workers "
                         "and a working set of the same size."
                       : " Speed-ups are over the fewest threads. Amdahl's law is fitted to three or more numbers of threads. "
                         "The copy has the same number of threads and a working set of the same size."),
        sources);
  }
  say_what_moves_less(shown, section);
}

}  // namespace ladder::reports
