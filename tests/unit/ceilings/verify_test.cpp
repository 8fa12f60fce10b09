#include "roofline/ceilings/verify.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace {

using ladder::ceilings::first_difference;
using ladder::ceilings::pattern;

TEST(Pattern, IsExactInSinglePrecisionAndSoAreItsSumsAndTriples) {
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const double value = pattern(i);
    EXPECT_GE(value, 1);
    EXPECT_LT(value, 2);
    const double triad = value + 3 * pattern(i + 1);
    EXPECT_EQ(static_cast<double>(static_cast<float>(triad)), triad);
  }
}

TEST(Pattern, DiffersBetweenNeighbours) {
  for (std::uint64_t i = 0; i < 10000; ++i)
    EXPECT_NE(pattern(i), pattern(i + 1));
}

/// Compares two arrays, one after the other.
std::string compare(const std::vector<double>& actual, const std::vector<double>& expected) {
  return first_difference(
      2, expected.size() / 2, [&](std::size_t array, std::size_t i) { return actual[array * (expected.size() / 2) + i]; },
      [&](std::size_t array, std::size_t i) { return expected[array * (expected.size() / 2) + i]; });
}

TEST(FirstDifference, IsEmptyWhereAllIsRight) { EXPECT_EQ(compare({1, 2, 3, 4}, {1, 2, 3, 4}), ""); }

TEST(FirstDifference, NamesTheFirstWrongNumber) {
  EXPECT_EQ(compare({1, 2, 3, 5, 0, 0}, {1, 2, 3, 4, 5, 6}), "number 0 of array 1 is 5, expected 4");
}

TEST(FirstDifference, FindsTheLastNumberWrong) {
  std::vector<double> numbers(100000, 1);
  auto wrong = numbers;
  wrong.back() = 2;
  EXPECT_EQ(compare(wrong, numbers), "number 49999 of array 1 is 2, expected 1");
}

TEST(FirstDifference, NeverAcceptsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare({1, 2, 3, nan}, {1, 2, 3, 4}), "number 1 of array 1 is nan, expected 4");
  EXPECT_NE(compare({nan, nan}, {nan, nan}), "");
}

}  // namespace
