// The power limit of a GPU.
#include "harness/run/gpu_power.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ladder {
namespace {

TEST(GpuPowerLimit, IsThatOfTheDriver) {
  EXPECT_DOUBLE_EQ(gpu_power_limit("Fake One", FAKE_NVML), 250);
  EXPECT_DOUBLE_EQ(gpu_power_limit("Fake One, shared by 2 processes", FAKE_NVML), 250);
}

TEST(GpuPowerLimit, IsUnknownIfTheDriverDoesNotReportIt) {
  EXPECT_TRUE(std::isnan(gpu_power_limit("Fake Two", FAKE_NVML))) << "no limit";
  EXPECT_TRUE(std::isnan(gpu_power_limit("Fake One Ti", FAKE_NVML)));
  EXPECT_TRUE(std::isnan(gpu_power_limit("a processor", FAKE_NVML)));
  EXPECT_TRUE(std::isnan(gpu_power_limit("Fake One", "/no/such/library.so")));
}

}  // namespace
}  // namespace ladder
