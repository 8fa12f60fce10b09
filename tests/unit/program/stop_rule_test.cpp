#include "harness/run/stop_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ladder {
namespace {

const NoiseSource here{"serial", "box-128"};

Row row(const std::string& kind, const std::string& key, int round, double speed) {
  Row r;
  r.kind = kind;
  r.key = key;
  r.backend = here.backend;
  r.case_name = here.case_name;
  r.outcome = "ok";
  r.round = round;
  r.updates_per_second = speed;
  return r;
}

/// Rounds of two cells and the first cell's twin, with noise of the given width.
StopRule measured(double ratio, double noise, int rounds, int at_most = 40) {
  StopRule stopping({{.cell = "b", .over = "a", .noise = here, .rounds = at_most}});
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> around(1 - noise, 1 + noise);
  for (int round = 1; round <= rounds; ++round) {
    stopping.add(row("sample", "a", round, 1e8 * around(random)));
    stopping.add(row("twin", "a", round, 1e8 * around(random)));
    stopping.add(row("sample", "b", round, ratio * 1e8 * around(random)));
  }
  return stopping;
}

TEST(StopRule, LooksMoreRarelyAsRoundsGoOn) {
  std::vector<int> looks;
  for (int round = 1; round <= 40; ++round)
    if (StopRule::looks_after(round)) looks.push_back(round);
  EXPECT_EQ(looks, (std::vector<int>{6, 9, 14, 21, 32}));
}

TEST(StopRule, EndsWhereEveryPairHasAVerdict) {
  const auto judgement = measured(1.5, 0.01, 8).judge();
  EXPECT_EQ(judgement.reason, StopRule::Reason::resolved);
  EXPECT_EQ(judgement.unresolved, 0u);
  EXPECT_EQ(measured(1, 0.002, 8).judge().reason, StopRule::Reason::resolved) << "`same` is a verdict as well";
}

TEST(StopRule, GoesOnWhereMoreRoundsCanTell) {
  const auto judgement = measured(1.06, 0.1, 8, 1000).judge();
  EXPECT_EQ(judgement.reason, StopRule::Reason::none);
  EXPECT_EQ(judgement.unresolved, 1u);
}

TEST(StopRule, GivesUpWhereTheNoiseHidesTheDifference) {
  const auto judgement = measured(1.005, 0.5, 8, 40).judge();
  EXPECT_EQ(judgement.reason, StopRule::Reason::noise);
  EXPECT_EQ(judgement.unresolved, 1u);
}

TEST(StopRule, MakesAllRoundsWhereNoRatioIsAskedFor) {
  StopRule stopping({});
  for (int round = 1; round <= 8; ++round)
    stopping.add(row("sample", "a", round, 1e8));
  EXPECT_EQ(stopping.judge().reason, StopRule::Reason::none);
}

TEST(StopRule, PassesOverRowsThatAreNotOk) {
  StopRule stopping({{.cell = "b", .over = "a", .noise = here, .rounds = 40}});
  for (int round = 1; round <= 8; ++round) {
    stopping.add(row("sample", "a", round, 1e8));
    Row wrong = row("sample", "b", round, -1);
    wrong.outcome = "crashed";
    stopping.add(wrong);
  }
  EXPECT_EQ(stopping.judge().unresolved, 0u) << "cells that never ran are no reason to continue";
  EXPECT_TRUE(std::isnan(stopping.floor(here)));
}

TEST(StopRule, TakesTheFloorFromTheWidestTwin) {
  const StopRule quiet = measured(1, 0.01, 20);
  const StopRule loud = measured(1, 0.2, 20);
  EXPECT_GT(quiet.floor(here), 0);
  EXPECT_LT(quiet.floor(here), 0.02);
  EXPECT_GT(loud.floor(here), quiet.floor(here));
  EXPECT_TRUE(std::isnan(loud.floor({"opencl", here.case_name})));
  EXPECT_TRUE(std::isnan(loud.floor({here.backend, "box-1024"}))) << "noise in one case does not affect another";
}

}  // namespace
}  // namespace ladder
