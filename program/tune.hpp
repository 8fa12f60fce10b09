#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/search.hpp"
#include "program/commands.hpp"

namespace ladder {

struct TuneOptions {
  std::string rung;
  std::string case_name;
  std::string precision;  ///< empty: the rung's default
  std::string machine;
  std::string placement;              ///< see parse_placement()
  std::vector<std::string> launcher;  ///< command that starts several processes; empty: what launch_of() finds
  double budget_seconds = 600;        ///< for the search; re-measuring the best takes extra time
  double sample_seconds = 0.2;        ///< a sample lasts at least this long
  std::uint64_t seed = 1;             ///< of the search's random start and of the rounds' orders
  bool json = false;
};

/// `ladder tune`: searches a rung's tunables; re-measures the best few; reports ties.
int tune(const Context& context, const TuneOptions& options);

/// The name of the study that tunes a rung: `tune-d2q9-opencl-08-tuned-box-256-f32`, followed by the placement if it is not the
/// default.
std::string tune_name(const TuneOptions& options);

/// Its study.toml: every legal tuning, and a heat map of each pair of tunables, or the values of the only one.
std::string tune_study(const TuneOptions& options, const Space& space, const Point& initial);

}  // namespace ladder
