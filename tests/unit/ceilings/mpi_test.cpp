// Ceilings with several processes, run by the build's launcher.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "tests/support/launched.hpp"

namespace ladder {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

ProcessResult measured(int processes, const std::string& name, Words more = {}) {
  Words words = {"measure", "--name", name, "--min-time", "0.001", "--samples", "2"};
  words.insert(words.end(), more.begin(), more.end());
  return test::launched(processes, CEILINGS, words);
}

TEST(MpiCeilings, AreMeasuredInTwoAndThreeProcessesOfWhichOneSpeaks) {
  for (const int processes : {2, 3})
    for (const std::string name : {"ping-pong", "barrier", "reduction"}) {
      const ProcessResult result = measured(processes, name);
      ASSERT_EQ(result.code, exit_ok) << name << ": " << result.err;
      const Json samples = Json::parse(result.out).at("benchmarks");
      ASSERT_EQ(samples.size(), 2U) << name;
      EXPECT_GT(samples[0].at("real_time"), 0) << name;
      EXPECT_EQ(samples[0].at("cells"), 1) << name;
      EXPECT_EQ(samples[0].at("bytes_per_update_model"), 0) << name;
    }
}

TEST(MpiCeilings, CountTheNumbersOfAHaloWhereTheyAreSent) {
  for (const int processes : {2, 3})
    for (const int real : {4, 8}) {
      const ProcessResult result = measured(processes, "halo", {"--bytes", "12288", "--precision", real == 4 ? "f32" : "f64"});
      ASSERT_EQ(result.code, exit_ok) << result.err;
      const Json sample = Json::parse(result.out).at("benchmarks").at(0);
      EXPECT_EQ(sample.at("cells"), 2 * 12288 / 4 / real);
      EXPECT_EQ(sample.at("footprint_bytes"), 12288);
      EXPECT_EQ(sample.at("bytes_per_update_model"), real);
    }
}

TEST(MpiCeilings, NeedTwoProcesses) {
  for (const std::string name : {"ping-pong", "barrier", "reduction", "halo"}) {
    const ProcessResult result = run_process(CEILINGS, {"measure", "--name", name, "--bytes", "8192"}, 60);
    EXPECT_EQ(result.code, exit_unavailable) << name;
    EXPECT_NE(result.err.find("two processes"), std::string::npos) << result.err;
  }
}

TEST(MpiCeilings, RefuseWhatTheyDoNotUnderstandOnce) {
  const ProcessResult result = test::launched(2, CEILINGS, {"measure", "--name", "haloo"});
  EXPECT_NE(result.code, exit_ok);
  const auto first = result.err.find("did you mean 'halo'?");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("did you mean 'halo'?", first + 1), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST(MpiCeilings, StayFromOneRequestToTheNextUnlessAProcessDies) {
  Resident resident(CEILINGS, test::as_root, test::launcher(3));
  const Words measure = {"measure", "--name", "barrier", "--min-time", "0.001", "--samples", "2"};
  int first = 0;
  for (const Words& words : {measure, Words{"measure", "--name", "haloo"}, Words{"probe"}, measure}) {
    const ProcessResult answer = resident.request(words, 60);
    EXPECT_EQ(answer.code, words.back() == "haloo" ? exit_bad_input : exit_ok) << answer.err;
    if (words == measure) {
      EXPECT_EQ(Json::parse(answer.out).at("benchmarks").size(), 2U);
    }
    if (first == 0) first = resident.id();
    EXPECT_EQ(resident.id(), first);
  }
  pid_t process = 0;
  std::ifstream("/proc/" + std::to_string(first) + "/task/" + std::to_string(first) + "/children") >> process;
  ASSERT_EQ(kill(process, SIGKILL), 0);
  resident.request(measure, 60);  // may still reach the launcher
  EXPECT_EQ(resident.request(measure, 60).code, exit_ok);
  EXPECT_NE(resident.id(), first);
}

/// Ids of a process's children.
std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

/// How often a process's main thread has gone to sleep.
long sleeps_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  const std::string name = "voluntary_ctxt_switches:";
  for (std::string word; file >> word;)
    if (long count = 0; word == name && file >> count) return count;
  return -1;
}

TEST(MpiCeilings, HardlyWakeWhileTheyWaitForARequest) {
  Resident resident(CEILINGS, test::as_root, test::launcher(3));
  ASSERT_EQ(resident.request({"probe"}, 60).code, exit_ok);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto processes = children_of(resident.id());
  ASSERT_EQ(processes.size(), 3U);
  std::vector<long> before;
  for (const pid_t process : processes)
    before.push_back(sleeps_of(process));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  for (std::size_t i = 0; i < processes.size(); ++i) {
    EXPECT_GE(before[i], 0);
    EXPECT_LT(sleeps_of(processes[i]) - before[i], 100) << "in a second";
  }
}

}  // namespace
}  // namespace ladder
