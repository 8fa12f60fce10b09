// Standard streams that are closed, full or not text: no other file takes their descriptors, no row is lost, and the exit code
// reports the error.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

constexpr const char* short_study = R"(rounds = 1
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
check_steps = [1, 2]
steps = 10
)";

class Streams : public testing::Test {
 protected:
  Streams() { on.study("one", short_study); }

  /// Runs the study with streams redirected by a shell. The study's rows must be complete.
  void expect_rows(const std::string& redirection, int code = exit_ok) const {
    const ProcessResult result =
        on.shell("rm -rf experiments/*/results; \"$LADDER\" run one --machine here --no-report " + redirection);
    EXPECT_EQ(result.end, ProcessResult::End::exited) << redirection;
    EXPECT_EQ(result.code, code) << redirection << result.err;
    const auto stored = read_rows(on.path("experiments/one/results/here.csv"));
    EXPECT_FALSE(stored.csv.is_truncated()) << redirection;
    EXPECT_EQ(stored.rows.size(), 3u) << redirection;  // a check, a sample and its twin
    EXPECT_TRUE(contains(on.ladder({"run", "one", "--machine", "here", "--no-report"}).out, "nothing to do")) << redirection;
  }

  Installation on;
};

TEST_F(Streams, ThatAreClosedAreNoFilesOfTheRun) {
  for (const char* closed : {"2>&-", ">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"})
    expect_rows(closed);
}

TEST_F(Streams, ThatAreClosedAreNoFilesOfAComparison) {
  const ProcessResult result = on.shell("\"$LADDER\" compare " + std::string(skeleton) + " " + skeleton +
                                        " --case box-16 --rounds 2 --machine here 2>&-");
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_EQ(read_rows(on.path("experiments/compare/results/here.csv")).rows.size(), 1u + 2u * 2u);
}

TEST_F(Streams, ThatAreClosedAreOpenInARung) {
  const ProcessResult result = on.shell("\"$SKELETON\" solve --params /proc/self/fd/1 --obstacles none --out out >&-");
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "'nx' is missing")) << "/dev/null, which is empty";
}

TEST_F(Streams, ThatCannotBeWrittenEndNoRun) {
  expect_rows("2>/dev/full");
  expect_rows(">/dev/full 2>/dev/full", exit_bad_input);
  EXPECT_EQ(on.shell("\"$LADDER\" run no-such-study 2>/dev/full").code, exit_bad_input);
}

TEST_F(Streams, WhoseReaderHasEndedEndNoRun) {
  const std::string broken = "rm -f pipe; mkfifo pipe; (exec 3<pipe) & exec 4>pipe; wait; ";
  for (const auto& [redirection, code] : {std::pair{"2>&4", exit_ok}, {">&4", exit_bad_input}, {">&4 2>&4", exit_bad_input}}) {
    const ProcessResult result =
        on.shell(broken + "rm -rf experiments/*/results; \"$LADDER\" run one --machine here --no-report " + redirection);
    EXPECT_EQ(result.end, ProcessResult::End::exited) << redirection;
    EXPECT_EQ(result.code, code) << redirection << result.err;
    EXPECT_EQ(read_rows(on.path("experiments/one/results/here.csv")).rows.size(), 3u) << redirection;
  }
}

TEST_F(Streams, ThatAreFullAreToldOfByEveryCommand) {
  const std::string rung = skeleton;
  for (const std::string& words :
       {std::string("--help"), std::string("list"), std::string("list --json"), "check " + rung + " --case box-16 --steps 2",
        "check " + rung + " --case box-16 --steps 2 --json", "compare " + rung + " " + rung + " --case box-16 --rounds 1",
        "explain " + rung, std::string("run one --no-report"), std::string("report one"), std::string("run --help")}) {
    const ProcessResult result = on.shell("\"$LADDER\" " + words + " >/dev/full");
    EXPECT_EQ(result.end, ProcessResult::End::exited) << words;
    EXPECT_EQ(result.code, exit_bad_input) << words << result.err;
    EXPECT_TRUE(contains(result.err, "ladder: standard output cannot be written: No space left on device")) << words;
  }
}

/// Writes control sequences that would clear a terminal, in 7-bit and 8-bit form, and bytes that are not UTF-8.
constexpr const char* wild_script = R"(#!/bin/sh
case $1 in
  probe) echo '{"available": true, "device": "\u001b[2Jwild\u009b2J", "threads": 1}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "wild"}' ;;
  check) printf '\033[2J it \302\2332J \377 failed\033]0;title\007' >&2; exit 9 ;;
esac
)";

TEST_F(Streams, OfARungDoNotControlATerminal) {
  const std::string wild = "d2q9/serial/90_wild";
  auto description = nlohmann::ordered_json::parse(description_of(wild));
  description["idea"] = "\033[2J idea \302\2332J";
  on.add_rung(description.dump(), wild_script);
  on.study("wild", "[[matrix]]\nrungs = [\"" + wild + "\"]\ncases = [\"box-16\"]\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"list", "*wild*"},
                                                                                     {"list", "*wild*", "--json"},
                                                                                     {"check", "*wild*"},
                                                                                     {"check", "*wild*", "--json"},
                                                                                     {"explain", wild},
                                                                                     {"explain", wild, "--json"},
                                                                                     {"run", "wild", "--no-report"},
                                                                                     {"run", "wild\033[2J\302\2332J"}}) {
    const ProcessResult result = on.ladder(words);
    const std::string said = result.out + result.err;
    EXPECT_EQ(result.end, ProcessResult::End::exited) << words[0];
    EXPECT_NE(said, "") << words[0];
    for (const char* control : {"\033", "\007", "\302\233", "\377"})
      EXPECT_EQ(said.find(control), std::string::npos) << words[0] << ": " << said;
  }
  for (const auto& name : on.work().listing())
    if (name.starts_with("experiments/wild/results/") && name.ends_with(".csv")) {
      const std::string stored = on.work().read(name);
      EXPECT_TRUE(contains(stored, "it"));
      for (const char* control : {"\033", "\007", "\302\233"})
        EXPECT_EQ(stored.find(control), std::string::npos) << stored;
    }
  const ProcessResult checked = on.ladder({"check", "*wild*", "--json"});
  EXPECT_EQ(checked.code, exit_check_failed);
  const auto answer = nlohmann::json::parse(checked.out);
  EXPECT_TRUE(contains(answer.at(0).at("reason").get<std::string>(), "failed"));
}

}  // namespace
}  // namespace ladder::test
