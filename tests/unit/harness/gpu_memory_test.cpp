// The nominal bandwidth of a GPU's memory.
#include "harness/run/gpu_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ladder {
namespace {

TEST(GpuMemoryBandwidth, IsTwiceTheClockTimesTheWidth) {
  EXPECT_DOUBLE_EQ(gpu_memory_bandwidth("Fake One", FAKE_NVML), 2 * 1e9 * 64);
  EXPECT_DOUBLE_EQ(gpu_memory_bandwidth("Fake One, shared by 2 processes", FAKE_NVML), 2 * 1e9 * 64);
}

TEST(GpuMemoryBandwidth, IsUnknownIfOnlyPartOfTheNameMatches) {
  EXPECT_TRUE(std::isnan(gpu_memory_bandwidth("Fake One Ti", FAKE_NVML)));
  EXPECT_TRUE(std::isnan(gpu_memory_bandwidth("Fake One Ti, shared by 2 processes", FAKE_NVML)));
}

TEST(GpuMemoryBandwidth, IsUnknownIfTheDriverDoesNotReportIt) {
  EXPECT_TRUE(std::isnan(gpu_memory_bandwidth("Fake Two", FAKE_NVML))) << "no width";
  EXPECT_TRUE(std::isnan(gpu_memory_bandwidth("a processor", FAKE_NVML)));
  EXPECT_TRUE(std::isnan(gpu_memory_bandwidth("Fake One", "/no/such/library.so")));
}

}  // namespace
}  // namespace ladder
