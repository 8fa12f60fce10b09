// `ladder compare`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

class Compare : public testing::Test {
 protected:
  Installation on;

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& message) const {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    for (const auto& part : message)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Compare, SetsARungAgainstItsTwin) {
  const ProcessResult result = on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "4", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at("rounds"), 4);
  EXPECT_EQ(answer.at("stopped"), "rounds");
  EXPECT_EQ(answer.at("a").at("rung"), skeleton);
  EXPECT_EQ(answer.at("b").at("rung"), skeleton);
  EXPECT_GT(answer.at("ratio").get<double>(), 0);
  EXPECT_LE(answer.at("low").get<double>(), answer.at("ratio").get<double>());
  EXPECT_GE(answer.at("high").get<double>(), answer.at("ratio").get<double>());
}

TEST_F(Compare, SaysAfterHowManyRoundsItWasDecided) {
  const ProcessResult early =
      on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "1000", "--budget", "5s"});
  ASSERT_EQ(early.code, exit_ok) << early.err;
  EXPECT_TRUE(contains(early.out, " of 1000 rounds\n"));
  const ProcessResult whole = on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "2"});
  EXPECT_EQ(whole.out.find(" of 2 rounds"), std::string::npos) << whole.out;
}

TEST_F(Compare, StoresItsRowsInASessionOfTheirOwn) {
  for (int times = 1; times <= 2; ++times) {
    const ProcessResult result =
        on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "1", "--machine", "here"});
    ASSERT_EQ(result.code, exit_ok) << result.err;
    EXPECT_TRUE(contains(result.out, "B over A: "));
    EXPECT_TRUE(contains(result.out, "unresolved"));
    // The header, plus a check, a sample and a twin for each run.
    EXPECT_EQ(lines(on.work().read("experiments/compare/results/here.csv")).size(), 1u + 3u * static_cast<unsigned>(times));
  }
}

/// Reports 10 us times `a` per step and 1 mJ times `a`, however busy the machine is. The script itself takes longer than that.
constexpr const char* steady_description = R"({
 "id": "d2q9/serial/90_steady", "model": "d2q9", "backend": "serial", "build": "default", "follows": "", "idea": "as told",
 "layout": "none", "traffic": "none", "source": "none", "bound": "none", "compiler": "none", "flags": "none", "lattices": 2,
 "collision": "factored", "operations": [{"form": "factored", "add": 85, "total": 85}],
 "bytes_per_update": {"f32": {"read": 37, "write": 36}, "f64": {"read": 73, "write": 72}},
 "bytes_per_update_minimum": {"f32": 72, "f64": 144},
 "tunables": [{"name": "a", "meaning": "milliseconds per step", "values": [1, 2], "initial": 1}], "constraints": [],
 "observable": "average speed", "cases": ["box-16"]})";
constexpr const char* steady_script = R"(#!/bin/sh
case "$*" in *--set*a=2*) a=2 ;; *) a=1 ;; esac
case $1 in
  probe) echo '{"available": true, "device": "steady", "threads": 1}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "steady"}' ;;
  check) echo '{"outcome": "ok", "reason": "", "check_steps": 2, "population_error": 0, "tolerance": 1, "history_error": 0}' ;;
  measure) echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": 0.000${a}0, \"time_unit\": \"s\", \"cells\": 256, \"steps\": 10, \"footprint_bytes\": 18432, \"joules\": 0.0$a, \"energy_domain\": \"package\"}]}" ;;
esac
)";

TEST_F(Compare, FailsWhereTheSecondIsSlowerAndOnlyThere) {
  const std::string steady = "d2q9/serial/90_steady";
  on.add_rung(steady_description, steady_script);
  for (const auto& [a, b, slower] : {std::tuple{steady, steady + ":a=2", true}, {steady + ":a=2", steady, false}}) {
    const ProcessResult result =
        on.ladder({"compare", a, b, "--case", "box-16", "--rounds", "7", "--fail-if-slower", "5", "--json"});
    EXPECT_EQ(result.code, slower ? exit_check_failed : exit_ok) << result.out;
    EXPECT_EQ(result.err.find("slower than A by more than 5 %") != std::string::npos, slower) << result.err;
  }
}

TEST_F(Compare, ShowsTheEnergyOfAnUpdateWhereItIsKnown) {
  const std::string steady = "d2q9/serial/90_steady";
  on.add_rung(steady_description, steady_script);
  const std::vector<std::string> words = {"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "3", "--energy"};
  const ProcessResult text = on.ladder(words);
  ASSERT_EQ(text.code, exit_ok) << text.err;
  EXPECT_TRUE(contains(text.out, "3906 J per 10^9 updates")) << "10 mJ for 2560 updates";
  EXPECT_TRUE(contains(text.out, "energy of an update, B over A: 2 [2, 2] in 3 rounds (package)"));
  auto as_json = words;
  as_json.emplace_back("--json");
  const auto answer = nlohmann::json::parse(on.ladder(as_json).out);
  EXPECT_EQ(answer.at("energy_ratio"), 2);
  EXPECT_EQ(answer.at("energy_low"), 2);
  EXPECT_EQ(answer.at("a").at("energy_domain"), "package");
}

TEST_F(Compare, SaysThatThereIsNoEnergy) {
  // A sample of at least a second is requested, but the folder of counters is empty.
  const ProcessResult result = on.shell("LADDER_POWERCAP=none \"$LADDER\" compare " + std::string(skeleton) + " " +
                                        std::string(skeleton) + " --case box-16 --rounds 1 --energy");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "ladder: no energy: this user can read no counter of the device"));
  EXPECT_FALSE(contains(result.out, "J per 10^9 updates"));
}

TEST_F(Compare, RefusesWhatItDoesNotKnow) {
  expect_refused({"compare", skeleton, "d2q9/serial/01_skeletton", "--case", "box-16"}, {"01_skeletton", skeleton});
  expect_refused({"compare", skeleton, skeleton},
                 {"ladder: compare: --case is required\n", "Example: ./ladder compare d2q9", "./ladder compare --help\n"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "5", "--fail-if-slower", "5"},
                 {"--rounds 5", "from 6"});
  expect_refused({"compare", skeleton, "--case", "box-16"}, {"B"});
  expect_refused({"compare", skeleton, skeleton, "--case", "bux-16"}, {"bux-16"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--precision", "f16"}, {"f16", "f32"});
  for (const char* settings : {":", ":wx", ":wx=", ":wx=a", ":=4", ":wx=4,", ":wx=99999999999999999999", ":wx=4;wy=2"})
    expect_refused({"compare", skeleton, std::string(tuned) + settings, "--case", "box-16"}, {"accepted"});
  expect_refused({"compare", skeleton, std::string(tuned) + ":wz=4", "--case", "box-16"}, {"'wz'"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--budget", "ten"}, {"'ten'", "10m"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--fail-if-slower", "-3"}, {"-3"});
}

}  // namespace
}  // namespace ladder::test
