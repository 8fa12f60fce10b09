#include "reports/sections/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

constexpr double disagreement = 0.05;  ///< stated factors that differ more from the computed one get a note

/// A row of the block before a case is selected.
struct StepLine {
  std::string label, paper, rung, why, build, tuning;
  std::optional<std::size_t> over;
  bool is_over_named = false;  ///< the speed-up names its baseline even if that is the previous line
};

std::optional<std::size_t> parent_of(const Parameters& row, const std::vector<StepLine>& before) {
  if (!row.has("over")) return before.empty() ? std::nullopt : std::optional(before.size() - 1);
  const std::string over = row.text("over");
  if (over.empty()) return std::nullopt;
  const auto found = std::ranges::find(before, over, &StepLine::label);
  if (found == before.end()) row.fail("over", fmt::format("is '{}'; accepted: the label of a row above, or empty", over));
  return static_cast<std::size_t>(found - before.begin());
}

/// The rung that a rung follows; empty if unknown.
std::string parent_of(const std::string& rung, const Context& context) {
  const RungDescription* described = context.results.rung(rung, "default");
  return described == nullptr ? "" : described->follows;
}

/// The rungs in the given order, except that each one comes after the rung that it follows.
std::vector<std::string> parents_first(std::vector<std::string> rungs, const Context& context) {
  std::vector<std::string> ordered;
  while (!rungs.empty()) {
    std::vector<std::string> chain;  // of the next rung, up to its first ancestor that is not yet in order
    for (auto at = rungs.begin(); at != rungs.end(); at = std::ranges::find(rungs, parent_of(chain.back(), context))) {
      chain.push_back(*at);
      rungs.erase(at);
    }
    ordered.insert(ordered.end(), chain.rbegin(), chain.rend());
  }
  return ordered;
}

/// Compares each line with the one of its rung's nearest ancestor, or without any with the previous line.
void set_parents(std::vector<StepLine>& lines, const Context& context) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(i);
    auto parent = end;
    std::set<std::string> seen;
    for (std::string over = parent_of(lines[i].rung, context); parent == end && seen.insert(over).second;
         over = parent_of(over, context))
      parent = std::ranges::find(lines.begin(), end, over, &StepLine::rung);
    lines[i].over = parent == end ? i - 1 : static_cast<std::size_t>(parent - lines.begin());
    lines[i].is_over_named = context.results.rung(lines[i].rung, "default") != nullptr &&
                             parent_of(lines[i].rung, context) != lines[*lines[i].over].rung;
  }
}

