#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/sections/sections.hpp"

namespace ladder::reports {

/// One step of a ladder for one case: the paper's and ours.
struct Step {
  std::string label;
  std::string why = {};             ///< why no rung implements the step
  std::optional<std::size_t> over;  ///< index of the step that speed-ups are relative to
  std::string over_label = {};      ///< label of that step unless it is the previous one and the rung's parent

  double paper_seconds = 0;       ///< NaN if the paper has none
  double paper_steps = 0;         ///< the number of steps that the seconds cover
  double paper_microseconds = 0;  ///< per step
  double paper_speedup = 0;       ///< of the seconds, or of the times per step if the numbers of steps differ
  double stated_speedup = 0;      ///< as stated in the paper's text

  CellQuery query;  ///< empty rung: a step that exists only in the paper
  const Cell* cell = nullptr;
  double seconds = std::numeric_limits<double>::quiet_NaN();  ///< for the paper's number of steps; NaN if it has no seconds
  Ratio speedup;
  std::string verdict = "—";           ///< on the speed-up
  std::optional<Fraction> of_dram;     ///< of copy-Q
  std::optional<Fraction> of_nearest;  ///< of the copy at the working set nearest to the memory footprint
};

/// The speed-up according to the medians of all samples, if it differs by more than 10 % from `speedup`, which compares the
/// rounds of one session; else NaN.
double disagreeing_speedup(const std::vector<Step>& steps, const Step& step);

/// Time per step along the ladder on a logarithmic axis, for the paper and for ours, with the factor of each step. Empty if
/// neither has a time.
std::optional<Figure> steps_chart(const std::vector<Step>& steps, const std::string& title, const std::string& case_name);

}  // namespace ladder::reports
