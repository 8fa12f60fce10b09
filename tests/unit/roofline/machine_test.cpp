#include "roofline/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace {

TEST(Machine, DescribesWhatRunsThisTest) {
  const ladder::Machine machine = ladder::this_machine();
  EXPECT_FALSE(machine.processor.empty());
  EXPECT_GE(machine.cores, 1);
  EXPECT_LE(machine.cores, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_GT(machine.memory_bytes, std::int64_t{1} << 26);
  EXPECT_GE(machine.numa_nodes, 1);
}

TEST(Machine, ListsCachesFromTheCoreOutwards) {
  const ladder::Machine machine = ladder::this_machine();
  EXPECT_TRUE(std::is_sorted(machine.caches.begin(), machine.caches.end(),
                             [](const ladder::Cache& a, const ladder::Cache& b) { return a.level < b.level; }));
  for (const ladder::Cache& cache : machine.caches) {
    EXPECT_GE(cache.level, 1);
    EXPECT_GE(cache.bytes, 1024);
    EXPECT_GE(cache.count, 1);
    EXPECT_LT(cache.bytes * cache.count, machine.memory_bytes);
  }
}

TEST(Machine, IsTheSameEveryTime) { EXPECT_EQ(ladder::this_machine().caches, ladder::this_machine().caches); }

}  // namespace
