#include "roofline/ceilings/kinds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace {

using ladder::ceilings::Kind;
using ladder::ceilings::kinds;

const Kind& kind(std::string_view name) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.name == name; });
}

TEST(Kinds, CountTheBytesOfStreamAsMcCalpinDoes) {
  EXPECT_EQ(kind("copy").traffic(8).total(), 16);
  EXPECT_EQ(kind("scale").traffic(8).total(), 16);
  EXPECT_EQ(kind("add").traffic(8).total(), 24);
  EXPECT_EQ(kind("triad").traffic(8).total(), 24);
}

TEST(Kinds, CountTheOperationsOfStreamAsMcCalpinDoes) {
  EXPECT_EQ(kind("copy").flops, 0);
  EXPECT_EQ(kind("scale").flops, 1);
  EXPECT_EQ(kind("add").flops, 1);
  EXPECT_EQ(kind("triad").flops, 2);
}

TEST(Kinds, MoveEveryPopulationOfASiteInAndOut) {
  EXPECT_EQ(kind("copy-9").traffic(4).total(), 72);
  EXPECT_EQ(kind("copy-19").traffic(8).total(), 304);
  EXPECT_EQ(kind("copy-37").traffic(8).read, 37 * 8);
  EXPECT_EQ(kind("copy-37").traffic(8).write, 37 * 8);
}

TEST(Kinds, MoveNothingWhereArithmeticOrLatencyIsMeasured) {
  EXPECT_EQ(kind("fma").traffic(8).total(), 0);
  EXPECT_EQ(kind("fma").flops, 2);
  EXPECT_EQ(kind("launch").traffic(8).total(), 0);
  EXPECT_EQ(kind("read").traffic(8).write, 0);
}

TEST(Kinds, NeitherMoveNorComputeAnythingWhereEventsAreTimed) {
  for (const char* name : {"launch", "graph", "grid-sync", "cluster-sync"}) {
    EXPECT_EQ(kind(name).traffic(8).total(), 0) << name;
    EXPECT_EQ(kind(name).flops, 0) << name;
  }
}

TEST(Kinds, AreAskedForASizeWhereMemoryIsMeasuredAndNotTheChip) {
  for (const char* name : {"copy", "triad", "copy-9", "read"})
    EXPECT_TRUE(kind(name).has_size()) << name;
  for (const char* name : {"l2-read", "l2-copy", "shared", "fma", "launch", "grid-sync"})
    EXPECT_FALSE(kind(name).has_size()) << name;
}

TEST(Kinds, HaveNamesOfTheirOwnAndSayWhatTheyAre) {
  std::set<std::string_view> names;
  for (const Kind& k : kinds) {
    EXPECT_TRUE(names.insert(k.name).second) << k.name;
    EXPECT_FALSE(k.meaning.empty()) << k.name;
    EXPECT_FALSE(k.unit.empty()) << k.name;
  }
}

}  // namespace
