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

/// Rounds a step count up to 2, 4, 6 or 12, or, if it is larger, to a multiple of 24, from 240 on of 120. The result is at most
/// twice the count. With most rungs that take several steps per pass, a sample then ends with a whole pass. A partial pass may
/// take much longer per step.
inline std::int64_t whole_passes(std::int64_t steps) {
  for (const std::int64_t few : {2, 4, 6, 12})
    if (steps <= few) return few;
  const std::int64_t multiple = steps >= 240 ? 120 : 24;
  return (steps + multiple - 1) / multiple * multiple;
}

}  // namespace ladder
