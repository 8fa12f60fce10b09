#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ladder::ceilings {

/// Input element `i`: from 1 to 2 in steps of 1/1024, so that every ceiling computes exactly in single precision, and in
/// scattered order, so that misplaced elements are detected.
[[gnu::always_inline]] inline double pattern(std::uint64_t i) {
  return 1.0 + static_cast<double>((i * 0x9E3779B97F4A7C15U) >> 54U) / 1024.0;
}

/// Compares `actual(array, i)` with `expected(array, i)` for first <= i < last and describes the first difference; empty if
/// there is none. NaN differs from everything.
template <class Actual, class Expected>
std::string first_difference(std::size_t array, std::size_t first, std::size_t last, Actual actual, Expected expected) {
  for (std::size_t i = first; i < last; ++i)
    if (!(actual(array, i) == expected(array, i)))
      return fmt::format("number {} of array {} is {}, expected {}", i, array, actual(array, i), expected(array, i));
  return "";
}

}  // namespace ladder::ceilings
