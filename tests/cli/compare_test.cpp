// `ladder compare`.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "harness/record/rows.hpp"
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

const std::string steady = "d2q9/serial/90_steady";

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

/// The steady script with other answers to `measure`.
std::string measuring(const std::string& measure) {
  std::string script = steady_script;
  const auto at = script.find("  measure)");
  return script.replace(at, script.find("esac", at) - at, "  measure) " + measure + " ;;\n");
}

TEST_F(Compare, NamesUnitsNoiseAndTheNextCommand) {
  on.add_rung(steady_description, steady_script);
  const ProcessResult result = on.ladder({"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "60"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(result.out.starts_with("A  d2q9/serial/90_steady a=1")) << result.out;
  for (const char* part : {"median       25.6 MLUPS,         10 us per step",
                           "B over A: 0.5 [0.5, 0.5], speeds paired by round in 6 rounds: slower\n",
                           "noise floor: A measured against itself differs by up to 0.0 %\n",
                           "stopped: decided after 6 of 60 rounds\n", "next: `./ladder explain d2q9/serial/90_steady` shows"})
    EXPECT_TRUE(contains(result.out, part));
  EXPECT_EQ(result.out.find("The medians give"), std::string::npos);
  const ProcessResult few = on.ladder({"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "3"});
  EXPECT_TRUE(contains(few.out, "stopped: all 3 rounds are done\n"));
  EXPECT_TRUE(
      contains(few.out, "next: `./ladder compare d2q9/serial/90_steady d2q9/serial/90_steady:a=2 --case box-16`, since a"));
}

TEST_F(Compare, KeepsAllOptionsInTheNextCommand) {
  on.add_rung(steady_description, steady_script);
  const std::vector<std::string> options = {"--case",    "box-16",     "--precision",        "f64",      "--placement",
                                            "threads=1", "--launcher", "env -u {processes}", "--rounds", "3",
                                            "--budget",  "90s",        "--machine",          "here"};
  std::vector<std::string> words = {"compare", steady, steady + ":a=2"};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--energy");
  const ProcessResult result = on.ladder(words);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out,
                       "--case box-16 --precision f64 --placement 'threads=1' --launcher 'env -u {processes}' "
                       "--budget 90s --machine here --energy`, since a"))
      << result.out;
}

TEST_F(Compare, ReportsDisturbancesFirst) {
  on.add_rung(steady_description, measuring(R"(echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": 0.000${a}0,
    \"time_unit\": \"s\", \"cells\": 256, \"steps\": 10, \"footprint_bytes\": 18432, \"other_load\": 1.5}]}")"));
  const std::vector<std::string> words = {"compare", steady, steady, "--case", "box-16", "--rounds", "2"};
  const ProcessResult result = on.ladder(words);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(result.out.starts_with("The machine was disturbed during 4 of 4 samples: other programs were running in 4.\n"))
      << result.out;
  auto as_json = words;
  as_json.emplace_back("--json");
  const auto answer = nlohmann::json::parse(on.ladder(as_json).out);
  EXPECT_EQ(answer.at("samples"), 4);
  EXPECT_EQ(answer.at("disturbed_samples"), 4);
  EXPECT_EQ(answer.at("disturbances").at("load"), 4);
}

TEST_F(Compare, ReportsMediansThatDisagreeWithThePairedRatio) {
  // Each round takes ten times as long as the one before, and B takes twice as long as A, except in the first round.
  on.add_rung(steady_description, measuring(R"(
    file=$0.rounds.$a; n=$(cat "$file" 2>/dev/null || echo 0); echo $((n + 1)) >"$file"
    case $a in 1) n=$((n / 2)); set -- 1e-9 1e-8 1e-7 1e-6 1e-5 1e-4 ;; *) set -- 5e-4 2e-8 2e-7 2e-6 2e-5 2e-4 ;; esac
    shift $n
    echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": $1, \"time_unit\": \"s\", \"cells\": 256,
      \"steps\": 10, \"footprint_bytes\": 18432}]}")"));
  const ProcessResult result = on.ladder({"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "6"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "B over A: 0.5 ["));
  EXPECT_TRUE(
      contains(result.out, "The ratio of the medians, 0.05, is outside this interval: speeds drifted from round to round."));
}

TEST_F(Compare, FailsWhereTheSecondIsSlowerAndOnlyThere) {
  on.add_rung(steady_description, steady_script);
  for (const auto& [a, b, slower] : {std::tuple{steady, steady + ":a=2", true}, {steady + ":a=2", steady, false}}) {
    const ProcessResult result =
        on.ladder({"compare", a, b, "--case", "box-16", "--rounds", "7", "--fail-if-slower", "5", "--json"});
    EXPECT_EQ(result.code, slower ? exit_check_failed : exit_ok) << result.out;
    EXPECT_EQ(result.err.find("B is slower than A by more than 5 %: by 50.0 %, and by at least 50.0 %\n") != std::string::npos,
              slower)
        << result.err;
  }
}

TEST_F(Compare, ReportsASlowdownThatNoiseMayHide) {
  on.add_rung(steady_description, measuring(R"(
    file=$0.rounds.$a; n=$(cat "$file" 2>/dev/null || echo 0); echo $((n + 1)) >"$file"
    case $a in 1) time=1e-4 ;; *) time=$((n % 2 * 2 + 1))e-4 ;; esac
    echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": $time, \"time_unit\": \"s\", \"cells\": 256,
      \"steps\": 10, \"footprint_bytes\": 18432}]}")"));
  const ProcessResult result =
      on.ladder({"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "8", "--fail-if-slower", "5"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "B may be slower than A by more than 5 % (by at most 66.7 %), but noise hides it"));
  EXPECT_TRUE(contains(result.out, " --case box-16 --rounds 32 --fail-if-slower 5`, since more rounds narrow the interval"));
}

TEST_F(Compare, ShowsTheEnergyOfAnUpdateWhereItIsKnown) {
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

TEST_F(Compare, KeepsTheSpeedsOfSamplesWithImpossibleEnergies) {
  on.add_rung(steady_description, replace_all(steady_script, "\\\"joules\\\": 0.0$a", "\\\"joules\\\": 1e9"));
  const ProcessResult result = on.ladder(
      {"compare", steady, steady + ":a=2", "--case", "box-16", "--rounds", "2", "--energy", "--machine", "here", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at("ratio"), 0.5);
  EXPECT_FALSE(answer.contains("energy_ratio") && answer.at("energy_ratio").is_number());
  int samples = 0;
  for (const Row& row : read_rows(on.path("experiments/compare/results/here.csv")).rows) {
    if (row.kind == "check") continue;
    ++samples;
    EXPECT_EQ(row.outcome, "ok") << row.reason;
    EXPECT_GT(row.seconds, 0);
    EXPECT_TRUE(std::isnan(row.joules));
    EXPECT_EQ(row.energy_domain, "");
  }
  EXPECT_GE(samples, 4);
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

/// A repository whose commits hold the steady rung, and a build system that copies it.
class CompareCommits : public Compare {
 protected:
  CompareCommits() {
    for (const char* folder : {"tools", "variants"})
      std::filesystem::create_directory(on.work().path() / folder);
    for (const char* name : {"CMakeLists.txt", "variants/kernel.cpp"})
      on.work().write(name, "");
    executable("tools/cmake", R"(#!/bin/sh
echo "$1" >>"$LADDER_ROOT/log"
case $1 in
  -S) mkdir -p "$6/bin" && cp "$2/manifest.txt" "$6/bin" ;;
  --build)
    if [ -e "$2/../../broken" ]; then echo "kernel.cpp:7: error: expected ';'"; exit 1; fi
    to=$2/bin/rungs/d2q9/serial/90_steady
    mkdir -p "$to" && cp "$2/../../rung" "$to/default" && cp "$2/../../rung.json" "$to/default.json" ;;
esac
)");
    git("init --quiet");
    on.work().write("manifest.txt", "");
    commit("empty");
    on.work().write("manifest.txt", "rung rungs/d2q9/serial/90_steady/default d2q9.serial.90_steady variants/kernel.cpp\n");
    commit_rung("slow", std::string(steady_script) + "# older\n", steady_description);
    on.add_rung(steady_description, steady_script);
  }

  void executable(const std::string& name, const std::string& text) const {
    std::filesystem::permissions(on.work().write(name, text), std::filesystem::perms::owner_all);
  }
  void git(const std::string& words) const {
    const ProcessResult result = on.shell("git -c user.name=me -c user.email=me@localhost " + words);
    ASSERT_EQ(result.code, 0) << result.out << result.err;
  }
  void commit(const std::string& tag) const {
    git("add CMakeLists.txt variants $(ls manifest.txt rung rung.json broken 2>/dev/null)");
    git("commit --quiet --allow-empty --message " + tag);
    git("tag " + tag);
  }
  void commit_rung(const std::string& tag, const std::string& script, const std::string& description) const {
    executable("rung", script);
    on.work().write("rung.json", description);
    commit(tag);
  }
  [[nodiscard]] ProcessResult compare(const std::string& a, const std::string& b, const std::string& more = "") const {
    return on.shell("PATH=$LADDER_ROOT/tools:$PATH; \"$LADDER\" compare '" + a + "' '" + b + "' --case box-16 " + more);
  }
  void expect_error(const std::string& commit, int code, const std::string& message) const {
    const ProcessResult result = compare(steady + "@" + commit, steady, "--rounds 1");
    EXPECT_EQ(result.code, code) << result.out << result.err;
    EXPECT_TRUE(contains(result.err, message));
  }
};

TEST_F(CompareCommits, MeasuresARungOfTwoCommits) {
  const ProcessResult result = compare(steady + "@slow:a=2", steady, "--rounds 6 --machine here --json");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at("ratio"), 2);
  EXPECT_EQ(answer.at("verdict"), "faster");
  EXPECT_EQ(answer.at("b").at("build"), "default");
  const std::string build = answer.at("a").at("build");
  EXPECT_TRUE(build.starts_with("commit-")) << build;
  EXPECT_EQ(build.size(), 7U + 12U);
  EXPECT_TRUE(contains(answer.at("next").get<std::string>(),
                       "`git diff " + build.substr(7) + " -- variants/d2q9/serial/90_steady` shows"));
  EXPECT_TRUE(contains(on.work().read("experiments/compare/results/here.csv"), steady + "," + build + ","));
  EXPECT_EQ(on.work().read("log"), "-S\n--build\n");
  EXPECT_FALSE(std::filesystem::exists(on.work().path() / ".git/worktrees"));
  EXPECT_EQ(compare(steady + "@slow", steady, "--rounds 1").code, exit_ok);
  EXPECT_EQ(on.work().read("log"), "-S\n--build\n--build\n") << "the copy and its configuration are kept";
}

TEST_F(CompareCommits, RebuildsInAnotherFolderAndOnAnotherProcessor) {
  ASSERT_EQ(compare(steady + "@slow", steady, "--rounds 1").code, exit_ok);
  std::filesystem::path stamp;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(on.work().path() / "build/commits"))
    if (entry.path().filename() == "built-for") stamp = entry.path();
  ASSERT_FALSE(stamp.empty());
  const std::string here = read_whole(stamp);
  for (const std::string& other : {"/elsewhere" + here, here.substr(0, here.find('\n')) + "\nanother processor\n"}) {
    std::ofstream(stamp) << other;
    std::ofstream(stamp.parent_path() / "old") << "";
    std::filesystem::remove(on.work().path() / "log");
    const ProcessResult result = compare(steady + "@slow", steady, "--rounds 1");
    ASSERT_EQ(result.code, exit_ok) << result.err;
    EXPECT_EQ(on.work().read("log"), "-S\n--build\n");
    EXPECT_FALSE(std::filesystem::exists(stamp.parent_path() / "old"));
    EXPECT_EQ(read_whole(stamp), here);
  }
}

TEST_F(CompareCommits, NeedsOnlyTheTargetOfTheOtherSide) {
  on.add_to_manifest("rung rungs/d2q9/serial/91_next/default next.target");
  const auto targets = [&](const std::string& a, const std::string& b) {
    return on.ladder({"targets", "compare", a, b, "--case", "box-16"}).out;
  };
  EXPECT_EQ(targets("d2q9/serial/91_next@slow", "d2q9/serial/91_next"), "next.target\n");
  EXPECT_EQ(targets("d2q9/serial/91_next@slow", "d2q9/serial/91_next@HEAD"), "");
}

TEST_F(CompareCommits, ReportsThatTheMeasuredCodeHasNotChanged) {
  commit_rung("same", steady_script, steady_description);
  const ProcessResult result = compare(steady + "@same", steady, "--rounds 6");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "next: nothing: A and B are the same executable"));
  EXPECT_TRUE(contains(result.out, "A  d2q9/serial/90_steady@"));
  EXPECT_TRUE(contains(result.out, "B over A: 1 [1, 1]"));
}

TEST_F(CompareCommits, RefusesCommitsWithoutTheRung) {
  expect_error("slaw", exit_bad_input, "90_steady@slaw: unknown commit 'slaw'; accepted: a hash, branch or tag");
  expect_error("--all", exit_bad_input, "unknown commit '--all'");
  expect_error("", exit_bad_input, "the commit after '@' is missing; accepted: RUNG or RUNG@COMMIT");
  for (const char* with_colon : {":/slow", "HEAD^{/fix: slow}", "HEAD@{12:00}", "HEAD:variants"})
    expect_error(with_colon, exit_bad_input, "without a ':' in COMMIT");
  expect_error("empty", exit_bad_input, "90_steady@empty: in this commit: unknown rung 'd2q9/serial/90_steady'");
  EXPECT_EQ(compare(steady + "@slow", "d2q9/serial/91_unknown").code, exit_bad_input);
  EXPECT_EQ(on.work().read("log"), "-S\n") << "nothing was built";
  std::filesystem::remove_all(on.work().path() / ".git");
  expect_error("slow", exit_bad_input, "has no git history");
}

TEST_F(CompareCommits, ShowsTheLogOfAFailedBuild) {
  on.work().write("broken", "");
  commit("faulty");
  expect_error("faulty", exit_unavailable, "kernel.cpp:7: error: expected ';'\n");
  expect_error("faulty", exit_unavailable, "90_steady@faulty: its build failed; its log, ");
}

TEST_F(CompareCommits, RefusesExecutablesOfAnOlderProtocol) {
  const std::string description = steady_description;
  const std::string script = steady_script;
  commit_rung("described", script, description.substr(0, description.find(", \"cases\"")) + "}");
  expect_error("described", exit_bad_input, "90_steady@described: its executable speaks an older protocol than this program: ");
  const auto change = [&](const std::string& from, const std::string& to) {
    std::string changed = script;
    return changed.replace(changed.find(from), from.size(), to);
  };
  commit_rung("answered", change("\"content\": ", "\"hash\": "), description);
  expect_error("answered", exit_bad_input, "its answer to `case` is invalid");
  commit_rung("other", change("\"content\": \"", "\"content\": \"un"), description);
  expect_error("other", exit_bad_input, "case 'box-16' is not the same problem in d2q9/serial/90_steady@");
  commit_rung("measured", change("benchmarks", "samples"), description);
  expect_error("measured", exit_check_failed, "(an executable of an older commit may speak an older protocol");
}

}  // namespace
}  // namespace ladder::test
