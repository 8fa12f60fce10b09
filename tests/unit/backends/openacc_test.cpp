// The device that runs the loops, and its memory. Without a GPU, the device is the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "backends/mpi+openacc/share.hpp"
#include "backends/openacc/buffer.hpp"
#include "tests/support/text.hpp"

namespace ladder::openacc {
namespace {

TEST(OpenAccDevice, IsTheFirstGpuOrTheProcessor) {
  EXPECT_EQ(chosen_device(nullptr, 0), -1);
  EXPECT_EQ(chosen_device("", 2), 0);
  EXPECT_EQ(chosen_device("host", 2), -1);
  EXPECT_EQ(chosen_device("1", 2), 1);
}

TEST(OpenAccDevice, RefusesWhatNamesNone) {
  for (const char* wanted : {"2", "-1", "1x", "gpu", " 1"}) {
    try {
      chosen_device(wanted, 2);
      FAIL() << wanted;
    } catch (const Unavailable& e) {
      EXPECT_TRUE(test::contains(e.what(), wanted)) << e.what();
      EXPECT_TRUE(test::contains(e.what(), "accepted are host")) << e.what();
    }
  }
}

TEST(OpenAccDevice, IsNotSharedByProcessesIfItIsTheProcessor) {
  setenv(device_variable, "host", 1);
  EXPECT_EQ(device_count(), 0);
  unsetenv(device_variable);
}

TEST(OpenAccBuffer, StartsAsNaNAndCopiesBothWays) {
  const Device device = Device::select();
  constexpr std::size_t size = (1 << 20) + 3;  // more than it fills at a time
  Buffer<float> numbers(device, size);
  std::vector<float> read(size);
  numbers.read(read.data(), size);
  EXPECT_TRUE(std::all_of(read.begin(), read.end(), [](float f) { return std::isnan(f); }));

  std::vector<float> written(size);
  std::iota(written.begin(), written.end(), 0.0F);
  numbers.write(written);
  float* const f = numbers.data();
#pragma acc parallel loop deviceptr(f) async(1)
  for (std::size_t i = 0; i < size; ++i)
    f[i] += 1;
  numbers.read(read.data(), size);  // waits for the queue
  EXPECT_EQ(read.front(), 1);
  EXPECT_EQ(read.back(), static_cast<float>(size));
}

TEST(OpenAccBuffer, OfIntegersStartsAsZero) {
  const Device device = Device::select();
  Buffer<int> numbers(device, 5);
  std::vector<int> read(5, 7);
  numbers.read(read.data(), 5);
  EXPECT_EQ(read, std::vector<int>(5, 0));
}

}  // namespace
}  // namespace ladder::openacc
