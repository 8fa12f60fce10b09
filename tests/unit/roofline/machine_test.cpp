#include "roofline/model/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "base/affinity.hpp"

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

/// hwloc describes this machine as one with more cores than this process may use.
class MoreCores : public testing::Test {
 protected:
  const std::vector<int> allowed = ladder::allowed_processors();
  const int cores = allowed.back() + 2;

  MoreCores() { setenv("HWLOC_SYNTHETIC", ("core:" + std::to_string(cores) + " pu:1").c_str(), 1); }
  ~MoreCores() override { unsetenv("HWLOC_SYNTHETIC"); }
};

TEST_F(MoreCores, ThanAreAllowedAreNotUsed) {
  const ladder::Machine machine = ladder::this_machine();
  EXPECT_EQ(machine.cores, cores);
  EXPECT_EQ(machine.processors, allowed);
}

TEST(Processor, IsReadFromTheTextOfX86) {
  const ladder::Processor p = ladder::parse_cpuinfo(
      "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nstepping\t: 1\n"
      "flags\t\t: fpu sse4_2 avx avx2 avx512f\n\nprocessor\t: 1\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nflags\t\t: "
      "fpu\n");
  EXPECT_EQ(p.vendor, "AuthenticAMD");
  EXPECT_EQ(p.family, 26);
  EXPECT_EQ(p.model, 2);
  EXPECT_EQ(p.stepping, 1);
  EXPECT_EQ(p.instruction_sets, (std::vector<std::string>{"sse4_2", "avx", "avx2", "avx512f"}));
}

TEST(Processor, IsReadFromTheTextOfArm) {
  const ladder::Processor p = ladder::parse_cpuinfo(
      "processor\t: 0\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\nCPU "
      "revision\t: 1\n");
  EXPECT_EQ(p.vendor, "0x41");
  EXPECT_EQ(p.family, 8);
  EXPECT_EQ(p.model, 0xd40);
  EXPECT_EQ(p.stepping, 1);
  EXPECT_EQ(p.instruction_sets, (std::vector<std::string>{"asimd", "sve"}));
}

TEST(Processor, OfATextThatTellsNothingIsUnknown) {
  for (const char* text : {"", "\n", ":\n", "model\n", "flags\t:\n"}) {
    const ladder::Processor p = ladder::parse_cpuinfo(text);
    EXPECT_EQ(p.vendor, "") << text;
    EXPECT_EQ(p.family, 0) << text;
    EXPECT_TRUE(p.instruction_sets.empty()) << text;
  }
}

}  // namespace
