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

std::string compare(const std::vector<double>& actual, const std::vector<double>& expected) {
  return first_difference(
      3, 0, expected.size(), [&](std::size_t, std::size_t i) { return actual[i]; },
      [&](std::size_t, std::size_t i) { return expected[i]; });
}

TEST(FirstDifference, IsEmptyWhereAllIsRight) { EXPECT_EQ(compare({1, 2, 3}, {1, 2, 3}), ""); }

TEST(FirstDifference, NamesTheFirstWrongNumber) {
  EXPECT_EQ(compare({1, 5, 4}, {1, 2, 3}), "number 1 of array 3 is 5, expected 2");
}

TEST(FirstDifference, FindsTheLastNumberWrong) {
  std::vector<double> numbers(100000, 1);
  auto wrong = numbers;
  wrong.back() = 2;
  EXPECT_EQ(compare(wrong, numbers), "number 99999 of array 3 is 2, expected 1");
}

TEST(FirstDifference, NeverAcceptsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare({1, nan}, {1, 2}), "number 1 of array 3 is nan, expected 2");
  EXPECT_NE(compare({nan}, {nan}), "");
}

}  // namespace