/// A line for each rung that matches `rungs`, then one for each of `rows`.
std::vector<StepLine> read_lines(const Parameters& block, const Context& context) {
  std::vector<StepLine> lines;
  const std::string tuning = block.text("tuning", "initial");
  const std::vector<std::string> rungs = parents_first(context.results.known_rungs(block.texts("rungs", {})), context);
  const std::vector<std::string> names = idea_names(context, rungs);
  for (std::size_t i = 0; i < rungs.size(); ++i)
    lines.push_back({names[i], "", rungs[i], "", "default", tuning, std::nullopt});
  set_parents(lines, context);
  for (const Parameters& row : block.has("rungs") ? block.tables_if_any("rows") : block.tables("rows")) {
    const std::vector<std::string> paper = paper_labels(row, context);
    StepLine line{.label = row.text("label"),
                  .paper = paper.empty() ? "" : paper.front(),
                  .rung = row.text("rung", ""),
                  .why = row.text("why", ""),
                  .build = row.text("build", "default"),
                  .tuning = row.text("tuning", tuning),
                  .over = parent_of(row, lines)};
    row.finish();
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The paper's gain from one step to another; NaN if it lacks a time.
double paper_gain(const Step& from, const Step& to) {
  const double of_seconds = from.paper_seconds / to.paper_seconds;
  const double more_steps = to.paper_steps / from.paper_steps;
  return std::isnan(more_steps) ? of_seconds : of_seconds * more_steps;
}

std::vector<Step> make_steps(const std::vector<StepLine>& lines, const Context& context, const std::string& case_name,
                             const std::string& precision, const std::string& backend) {
  std::vector<Step> steps;
  for (const StepLine& line : lines) {
    Step s;
    s.label = line.label;
    s.why = line.why;
    s.over = line.over;
    const Paper& paper = context.study.paper;
    s.paper_seconds = positive(paper.value(line.paper, case_name, "seconds"));
    s.paper_steps = nominal_steps(paper, line.paper, case_name);
    s.paper_microseconds = positive(1e6 * s.paper_seconds / s.paper_steps);
    s.stated_speedup = paper.value(line.paper, case_name, "speedup");
    s.paper_speedup = unknown;
    s.query = {.rung = line.rung, .build = line.build, .case_name = case_name, .precision = precision, .tuning = line.tuning};
    if (!line.rung.empty()) s.cell = context.results.choose(s.query);
    if (s.over) {
      const Step& before = steps[*s.over];
      if (*s.over + 1 != steps.size() || line.is_over_named) s.over_label = before.label;
      s.paper_speedup = paper_gain(before, s);
      if (s.cell != nullptr && s.cell == before.cell) {
        s.verdict = "the same measurement";
      } else if (s.cell != nullptr && before.cell != nullptr) {
        s.speedup = paired_ratio(s.cell->updates_per_second, before.cell->updates_per_second);
        s.verdict = verdict_text(s.speedup, context.results.noise_floor(*s.cell, *before.cell));
      }
    }
    if (s.cell != nullptr) {
      if (!s.cell->row->is_checked()) s.label += " (not checked)";
      if (!std::isnan(s.paper_seconds)) s.seconds = s.cell->microseconds_per_step() * s.paper_steps / 1e6;
      s.of_dram = context.ceilings.of_dram_copy(*s.cell, backend);
      s.of_nearest = context.ceilings.of_nearest_copy(*s.cell, backend);
    }
    steps.push_back(std::move(s));
  }
  return steps;
}

/// Rung, build and tuning. The page omits the model to save space.
TextCell variant_cell(const Step& step) {
  if (step.query.rung.empty()) return "";
  std::string what;
  if (step.query.build != "default") what += ", " + step.query.build;
  if (step.cell != nullptr && !step.cell->row->tuning.empty()) what += ", " + step.cell->row->tuning;
  if (step.cell != nullptr && step.cell->row->is_foreign()) what += ", " + step.cell->foreign_note();
  const std::string& rung = step.cell == nullptr ? step.query.rung : step.cell->row->rung;
  TextCell cell(rung.substr(rung.find('/') + 1) + what);
  cell.exact = rung + what;
  return cell;
}

/// Time per step, or why there is none.
TableCell our_time_cell(const Step& step, const Context& context) {
  if (step.cell != nullptr) return time_cell(*step.cell);
  return step.query.rung.empty() ? (step.why.empty() ? "—" : step.why) : why_missing(context, step.query);
}

TableCell speedup_cell(const Step& step) {
  TableCell cell = ratio_cell(step.speedup);
  if (step.speedup.is_known() && !step.over_label.empty()) cell.text += " over " + step.over_label;
  return cell;
}

TextCell fits_in_cell(const Row& row, const Context& context) {
  TextCell text(residency(row.footprint_bytes, context.results.caches(row)));
  text.hover = binary_bytes(row.footprint_bytes);
  return text;
}

std::vector<const Cell*> cells_in(const std::vector<Step>& steps) {
  std::vector<const Cell*> cells;
  for (const Step& s : steps) {
    if (s.cell != nullptr) cells.push_back(s.cell);
  }
  return cells;
}

/// Samples of the steps and of the ceilings that they are compared with.
std::vector<const Row*> sources_of(const std::vector<Step>& steps) {
  std::vector<const Cell*> ceilings;
  for (const Step& s : steps)
    for (const auto& fraction : {s.of_dram, s.of_nearest})
      if (fraction) ceilings.push_back(fraction->ceiling.cell);
  return rows_of(cells_in(steps), ceilings);
}

/// Adds the table of the steps to the section.
void add_table(const std::vector<Step>& steps, const Context& context, const std::string& case_name,
               const std::string& precision, Section& section) {
  const std::vector<const Cell*> cells = cells_in(steps);
  const bool has_solid = std::ranges::any_of(cells, [](const Cell* c) { return fluid_share(*c->row) != 1; });
  std::string caption =
      rows_caption(context, cells, fmt::format("kind=sample, case={}, precision={}", case_name, precision)) +
      " Speed-ups are over the previous step, or over the named one; docs/measuring.md defines verdicts. Fractions are "
      "of copy-Q, a copy with the access pattern of the rung's model, from DRAM and at the working set nearest to the "
      "footprint; — if none of that size was measured.";
  if (std::ranges::any_of(cells, [](const Cell* c) { return !c->joules_per_update.empty(); }))
    caption += " " + energy_caption(cells);
  if (has_solid) caption += " MFLUPS count only updates of fluid cells.";
  if (std::ranges::any_of(steps, [](const Step& s) { return !std::isnan(s.paper_seconds); }))
    caption += " Our seconds are the time per step times the paper's number of steps.";
  section.add(
      tabulate("steps-" + case_name, fmt::format("Step by step, {}, {}", case_name, precision),
               {{"Step", "step", &Step::label},
                {"Paper, s", "paper_s", &Step::paper_seconds},
                {"Paper, µs per step", "paper_us_per_step", &Step::paper_microseconds},
                {"Paper, speed-up", "paper_speedup", &Step::paper_speedup, times_cell},
                {"by its text", "paper_stated_speedup", &Step::stated_speedup, times_cell},
                {"Rung", "rung", variant_cell},
                {"Ours, µs per step", "us_per_step", [&](const Step& s) { return our_time_cell(s, context); }},
                {"Ours, s", "s", &Step::seconds},
                {"MLUPS", "mlups", &Step::cell, rate_cell},
                {"MFLUPS", "mflups", &Step::cell,
                 [&](const Cell& c) { return has_solid ? c.mlups() * fluid_share(*c.row) : unknown; }},
                {"J per 10⁹ updates", "joules_per_giga_update", &Step::cell, &Cell::joules_per_giga_update},
                {"Ours, speed-up", "speedup", speedup_cell},
                {"Verdict", "verdict", &Step::verdict},
                {"Of DRAM copy", "fraction_of_copy_dram", &Step::of_dram, fraction_cell},
                {"Fits in", "fits_in", &Step::cell, &Cell::row, [&](const Row& row) { return fits_in_cell(row, context); }},
                {"Of copy that size", "fraction_of_copy_same_size", &Step::of_nearest, fraction_cell},
                {"flop/B", "flops_per_byte", &Step::cell, &Cell::intensity}},
               steps),
      std::move(caption), sources_of(steps));
}

/// Names the fastest step, and its gain over the first; empty if none of ours is measured.
std::string fastest_text(const std::vector<Step>& steps, const Context& context, const std::string& case_name) {
  const auto is_measured = [](const Step& s) { return s.cell != nullptr; };
  const auto rate = [](const Step& s) { return s.cell == nullptr ? 0 : s.cell->mlups(); };
  const auto first = std::ranges::find_if(steps, is_measured);
  const auto fastest = std::ranges::max_element(steps, {}, rate);
  if (first == steps.end()) return "";
  std::string text =
      fmt::format("{}: the fastest is '{}' with {} MLUPS", case_name, fastest->label, number_cell(rate(*fastest)).text);
  if (fastest->of_dram) text += fmt::format(", {} of the DRAM copy", fraction_cell(*fastest->of_dram).text);
  const auto second = std::ranges::max_element(steps, {}, [&](const Step& s) { return s.cell == fastest->cell ? 0 : rate(s); });
  const bool is_tie =
      second->cell != fastest->cell && second->cell != nullptr && !tie_text(context, *fastest->cell, *second->cell, "").empty();
  if (fastest != first && !(is_tie && second == first))
    text += fmt::format(", {} over '{}'",
                        ratio_cell(paired_ratio(fastest->cell->updates_per_second, first->cell->updates_per_second)).text,
                        first->label);
  if (is_tie) text += fmt::format("; the rows do not distinguish it from '{}'", second->label);
  return text + ".";
}

/// The gain from the first step to the last step of its chain that has a rung, if the paper states it.
void say_total(const std::vector<Step>& steps, Section& section, const std::string& case_name) {
  std::size_t end = 0;
  for (std::size_t i = 1; i < steps.size() && steps[i].over == i - 1; ++i) {
    if (!steps[i].query.rung.empty()) end = i;
  }
  if (end == 0) return;
  const double paper = paper_gain(steps.front(), steps[end]);
  if (std::isnan(paper)) return;
  std::vector<std::string> factors{times(paper) + " in the paper"};
  if (steps.front().cell != nullptr && steps[end].cell != nullptr) {
    const Ratio ours = paired_ratio(steps[end].cell->updates_per_second, steps.front().cell->updates_per_second);
    factors.push_back(ratio_cell(ours).text + " here");
  }
  section.say(fmt::format("{}, all steps from '{}' to '{}' together: {}.", case_name, steps.front().label, steps[end].label,
                          fmt::join(factors, ", ")));
}

void say_disagreements(const std::vector<Step>& steps, Section& section, const std::string& case_name) {
  std::vector<std::string> found;
  for (const Step& s : steps) {
    if (std::abs(s.stated_speedup / s.paper_speedup - 1) > disagreement) {
      found.push_back(
          fmt::format("'{}' is {} by its table, {} in its text", s.label, times(s.paper_speedup), times(s.stated_speedup)));
    }
  }
  if (found.empty()) return;
  section.note(fmt::format("{}: the paper's text and its own table differ by more than {:.0f} %: {}.", case_name,
                           100 * disagreement, fmt::join(found, "; ")));
}

/// Notes the speed-ups that common rounds and medians of all samples do not agree on.
void note_disagreeing_rounds(const std::vector<Step>& steps, Section& section, const std::string& case_name) {
  std::vector<std::string> found;
  for (const Step& s : steps)
    if (const double other = disagreeing_speedup(steps, s); !std::isnan(other))
      found.push_back(fmt::format("{} {}, {}", s.label, times(s.speedup.value), times(other)));
  if (!found.empty())
    section.note(
        fmt::format("{} ≠: speed-ups from common rounds, which count, and from the medians of all samples, which the dots "
                    "show, differ by more than 10 %: {}.",
                    case_name, fmt::join(found, "; ")));
}

/// The fractions above 100 % that the rung's own traffic does not explain.
void note_over_100(const std::vector<Step>& steps, const Context& context, Section& section) {
  std::vector<std::string> found;
  for (const Step& s : steps) {
    if (!s.of_dram || !(s.of_dram->ratio.value > s.of_dram->most)) continue;
    const std::string level = residency(s.cell->row->footprint_bytes, context.results.caches(*s.cell->row));
    const std::string explained = s.of_dram->most > 1 ? "; its traffic explains " + percent(s.of_dram->most) : "";
    found.push_back(fmt::format("{} ({}{}{})", s.label, fraction_cell(*s.of_dram).text, explained,
                                level == "DRAM" ? ", although it fits in no cache" : "; it fits in " + level));
  }
  if (!found.empty()) section.note(fmt::format("Above 100 % of the DRAM copy: {}.", fmt::join(found, "; ")));
}

}  // namespace

void steps(const Parameters& block, const Context& context, Section& section) {
  const std::vector<std::string> cases = block.texts("cases");
  const std::string precision = precision_of(block);
  const std::string backend = block.text("ceilings", "");
  const std::vector<StepLine> lines = read_lines(block, context);
  if (lines.empty()) return section.note("None of these rungs is described or measured yet.");
  std::vector<const Cell*> used;
  for (const std::string& case_name : cases) {
    const std::vector<Step> made = make_steps(lines, context, case_name, precision, backend);
    if (std::ranges::all_of(made, [](const Step& s) { return s.cell == nullptr && std::isnan(s.paper_seconds); })) {
      section.note(fmt::format("{}, {}: none of these is measured here.", case_name, precision));
      continue;
    }
    std::ranges::copy(cells_in(made), std::back_inserter(used));
    add_table(made, context, case_name, precision, section);
    const std::string fastest = fastest_text(made, context, case_name);
    if (!fastest.empty()) section.find(fastest);
    say_total(made, section, case_name);
    note_over_100(made, context, section);
    say_disagreements(made, section, case_name);
    note_disagreeing_rounds(made, section, case_name);
    std::optional<Figure> chart =
        steps_chart(made, figure_title(context, "Time per step (" + section.title + ")", {case_name, precision}), case_name);
    if (!chart) continue;
    chart->conclusion = fastest;
    section.add(*std::move(chart),
                rows_caption(context, cells_in(made), fmt::format("kind=sample, case={}, precision={}", case_name, precision)),
                rows_of(cells_in(made)));
  }
  say_what_moves_less(used, section);
  say_foreign(used, section);
}

}  // namespace ladder::reports
