// `ladder profile` of rungs on processors, with a fake kernel: what it stores, and what it shows where the kernel refuses.
#include "program/processor_profile.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "harness/record/csv.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* counted_rung = "d2q9/serial/90_counted";

/// Answers like a rung that needs 100 instructions and 40 cycles per update, and 7 million of each for its set-up. Lattices of
/// up to 256 × 256 cells are updated twice as fast as larger ones.
constexpr const char* counted_script = R"sh(#!/bin/sh
here=$(dirname "$0")
word() {  # the eight bytes of a number
  value=$1
  for byte in 1 2 3 4 5 6 7 8; do
    printf "\\$(printf %03o $((value & 255)))"
    value=$((value >> 8))
  done
}
command=$1
while [ $# -gt 1 ]; do
  case $1 in
    --case) name=$2 side=${2#box-} ;;
    --steps) steps=$2 ;;
  esac
  shift
done
cells=$((side * side))
case $command in
  probe) echo '{"available": true, "device": "a processor", "driver": "none", "threads": 1, "profiler": false,
                "no_profiler": "nobody counts"}' ;;
  case) echo "{\"case\": \"$name\", \"grid\": \"${side}x$side\", \"cells\": $cells, \"steps\": 10, \"content\": \"$name\"}" ;;
  measure)
    if [ -e "$here/refuse" ]; then { read -r code; cat >&2; } <"$here/refuse"; exit "$code"; fi
    echo "$name ${steps:-time}" >>"$here/asked"
    [ -n "$steps" ] || steps=2
    made=$steps
    [ -e "$here/phases" ] && made=$((2 * steps))
    share=100
    [ -e "$here/turns" ] && share=50
    [ -e "$here/starved" ] || { word $(((7000000 + 100 * cells * made) * share / 100)); word 100; word $share; } >"$LADDER_FAKE_PERF/0.1"
    [ -e "$here/starved" ] || { word $((7000000 + 40 * cells * made)); word 100; word 100; } >"$LADDER_FAKE_PERF/0.0"
    bytes=$((cells * 72))
    [ -e "$here/huge" ] && bytes=$((cells * 1000000000))
    per_step=$cells
    [ "$side" -le 256 ] && per_step=$((cells * $(cat "$here/small" || echo 50) / 100))
    sleep 0.02
    printf '{"benchmarks": [{"run_type": "iteration", "real_time": %d.0e-9, "time_unit": "s", "cells": %d, "steps": %d,
      "footprint_bytes": %d%s}]}\n' $((per_step * steps / 10)) $cells "$steps" $bytes \
      "$([ -e "$here/phases" ] && echo ', "label": "{\"phases\": \"stream=0.1;collide=0.1\"}"')" ;;
esac
)sh";

class ProcessorProfile : public testing::Test {
 protected:
  Folder kernel;
  Installation on{{}, {{"LADDER_FAKE_PERF", kernel.path().string()}, {"LD_PRELOAD", LADDER_FAKE_PERF_LIBRARY}}};
  fs::path rung = on.add_rung(description_of(counted_rung), counted_script);

