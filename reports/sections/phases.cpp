#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

constexpr std::string_view prefix = "phase_";  ///< prefix of the paper's quantities

/// The time of a step and of its phases, for a rung or for a label of the paper.
struct Times {
  std::string title;                                        ///< of its column
  std::vector<std::pair<std::string, double>> phases = {};  ///< milliseconds, in the order of the step
  double step = unknown;                                    ///< milliseconds
  double sites = unknown;

  [[nodiscard]] double of(const std::string& phase) const {
    const auto found = std::ranges::find(phases, phase, &std::pair<std::string, double>::first);
    return found == phases.end() ? unknown : found->second;
  }
  [[nodiscard]] double sum() const {
    double all = 0;
    for (const auto& [name, milliseconds] : phases)
      all += milliseconds;
    return all;
  }
};

/// A time of the paper in milliseconds. @throws InputError if its unit is not a unit of time
double milliseconds(const Parameters& block, const PaperValue& v) {
  static const std::map<std::string, double> units = {{"s", 1e3}, {"ms", 1}, {"µs", 1e-3}, {"ns", 1e-6}};
  const auto unit = units.find(v.unit);
  if (unit != units.end()) return v.value * unit->second;
  block.fail("paper", fmt::format("names '{}', whose '{}' is in '{}'; accepted: s, ms, µs, ns", v.label, v.quantity, v.unit));
}

Times times_of_paper(const Parameters& block, const Context& context, const std::string& label, const std::string& case_name) {
  Times times{std::string(paper_prefix) + label};
  times.sites = cells_in_case(context, case_name);
  for (const PaperValue& v : context.study.paper.values()) {
    if (v.label != label || v.case_name != case_name) continue;
    if (v.quantity.starts_with(prefix)) times.phases.emplace_back(v.quantity.substr(prefix.size()), milliseconds(block, v));
    if (v.quantity == "step_time") times.step = milliseconds(block, v);
  }
  // Many publications give only the rate.
  if (std::isnan(times.step)) times.step = times.sites / context.study.paper.value(label, case_name, "mlups") / 1e3;
  return times;
}

Times times_of(const Cell& cell, std::string title) {
  Times times{std::move(title)};
  for (const auto& [name, seconds] : median_phases(cell))
    times.phases.emplace_back(name, 1e3 * seconds);
  times.step = cell.microseconds_per_step() / 1e3;
  times.sites = static_cast<double>(cell.row->cells);
  return times;
}

const std::string& longest_of(const Times& times) {
  return std::ranges::max_element(times.phases, {}, &std::pair<std::string, double>::second)->first;
}

/// "collide with 39.9 of 53.6 ms (74.4 %)": the longest phase, and its share of the total of all phases.
std::string longest_text(const Times& times) {
  const std::string& name = longest_of(times);
  return fmt::format("{} with {} of {} ms ({})", name, significant(times.of(name)), significant(times.sum()),
                     percent(times.of(name) / times.sum()));
}

/// The longest phase of our fastest rung and of the publication's fastest code; empty if none of our rungs has phases. Rungs
/// that have the publication's longest phase are preferred, as others divide a step differently.
std::string finding(const std::vector<Times>& papers, std::vector<Times> ours) {
  const auto paper = std::ranges::min_element(papers, {}, &Times::sum);
  if (paper != papers.end()) {
    const auto divides_alike = [&](const Times& times) { return !std::isnan(times.of(longest_of(*paper))); };
    if (std::ranges::any_of(ours, divides_alike)) std::erase_if(ours, std::not_fn(divides_alike));
  }
  const auto fastest = std::ranges::min_element(ours, {}, &Times::step);
  if (fastest == ours.end()) return "";
  std::string text = fmt::format("the longest phase of {} is {}", fastest->title, longest_text(*fastest));
  if (paper == papers.end()) return text + ".";
  text += fmt::format("; for the publication's {} it is {}", paper->title.substr(paper_prefix.size()), longest_text(*paper));
  const std::string& longest = longest_of(*fastest);
  if (!std::isnan(paper->of(longest)))
    text += fmt::format(", where {} takes {} times as long as ours", longest,
                        significant(paper->of(longest) / fastest->of(longest)));
  return text + ".";
}

Table make_table(const std::vector<Times>& all, const std::string& case_name) {
  using Line = std::pair<std::string, std::function<double(const Times&)>>;
  std::vector<Line> lines;
  std::vector<Column<Line>> columns = {{"Phase", "phase", &Line::first}};
  std::vector<std::string> phases;
  for (const Times& times : all) {
    columns.emplace_back(
        times.title, id_slug(times.title) + "_ms", [&](const Line& line) { return line.second(times); }, Digits{4});
    for (const auto& [name, value] : times.phases)
      add_once(phases, name);
  }
  for (const std::string& phase : phases)
    lines.emplace_back(phase, [phase](const Times& times) { return times.of(phase); });
  lines.emplace_back("all phases", [](const Times& times) { return times.phases.empty() ? unknown : times.sum(); });
  lines.emplace_back("step", &Times::step);
  lines.emplace_back("ns per site", [](const Times& times) { return 1e6 * times.step / times.sites; });
  lines.emplace_back("MLUPS", [](const Times& times) { return times.sites / times.step / 1e3; });
  return tabulate("phases-" + case_name, fmt::format("Time of each phase, ms per step, {}", case_name), columns, lines);
}

}  // namespace

void phases(const Parameters& block, const Context& context, Section& section) {
  const auto [cases, rungs, precision, tuning] = selection_of(block, "initial");
  const std::vector<std::string> labels = paper_labels(block, context);
  for (const std::string& case_name : cases) {
    std::vector<Times> all;
    std::vector<Times> ours;
    for (const std::string& label : labels) {
      Times times = times_of_paper(block, context, label, case_name);
      if (!times.phases.empty()) all.push_back(std::move(times));
    }
    std::vector<const Cell*> used;
    for (const Cell* cell : cells_of(context, rungs, case_name, precision, tuning)) {
      Times times = times_of(*cell, cell->row->rung.substr(cell->row->rung.find('/') + 1));
      if (times.phases.empty()) continue;
      used.push_back(cell);
      ours.push_back(std::move(times));
    }
    if (const std::string text = finding(all, ours); !text.empty()) section.find(case_name + ": " + text);
    std::ranges::copy(ours, std::back_inserter(all));
    if (used.empty()) section.note(fmt::format("{}: no rows of these rungs have phase times.", case_name));
    if (all.empty()) continue;
    section.add(make_table(all, case_name),
                rows_caption(context, used,
                             fmt::format("kind=sample, case={}, precision={}, tuning {}", case_name, precision, tuning)) +
                    " Medians. Each phase is timed separately, including the wait for its end; the step is timed as a whole. "
                    "The paper's step is as printed, or follows from its MLUPS.",
                rows_of(used));
  }
}

}  // namespace ladder::reports
