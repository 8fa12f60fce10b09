#pragma once

#include <chrono>
#include <limits>
#include <vector>

#include "harness/bench/calibrate.hpp"

namespace ladder::ceilings {

/// Returns the fastest of several ways to do the same work, each tried for a few milliseconds. A ceiling that is too low makes
/// every rung look better than it is, and the best way depends on the GPU, the size and the precision.
/// @param run  run(way, sweeps); returns once they are done
template <class Way, class Run>
Way fastest(const std::vector<Way>& ways, Run run) {
  using Clock = std::chrono::steady_clock;
  constexpr double trial_seconds = 0.004;
  Way best = ways.front();
  double least = std::numeric_limits<double>::infinity();
  for (const Way& way : ways) {
    const std::int64_t sweeps = calibrate([&](std::int64_t n) { run(way, n); }, trial_seconds);
    const auto begin = Clock::now();
    run(way, sweeps);
    const double took = std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(sweeps);
    if (took >= least) continue;
    least = took;
    best = way;
  }
  return best;
}

}  // namespace ladder::ceilings
