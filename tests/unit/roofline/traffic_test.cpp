#include "roofline/model/traffic.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Traffic, IsTheSumOfReadsAndWrites) {
  constexpr ladder::Traffic d2q9 = {.read = 9 * sizeof(float), .write = 9 * sizeof(float)};
  static_assert(d2q9.total() == 72);
  EXPECT_EQ(ladder::Traffic{}.total(), 0);
}

}  // namespace
