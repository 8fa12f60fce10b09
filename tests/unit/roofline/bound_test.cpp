#include "roofline/model/bound.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using ladder::Cache;

/// Two cores with private caches below a shared one.
const std::vector<Cache> caches = {{1, 48 << 10, 2}, {2, 1 << 20, 2}, {3, 32 << 20, 1}};

TEST(Capacity, AddsTheCachesOfALevel) {
  EXPECT_EQ(ladder::capacity(caches, 1), 96 << 10);
  EXPECT_EQ(ladder::capacity(caches, 2), 2 << 20);
  EXPECT_EQ(ladder::capacity(caches, 3), 32 << 20);
  EXPECT_EQ(ladder::capacity(caches, 4), 0);
}

TEST(Capacity, CountsOnlyThePrivateCachesOfTheThreadsThatWork) {
  EXPECT_EQ(ladder::capacity(caches, 2, 1), 1 << 20);
  EXPECT_EQ(ladder::capacity(caches, 3, 1), 32 << 20);
  EXPECT_EQ(ladder::capacity(caches, 2, 16), 2 << 20);
}

TEST(Capacity, AddsCachesOfTwoKindsOfCore) {
  const std::vector<Cache> hybrid = {{1, 48 << 10, 8}, {1, 32 << 10, 16}};
  EXPECT_EQ(ladder::capacity(hybrid, 1), 8 * (48 << 10) + 16 * (32 << 10));
  EXPECT_EQ(ladder::capacity(hybrid, 1, 9), 8 * (48 << 10) + (32 << 10));
}

TEST(Residency, IsTheNearestCacheThatHoldsTheFootprint) {
  EXPECT_EQ(ladder::residency(8 << 10, caches), 1);
  EXPECT_EQ(ladder::residency(96 << 10, caches), 1);
  EXPECT_EQ(ladder::residency((96 << 10) + 1, caches), 2);
  EXPECT_EQ(ladder::residency(3 << 20, caches), 3);
  EXPECT_EQ(ladder::residency(1e9, caches), ladder::main_memory);
}

TEST(Residency, MovesOutwardsWhereFewerThreadsShareTheWork) { EXPECT_EQ(ladder::residency(96 << 10, caches, 1), 2); }

TEST(Residency, IsMainMemoryWithoutCaches) { EXPECT_EQ(ladder::residency(64, {}), ladder::main_memory); }

TEST(Residency, HasAName) {
  EXPECT_EQ(ladder::residency_name(2), "L2");
  EXPECT_EQ(ladder::residency_name(ladder::main_memory), "memory");
}

/// The values in Waugh's Figure 4: a Tesla K20 with 151 GB/s, and 131 operations and 72 bytes per update.
constexpr ladder::Roofline k20 = {.peak = 3.52e12, .bandwidth = 151e9};

TEST(Roofline, BoundsLowIntensityByBandwidth) {
  EXPECT_DOUBLE_EQ(ladder::attainable(k20, 131.0 / 72), 131.0 / 72 * 151e9);
  EXPECT_EQ(ladder::limit(k20, 131.0 / 72), ladder::Limit::bandwidth);
}

TEST(Roofline, BoundsHighIntensityByThePeak) {
  EXPECT_DOUBLE_EQ(ladder::attainable(k20, 100), 3.52e12);
  EXPECT_EQ(ladder::limit(k20, 100), ladder::Limit::arithmetic);
}

TEST(Roofline, IsContinuousAtTheRidge) {
  const double ridge = ladder::ridge(k20);
  EXPECT_DOUBLE_EQ(ridge, 3.52e12 / 151e9);
  EXPECT_DOUBLE_EQ(ladder::attainable(k20, ridge), k20.peak);
  EXPECT_EQ(ladder::limit(k20, ridge), ladder::Limit::bandwidth);
}

TEST(Roofline, BoundsUpdatesASecond) {
  EXPECT_DOUBLE_EQ(ladder::attainable_updates(k20, 72, 131), 151e9 / 72);
  EXPECT_DOUBLE_EQ(ladder::attainable_updates(k20, 72, 1e4), 3.52e12 / 1e4);
  EXPECT_DOUBLE_EQ(ladder::attainable_updates(k20, 0, 100), 3.52e10);
}

}  // namespace
