#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace ladder::ceilings {

/// The value of number `i` of the input: between 1 and 2, in steps of 1/1024, so that every ceiling computes it exactly in
/// single precision, and scattered, so that a misplaced number shows.
[[gnu::always_inline]] inline double pattern(std::uint64_t i) {
  return 1.0 + static_cast<double>((i * 0x9E3779B97F4A7C15U) >> 54U) / 1024.0;
}

/// Compares `actual(i)` with `expected(i)` for i < size and says where they first differ; empty where they never do. NaN
/// differs from everything.
template <class Actual, class Expected>
std::string first_difference(std::string_view what, std::size_t size, Actual actual, Expected expected) {
  std::size_t first = std::numeric_limits<std::size_t>::max();
#pragma omp parallel for reduction(min : first)
  for (std::size_t i = 0; i < size; ++i)
    if (!(actual(i) == expected(i))) first = std::min(first, i);
  if (first >= size) return "";
  return fmt::format("{}: number {} is {}, expected {}", what, first, actual(first), expected(first));
}

}  // namespace ladder::ceilings
