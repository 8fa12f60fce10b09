#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace ladder {

/// Finds a step count that takes at least `seconds` by running longer and longer, which also serves as the warm-up. At most
/// 10^9, because no real computation is faster.
/// @param run    called with a step count; returns once these steps are done
/// @param agree  called with the measured seconds; returns the value that all processes use
template <class Run, class Agree = double (*)(double)>
std::int64_t calibrate(
    Run run, double seconds, Agree agree = [](double own) { return own; }) {
  using Clock = std::chrono::steady_clock;
  run(std::int64_t{1});
  for (std::int64_t steps = 1;;) {
    const auto begin = Clock::now();
    run(steps);
    const double took = agree(std::chrono::duration<double>(Clock::now() - begin).count());
    if (took >= seconds / 4)
      return std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(steps) * seconds / took)));
    if (steps >= 1'000'000'000) return steps;
    const double factor = took > 0 ? seconds / 3 / took : 10;
    steps = static_cast<std::int64_t>(std::ceil(static_cast<double>(steps) * std::clamp(factor, 2.0, 10.0)));
  }
}

/// Rounds a step count up to a multiple of 2, or of 4, 12, 24 or 120 from 4, 12, 48 or 240 steps on, which at most doubles it.
/// Most rungs that take several steps per pass then end with a whole pass; part of a pass may take much longer per step.
inline std::int64_t whole_passes(std::int64_t steps) {
  const std::int64_t multiple = steps >= 240 ? 120 : steps >= 48 ? 24 : steps >= 12 ? 12 : steps >= 4 ? 4 : 2;
  return (steps + multiple - 1) / multiple * multiple;
}

}  // namespace ladder
