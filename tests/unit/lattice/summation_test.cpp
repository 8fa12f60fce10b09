// Compiled with -ffast-math, as rungs are.
#include "base/summation.hpp"

#include <gtest/gtest.h>

namespace ladder {
namespace {

TEST(Sum, IsCompensatedWhereSumsMayBeReordered) {
  // A plain sum rounds each term in the same direction, with a relative error of 1e-10.
  constexpr int terms = 10'000'000;
  Sum sum;
  for (int n = 0; n < terms; ++n)
    sum.add(0.1);
  EXPECT_NEAR(sum.value(), terms * 0.1, 1e-9 * 0.25);
}

TEST(Sum, KeepsWhatLargeTermsHide) {
  Sum sum;
  for (const double x : {1.0, 1e100, 1.0, -1e100})
    sum.add(x);
  EXPECT_EQ(sum.value(), 2);
}

}  // namespace
}  // namespace ladder
