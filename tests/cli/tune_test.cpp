// `ladder tune` for a rung with known speed: the runs that it starts, the result, and the files it leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* hill = "d2q9/serial/90_hill";

/// Two tunables with 24 combinations, 3 of which are refused.
constexpr const char* tuned_description = R"({
 "id": "d2q9/serial/90_hill", "model": "d2q9", "backend": "serial", "build": "default", "follows": "", "idea": "a hill",
 "layout": "none", "traffic": "none", "source": "none", "bound": "none", "compiler": "none", "flags": "none", "lattices": 2,
 "collision": "factored", "operations": [{"form": "factored", "add": 85, "total": 85}],
 "bytes_per_update": {"f32": {"read": 37, "write": 36}, "f64": {"read": 73, "write": 72}},
 "bytes_per_update_minimum": {"f32": 72, "f64": 144},
 "tunables": [{"name": "a", "meaning": "one side", "values": [1, 2, 3, 4, 5, 6], "initial": 1},
              {"name": "b", "meaning": "the other", "values": [1, 2, 4, 8], "initial": 1}],
 "constraints": ["a * b <= 24"], "observable": "average speed", "cases": ["box-16"]})";

/// Records each check and each measurement. A step takes 1 us, plus 1 us for each unit between `a` and 3, plus 1 us if `b` is
/// below 2. Files next to the script change its answers:
/// * `wrong`, `beyond`: tunings that give wrong results or exceed a device limit
/// * `beyond-measuring`: tunings that exceed a limit only when they are measured
/// * `counter`: a sample of a second or more has energy: 0.1 mJ, plus 0.1 mJ for each unit between `a` and 5
/// * `late`: the first sample has no energy
/// * `device`: name of the device
/// * `processes`: the rung may run as several processes
/// * `clock`: more members of the answer to a measurement with energy
constexpr const char* script = R"(#!/bin/sh
here=$(dirname "$0")
command=$1
name=
long=
a=1
b=1
while [ $# -gt 0 ]; do
  case $1=$2 in
    --min-time=[1-9]*) long=yes ;;
    --set=a=*) a=${2#a=} ;;
    --set=b=*) b=${2#b=} ;;
    --case=*) name=$2 ;;
  esac
  shift
done
case $command in
  probe) [ -e "$here/absent" ] && echo '{"available": false, "reason": "no hill"}' ||
    echo "{\"available\": true, \"device\": \"$(cat "$here/device" 2>/dev/null || echo hill)\", \"threads\": 1, \"processes\": $([ -e "$here/processes" ] && echo true || echo false)}" ;;
  case)
    [ "$name" = box-16 ] || { echo "unknown case '$name'" >&2; exit 2; }
    echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "hill"}' ;;
  tunings)
    list=
    for x in 1 2 3 4 5 6; do for y in 1 2 4 8; do
      [ $((x * y)) -le 24 ] && list="$list${list:+, }[$x, $y]"
    done; done
    echo "{\"names\": [\"a\", \"b\"], \"combinations\": 24, \"constraints\": [{\"text\": \"a * b <= 24\", \"refused\": 3}], \"tunings\": [$list]}" ;;
  check)
    echo "$a,$b" >>"$here/checks"
    grep -qsx "$a,$b" "$here/beyond" && { echo 'beyond the device' >&2; exit 2; }
    outcome=ok
    grep -qsx "$a,$b" "$here/wrong" && outcome=wrong
    echo "{\"outcome\": \"$outcome\", \"reason\": \"as told\", \"check_steps\": 2, \"population_error\": 0, \"tolerance\": 1, \"history_error\": 0}"
    [ $outcome = ok ] ;;
  measure)
    echo "$a,$b" >>"$here/samples"
    grep -qsx "$a,$b" "$here/beyond-measuring" && { echo 'beyond the device' >&2; exit 2; }
    away=$((a > 3 ? a - 3 : 3 - a))
    time=$((10 + 10 * away + 10 * (b < 2)))
    energy=
    [ -n "$long" ] && [ -e "$here/counter" ] &&
      energy="$(cat "$here/clock" 2>/dev/null), \"joules\": 0.000$((a > 5 ? a - 4 : 6 - a)), \"label\": \"{\\\"energy_domain\\\": \\\"gpu\\\"}\""
    [ -e "$here/late" ] && [ $(wc -l <"$here/samples") -le 1 ] && energy=
    echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": 0.0000$time, \"time_unit\": \"s\", \"cells\": 256, \"steps\": 10, \"footprint_bytes\": 18432$energy}]}" ;;
esac
)";

class Tune : public testing::Test {
 protected:
  Installation on;
  fs::path rung = on.add_rung(tuned_description, script);
  const std::string folder = "experiments/tune-d2q9-serial-90-hill-box-16-f32";

