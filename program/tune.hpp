#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/run/search.hpp"
#include "program/commands.hpp"

namespace ladder {

/// What a search for the best tuning optimizes.
enum class Goal {
  speed,   ///< most updates per second
  energy,  ///< least energy per update
};

struct TuneOptions {
  std::string rung;
  std::string case_name;
  std::string precision;  ///< empty: the rung's default
  std::string machine;
  std::string placement;              ///< see parse_placement()
  std::vector<std::string> launcher;  ///< command that starts several processes; empty: chosen by launch_of()
  double budget_seconds = 600;        ///< for the search; re-measuring the best takes extra time
  double sample_seconds = 0.2;        ///< minimum duration of a sample; for energy at least energy_sample_seconds
  std::uint64_t seed = 1;             ///< seed for the search's random start and for the orders of the rounds
  Goal goal = Goal::speed;
  bool json = false;
};

/// `ladder tune`: searches a rung's tunables; re-measures the best few; reports ties.
int tune(const Context& context, const TuneOptions& options);

/// The name of the study that tunes a rung: `tune-d2q9-opencl-08-tuned-box-256-f32`, followed by the placement unless it is the
/// default, and by `energy` if that is the goal.
std::string tune_name(const TuneOptions& options);

/// Its study.toml: every legal tuning, and a heat map for each pair of tunables, or the values of a single one.
std::string tune_study(const TuneOptions& options, const Space& space, const Point& initial);

}  // namespace ladder
