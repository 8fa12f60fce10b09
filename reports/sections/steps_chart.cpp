#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "reports/sections/common.hpp"
#include "reports/sections/steps.hpp"

namespace ladder::reports {
namespace {

/// A dot at the time of a step; its bar begins at the time of the step that it follows.
Bar bar_of(const Step& s, std::size_t row, double microseconds, double before, double factor, const std::string& mark,
           const std::string& whose) {
  return {.row = row,
          .value = microseconds,
          .from = before,
          .text = rounded(microseconds),
          .start = std::isnan(before) ? "" : times(factor) + mark,
          .hover = fmt::format("{}: {}, {} µs per step{}", s.label, whose, significant(microseconds),
                               std::isnan(before) ? "" : ", " + times(factor))};
}

Bar paper_bar(const std::vector<Step>& steps, std::size_t i) {
  const Step& s = steps[i];
  const double before = s.over ? steps[*s.over].paper_microseconds : unknown;
  return bar_of(s, i, s.paper_microseconds, before, s.paper_speedup, "", "paper");
}

Bar our_bar(const std::vector<Step>& steps, std::size_t i) {
  const Step& s = steps[i];
  if (s.cell == nullptr) return {};
  const Cell* before = s.over ? steps[*s.over].cell : nullptr;
  const double other = disagreeing_speedup(steps, s);
  Bar bar = bar_of(s, i, s.cell->microseconds_per_step(), before == nullptr ? unknown : before->microseconds_per_step(),
                   s.speedup.value, std::isnan(other) ? "" : " ≠", "ours");
  bar.hover = fmt::format("{}: ours, {} µs per step, {} MLUPS, {}{}", s.label, significant(s.cell->microseconds_per_step()),
                          significant(s.cell->mlups()), ratio_cell(s.speedup).text,
                          std::isnan(other) ? "" : fmt::format(" in common rounds, {} between the dots", times(other)));
  return bar;
}

/// The steps that have a time, each still relative to the same step.
std::vector<Step> measured(const std::vector<Step>& all) {
  std::vector<Step> kept;
  std::vector<std::optional<std::size_t>> places;
  for (const Step& s : all) {
    const bool is_known = s.cell != nullptr || !std::isnan(s.paper_microseconds);
    places.push_back(is_known ? std::optional(kept.size()) : std::nullopt);
    if (!is_known) continue;
    kept.push_back(s);
    if (s.over) kept.back().over = *s.over < places.size() ? places[*s.over] : std::nullopt;
  }
  return kept;
}

}  // namespace

double disagreeing_speedup(const std::vector<Step>& steps, const Step& step) {
  const Cell* before = step.over ? steps[*step.over].cell : nullptr;
  if (step.cell == nullptr || before == nullptr) return unknown;
  const double of_medians = step.cell->median / before->median;
  return std::abs(of_medians / step.speedup.value - 1) > 0.1 ? of_medians : unknown;
}

std::optional<Figure> steps_chart(const std::vector<Step>& all, const std::string& title, const std::string& case_name) {
  const std::vector<Step> steps = measured(all);
  RowChart chart{.id = "ladder-" + case_name,
                 .title = title,
                 .x = {"time per step, µs (log scale; further left is faster)", Axis::Scale::logarithmic},
                 .rows = {},
                 .lanes = {{"paper", {color::vermilion, 5}}, {"ours", {color::blue, 7}}}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    chart.rows.push_back(words(steps[i].label));
    chart.lanes[0].bars.push_back(paper_bar(steps, i));
    chart.lanes[1].bars.push_back(our_bar(steps, i));
  }
  std::erase_if(chart.lanes, [](const Lane& lane) {
    return std::ranges::all_of(lane.bars, [](const Bar& bar) { return std::isnan(bar.value); });
  });
  if (chart.lanes.empty()) return std::nullopt;
  chart.lanes.back().place = static_cast<int>(chart.lanes.size()) - 1;
  return draw(chart);
}

}  // namespace ladder::reports