  [[nodiscard]] ProcessResult tune(const Words& more = {}) const {
    Words words = {"tune", hill, "--case", "box-16", "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  [[nodiscard]] Json answer(const Words& more = {}, int code = exit_ok) const {
    Words words = more;
    words.emplace_back("--json");
    const ProcessResult result = tune(words);
    EXPECT_EQ(result.code, code) << result.err;
    return Json::parse(result.out);
  }

  void tell(const std::string& file, const std::string& text) const { std::ofstream(rung / file) << text; }

  [[nodiscard]] std::vector<std::string> noted(const std::string& file) const {
    std::ifstream stream(rung / file);
    return lines({std::istreambuf_iterator<char>(stream), {}});
  }

  void expect_refused(const Words& words, const Words& parts) const {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Tune, FindsTheFastestAndReportsTies) {
  const Json found = answer();
  EXPECT_EQ(found.at("combinations"), 24);
  EXPECT_EQ(found.at("legal"), 21);
  EXPECT_EQ(found.at("measured"), 21);
  EXPECT_EQ(found.at("constraints").at(0).at("refused"), 3);
  const Json& best = found.at("best");
  ASSERT_EQ(best.size(), 6u) << "the best five and the initial tuning";
  std::set<std::string> ties;
  for (const Json& entry : best)
    if (entry.at("tie").get<bool>()) ties.insert(entry.at("tuning"));
  EXPECT_EQ(ties, (std::set<std::string>{"a=3;b=2", "a=3;b=4", "a=3;b=8"}));
  EXPECT_EQ(best[0].at("over_best").at("verdict"), "same");
  EXPECT_DOUBLE_EQ(best[0].at("over_initial").at("ratio").get<double>(), 4);
  EXPECT_EQ(best[0].at("over_initial").at("verdict"), "faster");
  EXPECT_DOUBLE_EQ(best[0].at("updates_per_second").get<double>(), 256 * 10 / 0.00001);
  EXPECT_GE(best[0].at("samples").get<int>(), 10);
  EXPECT_EQ(best[5].at("tuning"), "a=1;b=1");
  EXPECT_EQ(best[5].at("over_best").at("verdict"), "slower");
}

TEST_F(Tune, ChecksEachLegalTuningOnceAndStartsNoOther) {
  ASSERT_EQ(tune().code, exit_ok);
  auto checks = noted("checks");
  EXPECT_EQ(checks.size(), 21u);
  EXPECT_EQ(std::set<std::string>(checks.begin(), checks.end()).size(), 21u);
  for (const std::string refused : {"4,8", "5,8", "6,8"})
    EXPECT_EQ(std::count(checks.begin(), checks.end(), refused), 0);
  const auto samples = noted("samples");
  for (const auto& legal : checks)
    EXPECT_GE(std::count(samples.begin(), samples.end(), legal), 3) << legal;
  EXPECT_EQ(std::set<std::string>(samples.begin(), samples.end()).size(), 21u);
}

TEST_F(Tune, MeasuresNothingTwice) {
  const Json first = answer();
  const auto samples = noted("samples").size();
  const Json second = answer();
  EXPECT_EQ(noted("samples").size(), samples);
  EXPECT_EQ(second.at("best").at(0), first.at("best").at(0));
}

TEST_F(Tune, WritesAStudyThatRunAndReportKnow) {
  const ProcessResult result = tune();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "./ladder report tune-d2q9-serial-90-hill-box-16-f32"));
  const auto samples = noted("samples").size();
  const ProcessResult again = on.ladder({"run", "tune-d2q9-serial-90-hill-box-16-f32", "--machine", "here", "--no-report"});
  EXPECT_EQ(again.code, exit_ok) << again.err;
  EXPECT_TRUE(contains(again.out, "nothing to do: all 21 cells are measured"));
  EXPECT_EQ(noted("samples").size(), samples);
  const ProcessResult report = on.ladder({"report", "tune-d2q9-serial-90-hill-box-16-f32", "--out", on.path("out")});
  ASSERT_EQ(report.code, exit_ok) << report.err;
  EXPECT_TRUE(contains(on.work().read("out/index.html"), "a=3, b=2"));
}

TEST_F(Tune, PrintsATable) {
  const ProcessResult result = tune();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "21 of 24 tunings are legal, 21 measured; all were measured"));
  EXPECT_TRUE(contains(result.out, "3 refused by a * b <= 24"));
  EXPECT_TRUE(contains(result.out, "4.00× [4.00, 4.00]"));
  EXPECT_TRUE(contains(result.out, "tie: same"));
  EXPECT_TRUE(contains(result.out, "2 tunings cannot be distinguished from the best"));
}

