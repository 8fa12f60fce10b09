// Answers of executables are stored only if they can be read again.
#include "harness/run/answers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ladder {
namespace {

std::string sample(const std::string& seconds, const std::string& cells = "16", const std::string& footprint = "1152") {
  return fmt::format(R"({{"benchmarks": [{{"run_type": "iteration", "time_unit": "s", "real_time": {}, "cells": {}, "steps": 10,
                                           "footprint_bytes": {}}}]}})",
                     seconds, cells, footprint);
}

TEST(SampleAnswer, HasASpeed) {
  const auto answer = parse_sample(sample("0.5"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->seconds, 0.5);
  EXPECT_EQ(answer->footprint_bytes, 1152);
}

TEST(SampleAnswer, IsNoneWhereTheSpeedWouldBeNoNumber) {
  EXPECT_FALSE(parse_sample(sample("5e-324"))) << "16 * 10 / 5e-324 is infinite";
  EXPECT_FALSE(parse_sample(sample("1e-20", "9007199254740992")));
  EXPECT_FALSE(parse_sample(sample("1e-17"))) << "160 updates";
  EXPECT_FALSE(parse_sample(sample("1e300")));
}

TEST(SampleAnswer, HasTheTrafficOfItsLabel) {
  EXPECT_EQ(parse_sample(sample("0.5"))->traffic, "");
  const auto traffic_of = [](const std::string& label) {
    return parse_sample(sample("0.5", "16", R"(1152, "label": ")" + label + "\""))->traffic;
  };
  EXPECT_EQ(traffic_of("affinity=0;1 pages=N0=12 traffic=dram=72+36;shared=72+72"), "dram=72+36;shared=72+72");
  EXPECT_EQ(traffic_of("traffic=dram=72+36"), "dram=72+36");
  EXPECT_EQ(traffic_of("affinity=0;1"), "");
  EXPECT_EQ(parse_sample(sample("0.5"))->phases, "");
  EXPECT_EQ(parse_sample(sample("0.5", "16", R"(1152, "label": "traffic=dram=72+36 phases=bc=0.25;collide=1e-05")"))->phases,
            "bc=0.25;collide=1e-05");
}

TEST(SampleAnswer, HasEnergyOnlyWithJoules) {
  const auto known = parse_sample(sample("2", "16", R"(1152, "joules": 300.5, "label": "affinity=0 energy=gpu")"));
  EXPECT_EQ(known->joules, 300.5);
  EXPECT_EQ(known->energy_domain, "gpu");
  for (const char* joules : {"0", "-1", "1e300", "\"300\""}) {
    const auto unknown = parse_sample(sample("2", "16", fmt::format(R"(1152, "joules": {}, "label": "energy=gpu")", joules)));
    EXPECT_TRUE(std::isnan(unknown->joules)) << joules;
    EXPECT_EQ(unknown->energy_domain, "") << joules;
  }
}

TEST(SampleAnswer, HasTheTimeOfQueuingIfItIsGiven) {
  EXPECT_EQ(parse_sample(sample("2", "16", R"(1152, "queue_seconds": 2.5e-06)"))->queue_seconds, 2.5e-6);
  EXPECT_TRUE(std::isnan(parse_sample(sample("2"))->queue_seconds));
}

TEST(SampleAnswer, HasNoQuantityThatNoMachineHas) {
  EXPECT_TRUE(std::isnan(parse_sample(sample("0.5", "16", "1e300"))->footprint_bytes));
}

}  // namespace
}  // namespace ladder
