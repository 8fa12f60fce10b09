#include "harness/bench/calibrate.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <thread>
#include <utility>

namespace {

TEST(Calibrate, FindsStepsThatLastAsLongAsAsked) {
  using namespace std::chrono_literals;
  const auto steps = ladder::calibrate([](std::int64_t n) { std::this_thread::sleep_for(n * 1ms); }, 0.04);
  EXPECT_GE(steps, 10);  // sleeping may take longer than requested, never shorter
  EXPECT_LE(steps, 41);
}

TEST(Calibrate, TakesOneStepWhereOneIsLongEnough) {
  using namespace std::chrono_literals;
  EXPECT_EQ(ladder::calibrate([](std::int64_t) { std::this_thread::sleep_for(5ms); }, 0.005), 1);
}

TEST(Calibrate, WarmsUpForAboutAQuarterOfASample) {
  using namespace std::chrono_literals;
  std::int64_t done = 0;
  ladder::calibrate(
      [&](std::int64_t n) {
        done += n;
        std::this_thread::sleep_for(n * 100us);
      },
      0.2);
  EXPECT_LE(done, 2000);
}

TEST(Calibrate, EndsWhereNothingIsDone) {
  EXPECT_GE(ladder::calibrate([](std::int64_t) {}, 1), 1'000'000'000);
}

TEST(WholePasses, AreMultiplesOfTheUsualStepsPerPass) {
  for (const auto& [steps, rounded] : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
           {1, 2}, {3, 4}, {4, 4}, {5, 6}, {7, 12}, {13, 24}, {25, 48}, {48, 48}, {49, 72}, {239, 240}, {241, 360}})
    EXPECT_EQ(ladder::whole_passes(steps), rounded) << steps;
}

}  // namespace