TEST_F(Tune, TimesNoWrongAnswerAndExitsWithOne) {
  tell("wrong", "3,2\n3,4\n3,8\n");
  const Json found = answer({}, exit_check_failed);
  EXPECT_EQ(found.at("failed"), 3);
  const auto samples = noted("samples");
  EXPECT_EQ(std::count(samples.begin(), samples.end(), "3,2"), 0);
  const std::string best = found.at("best").at(0).at("tuning");
  EXPECT_TRUE(best == "a=2;b=2" || best == "a=2;b=4" || best == "a=2;b=8" || best == "a=4;b=2" || best == "a=4;b=4") << best;
}

TEST_F(Tune, LeavesOutWhatIsBeyondTheDevice) {
  tell("beyond", "3,8\n1,1\n");
  const Json found = answer();
  EXPECT_EQ(found.at("failed"), 0);
  EXPECT_EQ(found.at("measured"), 21);
  for (const Json& entry : found.at("best")) {
    EXPECT_NE(entry.at("tuning"), "a=3;b=8");
    EXPECT_FALSE(entry.contains("over_initial")) << "the initial tuning has no speed";
  }
}

TEST_F(Tune, EndsWhereTheBudgetIsSpentAndCarriesOnWithALargerOne) {
  const Json first = answer({"--budget", "0.001s"});
  EXPECT_EQ(first.at("measured"), 16);
  EXPECT_TRUE(contains(first.at("end").get<std::string>(), "budget"));
  EXPECT_TRUE(contains(first.at("end").get<std::string>(), "re-measuring took another "));
  EXPECT_EQ(noted("checks").size(), 16u);
  const Json second = answer();
  EXPECT_EQ(second.at("measured"), 21);
  ASSERT_EQ(second.at("best").size(), 6u);
  for (const Json& entry : second.at("best")) {
    EXPECT_TRUE(entry.contains("over_initial")) << "all are measured in the same rounds, including earlier finalists";
    EXPECT_GE(entry.at("samples").get<int>(), 10);
  }
  const auto checks = noted("checks");
  EXPECT_EQ(std::set<std::string>(checks.begin(), checks.end()).size(), 21u);
}

TEST_F(Tune, FindsTheLeastEnergy) {
  tell("counter", "");
  const Json found = answer({"--for", "energy"});
  EXPECT_EQ(found.at("for"), "energy");
  EXPECT_EQ(found.at("energy_domain"), "gpu");
  EXPECT_TRUE(found.at("power_limit_watts").is_null());
  EXPECT_EQ(found.at("measured"), 21);
  const Json& best = found.at("best");
  ASSERT_EQ(best.size(), 6u);
  std::set<std::string> ties;
  for (const Json& entry : best) {
    EXPECT_FALSE(entry.contains("over_best")) << "the ratio is not of speeds";
    if (entry.at("tie").get<bool>()) ties.insert(entry.at("tuning"));
  }
  EXPECT_EQ(ties, (std::set<std::string>{"a=5;b=1", "a=5;b=2", "a=5;b=4"}));
  EXPECT_DOUBLE_EQ(best[0].at("joules_per_update").get<double>(), 0.0001 / (256 * 10));
  EXPECT_NEAR(best[0].at("energy_over_initial").at("ratio").get<double>(), 0.2, 1e-12);
  EXPECT_EQ(best[0].at("energy_over_initial").at("verdict"), "less");
  EXPECT_EQ(best[5].at("tuning"), "a=1;b=1");
  EXPECT_EQ(best[5].at("energy_over_best").at("verdict"), "more");
  EXPECT_NEAR(best[5].at("energy_over_best").at("low").get<double>(), 5, 1e-9);
  for (const Json& entry : best) {
    if (entry.at("tuning") != "a=5;b=2") continue;
    EXPECT_DOUBLE_EQ(entry.at("updates_per_second").get<double>(), 256 * 10 / 0.00003);
  }
}

TEST_F(Tune, KeepsTheSearchForEnergyApartFromThatForSpeed) {
  tell("counter", "");
  ASSERT_EQ(tune().code, exit_ok);
  const Json first = answer({"--for", "energy"});
  const auto samples = noted("samples").size();
  const Json second = answer({"--for", "energy"});
  EXPECT_EQ(noted("samples").size(), samples + 1) << "only a sample to find out whether there is a counter";
  EXPECT_EQ(second.at("best"), first.at("best"));
  EXPECT_TRUE(second.at("study").get<std::string>().ends_with("tune-d2q9-serial-90-hill-box-16-f32-energy/study.toml"));
  const std::string study = on.work().read(folder + "-energy/study.toml");
  EXPECT_TRUE(contains(study, "--for energy`, which overwrites it"));
  EXPECT_TRUE(contains(study, "sample_seconds = 1.25"));
  const ProcessResult again =
      on.ladder({"run", "tune-d2q9-serial-90-hill-box-16-f32-energy", "--machine", "here", "--no-report"});
  EXPECT_TRUE(contains(again.out, "nothing to do: all 21 cells are measured")) << again.out << again.err;
}

