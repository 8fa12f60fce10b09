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

/// Compares `actual(array, i)` with `expected(array, i)` for all i < size of each array and says where they first differ; empty
/// where they never do. NaN differs from everything.
template <class Actual, class Expected>
std::string first_difference(std::size_t arrays, std::size_t size, Actual actual, Expected expected) {
  std::size_t first = std::numeric_limits<std::size_t>::max();
#pragma omp parallel reduction(min : first)
  for (std::size_t array = 0; array < arrays; ++array) {
#pragma omp for nowait
    for (std::size_t i = 0; i < size; ++i)
      if (!(actual(array, i) == expected(array, i))) first = std::min(first, array * size + i);
  }
  if (first >= arrays * size) return "";
  const std::size_t array = first / size;
  const std::size_t i = first % size;
  return fmt::format("number {} of array {} is {}, expected {}", i, array, actual(array, i), expected(array, i));
}

}  // namespace ladder::ceilings
