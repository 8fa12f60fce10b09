// The map, evidence for the reference, and the behaviour of the expression that the publication prints.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/random.hpp"
#include "variants/logistic/model.hpp"

namespace logistic {
namespace {

constexpr double different = LOGISTIC_DIFFERENT, equal = LOGISTIC_EQUAL;

/// x after `steps` steps of `map`.
template <class Map>
double after(int steps, double x, Map map) {
  for (int step = 0; step < steps; ++step)
    x = map(x);
  return x;
}

TEST(Map, IsWhatOneComputesByHand) {
  EXPECT_EQ(logistic_map(different, 0.25), 0.75);
  EXPECT_EQ(logistic_map(different, 0.75), 0.75) << "a fixed point";
  EXPECT_EQ(logistic_map(different, 0.5), 1);
  EXPECT_EQ(logistic_map(different, 1.0), 0);
  EXPECT_EQ(logistic_map(equal, 0.5), 3.8 * 0.25);
  EXPECT_DOUBLE_EQ(logistic_map(equal, 0.2), 0.608);
}

TEST(Map, FollowsItsClosedFormAtFactor4) {
  for (const double angle : {0.1, 0.7, 1.3}) {
    const double x = std::pow(std::sin(angle), 2);
    for (const int steps : {1, 2, 5, 12})
      EXPECT_NEAR(after(steps, x, [](double v) { return logistic_map(different, v); }),
                  std::pow(std::sin(std::ldexp(angle, steps)), 2), std::ldexp(1e-15, steps))
          << "x_n = sin^2(2^n angle); an error doubles in each step";
  }
}

TEST(Map, StaysBetween0And1WithAllItsRounding) {
  double below = 0.5, above = 0.5;
  for (int n = 0; n < 100'000; ++n) {
    for (const double x : {below, above}) {
      EXPECT_LE(logistic_map(different, x), 1) << x;
      EXPECT_GE(logistic_map(different, x), 0) << x;
    }
    below = std::nextafter(below, 0);
    above = std::nextafter(above, 1);
  }
}

TEST(Map, HasTheSameBitsWithAFusedMultiplyAddAtFactor4) {
  for (std::uint64_t n = 0; n < 1'000'000; ++n) {
    const double x = ladder::uniform(n);
    ASSERT_EQ(logistic_map(4.0, x), x * std::fma(-4.0, x, 4.0)) << x;
  }
}

TEST(Map, IsAnotherOrbitAfterSixtyStepsIfOneOperationIsFused) {
  double largest = 0;
  for (std::uint64_t n = 0; n < 100; ++n) {
    double x = ladder::uniform(n), p = x, t = 1;
    const double exact = after(60, x, [](double v) { return logistic_map(different, v); });
    for (int step = 0; step < 60; ++step) {
      t = step == 0 ? 1 - x : std::fma(-p, t, 1.0);  // 1 - x of x = p t, fused
      p = different * x;
      x = p * t;
    }
    largest = std::max(largest, std::abs(x - exact));
  }
  EXPECT_GT(largest, 0.1);
}

TEST(PrintedMap, IsInfiniteAfterSevenStepsOfEveryRandomWordAndAfterFiveOfMost) {
  const auto printed = [](double x) { return printed_map(different, x); };
  const auto words = Model::make_case("random-1024").all_words();
  int after_five = 0;
  for (const std::uint32_t word : words[0]) {
    EXPECT_TRUE(std::isinf(after(7, word, printed))) << word;
    after_five += std::isinf(after(5, word, printed));
  }
  EXPECT_NEAR(after_five, 0.74 * static_cast<double>(words[0].size()), 10'000)
      << "4^31 x^32 exceeds 2^1024 if x exceeds 2^30.06";
  EXPECT_EQ(after(1000, std::numeric_limits<double>::infinity(), printed), std::numeric_limits<double>::infinity());
}

TEST(PrintedMap, LeavesEveryBoundFromNumbersBetween0And1Too) {
  int finite = 0;
  for (std::uint64_t n = 0; n < 10'000; ++n) {
    const double start = ladder::uniform(n);
    EXPECT_EQ(printed_map(different, start), -logistic_map(different, start));
    finite += std::isfinite(after(40, start, [](double x) { return printed_map(different, x); }));
  }
  EXPECT_EQ(finite, 0);
}

}  // namespace
}  // namespace logistic