TEST_F(Tune, PrintsRateAndEnergy) {
  tell("counter", "");
  const ProcessResult result = tune({"--for", "energy"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  for (const char* text : {"MLUPS", "J per 10⁹ updates", "energy over the initial", "0.200× [0.200, 0.200]", "less", "more",
                           "39.06", "energy of the whole GPU\n"})
    EXPECT_TRUE(contains(result.out, text)) << text << '\n' << result.out;
  EXPECT_FALSE(contains(tune().out, "J per"));
}

TEST(TuneOnAGpu, PrintsThePowerLimit) {
  const Folder library;
  fs::create_symlink(FAKE_NVML, library.path() / "libnvidia-ml.so.1");
  const Installation on({}, {{"LD_LIBRARY_PATH", library.path().string()}});
  const fs::path rung = on.add_rung(tuned_description, script);
  std::ofstream(rung / "counter") << "";
  std::ofstream(rung / "device") << "Fake One";
  std::ofstream(rung / "clock") << ", \"gpu_mhz\": 1755";
  const Words words = {"tune", hill, "--case", "box-16", "--machine", "here", "--for", "energy"};
  const ProcessResult result = on.ladder(words);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "energy of the whole GPU, whose power limit is 250 W\n")) << result.out;
  EXPECT_TRUE(std::regex_search(result.out, std::regex("GPU, MHz.*\n.* 1,?755 "))) << result.out;
}

TEST_F(Tune, TakesAShortSampleForNoMissingCounter) {
  tell("counter", "");
  tell("late", "");
  const ProcessResult result = tune({"--for", "energy"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
}

TEST_F(Tune, RefusesToLookForEnergyThatNoCounterCounts) {
  expect_refused({"tune", hill, "--case", "box-16", "--for", "energy"},
                 {"--for energy: no energy counter of 'hill' can be read; docs/measuring.md"});
  EXPECT_TRUE(noted("checks").empty());
  tell("beyond-measuring", "1,1\n");
  const ProcessResult late = tune({"--for", "energy"});
  EXPECT_EQ(late.code, exit_bad_input) << "the initial tuning cannot be measured, the others have no energy";
  EXPECT_TRUE(contains(late.err, "no energy counter of 'hill'")) << late.err;
  tell("counter", "");
  expect_refused({"tune", hill, "--case", "box-16", "--for", "energy", "--sample-seconds", "301"}, {"at most 300"});
  expect_refused({"tune", hill, "--case", "box-16", "--for", "power"}, {"--for", "power", "energy"});
  tell("processes", "");
  expect_refused({"tune", hill, "--case", "box-16", "--for", "energy", "--placement", "processes=2"},
                 {"--for energy, --placement 'processes=2': accepted: one process"});
}

TEST_F(Tune, SaysWhyItCannotRunHere) {
  tell("absent", "");
  const ProcessResult result = tune();
  EXPECT_EQ(result.code, exit_unavailable);
  EXPECT_TRUE(contains(result.err, "no hill"));
  EXPECT_EQ(on.work().listing(), Words{});
}

TEST_F(Tune, RefusesBadInputAndWritesNothing) {
  EXPECT_EQ(on.ladder({"tune", "--help"}).code, exit_ok);
  expect_refused({"tune", "d2q9/serial/90_hil", "--case", "box-16"}, {"'d2q9/serial/90_hil'", "'d2q9/serial/90_hill'"});
  expect_refused({"tune", skeleton, "--case", "box-16"}, {"has no tunables; rungs built here that have some: ", hill});
  expect_refused({"tune", hill}, {"--case"});
  expect_refused({"tune", hill, "--case", "bok-16"}, {"unknown case 'bok-16'"});
  expect_refused({"tune", hill, "--case", "box-16", "--precision", "double"}, {"precision 'double'"});
  expect_refused({"tune", hill, "--case", "box-16", "--machine", "../up"}, {"machine name '../up'"});
  for (const std::string budget : {"", "m", "-1m", "0s", "1d", "1m ", "nan s", "infm", "1e9h"})
    expect_refused({"tune", hill, "--case", "box-16", "--budget=" + budget}, {});
}

TEST_F(Tune, TunesARealRung) {
  if (!on.can_run(tuned)) GTEST_SKIP() << "no OpenCL device";
  const ProcessResult result = on.ladder(
      {"tune", tuned, "--case", "box-16", "--machine", "here", "--budget", "0.001s", "--sample-seconds", "0.001", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found.at("combinations"), 64);
  EXPECT_LT(found.at("legal"), 64);
  EXPECT_EQ(found.at("measured"), 16);
  EXPECT_EQ(found.at("initial"), "wx=128;wy=1");
  EXPECT_GE(found.at("best").size(), 5u);
}

}  // namespace
}  // namespace ladder::test