  [[nodiscard]] ProcessResult profile(const Words& more = {}) const {
    Words words = {"profile", counted_rung, "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  void refuse(int error) const { kernel.write("errno", std::to_string(error)); }

  [[nodiscard]] std::string stored(const std::string& column) const {
    const auto file = CsvFile::parse("f", on.work().read("experiments/profile/results/here.profile.csv"));
    EXPECT_EQ(file.records().size(), 1u);
    return file.records().back().fields[file.column(column)];
  }
};

TEST_F(ProcessorProfile, StoresWhatTheStepsNeedWithoutTheSetUp) {
  const ProcessResult result = profile({"--case", "box-16", "--steps", "3"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "100 instructions and 40.0 cycles per update, 2.50 instructions per cycle")) << result.err;
  EXPECT_EQ(stored("kind"), "step");
  EXPECT_EQ(stored("profiler"), "perf_event_open");
  EXPECT_EQ(stored("steps"), "3");
  EXPECT_EQ(std::stod(stored("instructions")), 100 * 256 * 3);
  EXPECT_EQ(std::stod(stored("cycles")), 40 * 256 * 3);
  EXPECT_EQ(std::stod(stored("running_share")), 1);
  for (const char* column : {"replay", "launches", "l2_bytes", "occupancy", "dram_bytes_written", "dram_bytes_per_update"})
    EXPECT_EQ(stored(column), "") << column;
  EXPECT_FALSE(contains(result.out, "took turns"));
  const auto session = Json::parse(on.work().read("experiments/profile/results/here.profile." + stored("session") + ".json"));
  EXPECT_EQ(session.at("profiler").at("name"), "perf_event_open");
  EXPECT_EQ(session.at("profiler").at("metrics").at(0), "instructions");
  EXPECT_TRUE(contains(read_whole(rung / "asked"), "box-16 time\nbox-16 3\nbox-16 6\nbox-16 3\nbox-16 6\n"));
}

TEST_F(ProcessorProfile, TakesTheStepsOfASampleByDefault) {
  ASSERT_EQ(profile({"--case", "box-16"}).code, exit_ok);
  EXPECT_EQ(stored("steps"), "2");
}

TEST_F(ProcessorProfile, CountsTheStepsThatPhasesRepeat) {
  std::ofstream(rung / "phases") << "";
  ASSERT_EQ(profile({"--case", "box-16", "--steps", "3"}).code, exit_ok);
  EXPECT_EQ(stored("steps"), "6");
  EXPECT_EQ(std::stod(stored("instructions")), 100 * 256 * 6);
}

TEST_F(ProcessorProfile, MarksScaledCounts) {
  std::ofstream(rung / "turns") << "";
  const ProcessResult result = profile({"--case", "box-16", "--steps", "3"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "each was counted for at least 50 % of the time, and is scaled"));
  EXPECT_EQ(std::stod(stored("running_share")), 0.5);
  EXPECT_EQ(std::stod(stored("instructions")), 100 * 256 * 3);
}

TEST_F(ProcessorProfile, CanBeReportedOn) {
  ASSERT_EQ(profile({"--case", "box-16"}).code, exit_ok);
  const ProcessResult report = on.ladder({"report", "profile", "--out", on.path("out")});
  ASSERT_EQ(report.code, exit_ok) << report.err;
  EXPECT_TRUE(contains(on.work().read("out/index.html"), "Instructions per cycle"));
}

TEST_F(ProcessorProfile, ComparesWithTheCacheWhereTheKernelRefuses) {
  for (const auto& [error, reason] : {std::pair{ENOENT, "virtual PMU"},
                                      {ENOSYS, "no perf_event_open"},
                                      {EOPNOTSUPP, "virtual PMU"},
                                      {EACCES, "an administrator could"},
                                      {EPERM, "an administrator could"}}) {
    refuse(error);
    const ProcessResult result = profile({"--case", "box-4096"});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    EXPECT_TRUE(contains(result.out, "its counters cannot be read")) << error;
    EXPECT_TRUE(contains(result.out, reason));
    EXPECT_TRUE(contains(result.out, "MLUPS on box-4096, from "));
    EXPECT_TRUE(contains(result.out, "2.00× as fast in the cache: waiting for memory takes at least 50 % of its time"));
    EXPECT_FALSE(contains(result.out, "rows:"));
    EXPECT_EQ(on.work().listing(), Words{}) << "nothing is stored";
  }
}

TEST_F(ProcessorProfile, SaysWhatTheRateInTheCacheShows) {
  refuse(ENOENT);
  for (const auto& [percent, answer] :
       {std::pair{"100", "1.00× as fast in the cache: memory hardly limits it"},
        {"80", "1.25× as fast in the cache: waiting for memory takes at least 20 % of its time"},
        {"125", "0.800× as fast in the cache: short steps limit the small lattice"}}) {
    std::ofstream(rung / "small") << percent;
    EXPECT_TRUE(contains(profile({"--case", "box-4096"}).out, answer));
  }
}

TEST_F(ProcessorProfile, HasNoComparisonWithoutASmallCase) {
  refuse(ENOENT);
  std::ofstream(rung / "huge") << "";
  const ProcessResult result = profile({"--case", "box-64"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "MLUPS on box-64, from memory"));
  EXPECT_TRUE(contains(result.out, "no smaller case of this kind fits in L2"));
}

TEST(HalvedCase, HalvesTheSidesInTheName) {
  EXPECT_EQ(halved_case("box-128", "128x128"), "box-64");
  EXPECT_EQ(halved_case("rt-1920x2048", "1920x2048"), "rt-960x1024");
  EXPECT_EQ(halved_case("re100-37", "37x37x37"), "re100-18");
  EXPECT_EQ(halved_case("box-15", "15x15"), "") << "too small";
  EXPECT_EQ(halved_case("cavity", "128x128"), "");
  EXPECT_EQ(halved_case("car-2", "128x64"), "");
  EXPECT_EQ(halved_case("box-99999999999", "99999999999x8"), "");
}

TEST_F(ProcessorProfile, NeedsNoComparisonOfACaseInTheCache) {
  refuse(ENOENT);
  const ProcessResult result = profile({"--case", "box-16"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "so memory does not limit it"));
}

TEST_F(ProcessorProfile, FailsWhereTheRungIsWrong) {
  std::ofstream(rung / "refuse") << "1\nthe conserved sum went from 1 to 2\n";
  const ProcessResult result = profile({"--case", "box-16"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.err, "wrong: the conserved sum went from 1 to 2"));
  EXPECT_EQ(on.work().listing(), Words{});
}

TEST_F(ProcessorProfile, FailsWhereNothingWasCounted) {
  std::ofstream(rung / "starved") << "";
  const ProcessResult result = profile({"--case", "box-16"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.err, "counted neither instructions nor cycles"));
  EXPECT_EQ(on.work().listing(), Words{});
}

TEST_F(ProcessorProfile, RefusesOptionsOfGpus) {
  for (const Words& words : {Words{"--details"}, Words{"--slowdown"}, Words{"--replay", "kernel"}}) {
    Words all = {"--case", "box-16"};
    all.insert(all.end(), words.begin(), words.end());
    const ProcessResult result = profile(all);
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, "for rungs on GPUs"));
  }
  EXPECT_EQ(on.work().listing(), Words{});
}

TEST_F(ProcessorProfile, OfARealRungHasCountersOrARate) {
  const Installation real;
  const ProcessResult result = real.ladder({"profile", skeleton, "--case", "box-128", "--machine", "here"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(result.out.find("instructions per cycle") != std::string::npos || result.out.find("MLUPS") != std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace ladder::test
