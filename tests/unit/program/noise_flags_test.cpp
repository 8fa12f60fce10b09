#include "harness/run/noise_flags.hpp"

#include <gtest/gtest.h>

namespace ladder {
namespace {

TEST(NoiseFlags, HasNothingAgainstAQuietSample) {
  Row row;
  row.affinity = "0;1";
  row.other_load = 0.02;
  row.steal = 0;
  EXPECT_EQ(NoiseFlags().of(row, true), "");
  EXPECT_EQ(NoiseFlags().of(Row{}, true), "") << "unknown conditions are not suspicious";
}

TEST(NoiseFlags, NamesEachReason) {
  Row row;
  row.affinity = "0-1";
  row.other_load = 0.9;
  row.steal = 0.2;
  row.gpu_throttle = "sw_power_cap";
  EXPECT_EQ(NoiseFlags().of(row, true), "load;steal;unpinned;throttle");
  EXPECT_EQ(NoiseFlags().of(row, false), "load;steal;throttle") << "the scheduler may move threads that nobody pins";
}

TEST(NoiseFlags, LeavesASampleOnAGpuOneProcessorToSpare) {
  Row row;
  row.other_load = 3;
  EXPECT_EQ(NoiseFlags(64).of(row, false), "load");
  row.gpu_mhz = 1980;
  EXPECT_EQ(NoiseFlags(64).of(row, false), "");
  EXPECT_EQ(NoiseFlags(64).of(row, false, 60), "");
  EXPECT_EQ(NoiseFlags(64).of(row, false, 61), "load");
  EXPECT_EQ(NoiseFlags(2).of(row, false), "load");
  row.steal = 60;
  EXPECT_EQ(NoiseFlags(66).of(row, false), "");
  EXPECT_EQ(NoiseFlags(64).of(row, false), "load;steal");
}

TEST(NoiseFlags, CountsThreads) {
  Row row;
  row.threads = 2;
  EXPECT_EQ(NoiseFlags().of(row, true, 2), "");
  EXPECT_EQ(NoiseFlags().of(row, true, 4), "threads");
  EXPECT_EQ(NoiseFlags().of(row, false, 4), "") << "the threads of a backend that does not pin them are not counted";
}

TEST(NoiseFlags, NoticesAQuota) {
  EXPECT_EQ(NoiseFlags().of(Row{}, false, 2, 0.1), "") << "a burst before the sample";
  EXPECT_EQ(NoiseFlags().of(Row{}, false, 2, 0.11), "quota");
}

TEST(NoiseFlags, RemembersTheHighestClockOfEachDevice) {
  NoiseFlags suspicion;
  Row row;
  row.device = "one";
  row.gpu_mhz = 1980;
  EXPECT_EQ(suspicion.of(row, true), "");
  row.gpu_mhz = 1900;
  EXPECT_EQ(suspicion.of(row, true), "");
  row.gpu_mhz = 1200;
  EXPECT_EQ(suspicion.of(row, true), "clock");
  row.device = "another";
  EXPECT_EQ(suspicion.of(row, true), "");
}

}  // namespace
}  // namespace ladder
