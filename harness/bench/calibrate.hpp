#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace ladder {

/// A number of steps that takes at least `seconds`, found by running longer and longer; this is the warm-up, too. At most 10^9:
/// no real computation is faster.
/// @param run    called with a number of steps; returns when they are done
/// @param agree  called with the seconds that they took; the seconds that all processes go by
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

}  // namespace ladder
