// Resident processes: they answer like separate processes, and are replaced after every fault.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/process.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/running.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using End = ProcessResult::End;
using Words = std::vector<std::string>;

const std::filesystem::path faults = LADDER_FAULTS;
const Words check = {"check", "--case", "box-16", "--steps", "2"};
const Words measure = {"measure", "--case", "box-16", "--min-time", "0.01", "--steps", "20"};

/// Number of this process's children.
std::size_t children() {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  return static_cast<std::size_t>(std::distance(std::istream_iterator<pid_t>(file), {}));
}

/// A program that answers each request with the same text.
std::filesystem::path answering(const Folder& folder, const std::string& text) {
  const auto program = folder.write("answers", "#!/bin/sh\nwhile read -r line; do printf '" + text + "'; done\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program;
}

TEST(Stays, AnswersAsAProcessOfItsOwn) {
  Resident resident(faults / "works", {});
  std::set<int> ids;
  for (const Words& words : {check, Words{"probe"}, Words{"describe"}, Words{"--help"}, Words{}, Words{"chek"},
                             Words{"check", "--case", "bux-16"}, Words{"case", "--case", "box-16"}, check}) {
    const ProcessResult own = run_process(faults / "works", words, 20);
    const ProcessResult resident_answer = resident.request(words, 20);
    EXPECT_EQ(resident_answer.end, End::exited);
    EXPECT_EQ(resident_answer.code, own.code);
    EXPECT_EQ(resident_answer.out, own.out);
    EXPECT_EQ(resident_answer.err, own.err);
    ids.insert(resident.id());
  }
  EXPECT_EQ(ids.size(), 1u) << "one process for all of them";
}

TEST(Stays, MeasuresAgainAndAgain) {
  Resident resident(faults / "works", {});
  for (int i = 0; i < 3; ++i) {
    const ProcessResult result = resident.request(measure, 20);
    EXPECT_EQ(result.code, exit_ok) << result.err;
    std::size_t samples = 0;
    const auto answer = nlohmann::json::parse(result.out);
    for (const auto& sample : answer.at("benchmarks"))
      samples += sample.at("run_type") == "iteration" ? 1 : 0;
    EXPECT_EQ(samples, 1u) << result.out;
  }
}

TEST(Stays, StartsAnewAfterACrash) {
  Resident resident(faults / "segmentation_fault", {});
  EXPECT_EQ(resident.request({"probe"}, 20).code, exit_ok);
  const int first = resident.id();
  const ProcessResult crash = resident.request(check, 20);
  EXPECT_EQ(crash.end, End::signalled);
  EXPECT_EQ(crash.code, SIGSEGV);
  EXPECT_FALSE(is_running(first));
  EXPECT_EQ(resident.request({"probe"}, 20).code, exit_ok);
  EXPECT_NE(resident.id(), first);
}

TEST(Stays, StartsAnewWhereItWasKilledBetweenRequests) {
  Resident resident(faults / "works", {});
  EXPECT_EQ(resident.request({"probe"}, 20).code, exit_ok);
  const int first = resident.id();
  kill(first, SIGKILL);
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(first), &ended, WEXITED | WNOWAIT);
  EXPECT_EQ(resident.request(check, 20).code, exit_ok);
  EXPECT_NE(resident.id(), first);
}

TEST(Stays, EndsAtATimeoutAndAtItsMemory) {
  Resident loops(faults / "loops_forever", {});
  EXPECT_EQ(loops.request({"probe"}, 20).code, exit_ok);
  const int first = loops.id();
  EXPECT_EQ(loops.request(check, 0.5).end, End::timed_out);
  EXPECT_FALSE(is_running(first));
  EXPECT_EQ(loops.id(), 0);

  Resident hoards(faults / "hoards", {});
  EXPECT_EQ(hoards.request({"check", "--case", "box-512", "--steps", "1"}, 60, 2e8).end, End::out_of_memory);
  EXPECT_EQ(hoards.id(), 0);
}

TEST(Stays, EndsAfterAWrongAnswer) {
  Resident resident(faults / "not_a_number", {});
  const ProcessResult result = resident.request(check, 20);
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "is nan"));
  EXPECT_EQ(resident.id(), 0);
}

TEST(Stays, EndsWhereItLeavesProcessesBehind) {
  Resident resident(faults / "leaves_processes", {});
  EXPECT_EQ(resident.request(check, 20).code, exit_ok);
  EXPECT_EQ(resident.id(), 0);
}

TEST(Stays, TakesNoOtherAnswerThanOneLineOfItsJson) {
  const Folder folder;
  for (const std::string text :
       {R"({"outcome":"ok"}\n)", R"(hello\n)", R"({"code":0,"out":"","err":""}\nmore)", R"({"code":0,"out":""}\n)",
        R"({"code":"0","out":"","err":""}\n)", R"({"code":0,"out":[],"err":""}\n)", R"([]\n)", R"(\n)", R"(\n\n)"}) {
    Resident resident(answering(folder, text), {});
    const ProcessResult result = resident.request({"probe"}, 20);
    EXPECT_EQ(result.end, End::exited) << text;
    EXPECT_EQ(result.out, "") << text;
    EXPECT_EQ(resident.id(), 0) << text;
  }
  Resident resident(answering(folder, R"({"code":0,"out":"fine","err":""}\n)"), {});
  EXPECT_EQ(resident.request({"probe"}, 20).out, "fine");
  EXPECT_NE(resident.id(), 0);
}

TEST(Stays, IsHeardAmongTheTextOfItsLauncher) {
  const Folder folder;
  const auto program = answering(folder, R"({"code":0,"out":"yes","err":""}\n)");
  const auto launcher = folder.write("launcher", "#!/bin/sh\necho 'job 7 starts'\necho '{job'\n\"$@\"\necho 'job 7 ends'\n");
  std::filesystem::permissions(launcher, std::filesystem::perms::owner_all);
  Resident resident(program, {}, {launcher.string()});
  EXPECT_EQ(resident.request({"probe"}, 20).out, "yes");
  const int first = resident.id();
  EXPECT_EQ(resident.request({"probe"}, 20).out, "yes");
  EXPECT_EQ(resident.id(), first) << "it is not started again";
}

TEST(Stays, EndsWithoutATraceWhenItIsNoLongerNeeded) {
  int first = 0;
  {
    Resident one(faults / "works", {});
    one.request({"probe"}, 20);
    first = one.id();
    EXPECT_TRUE(is_running(first));
  }
  EXPECT_FALSE(is_running(first));
}

TEST(Stays, LeavesItsNeighboursAlone) {
  Resident one(faults / "works", {});
  one.request({"probe"}, 20);
  const int first = one.id();
  {
    Resident other(faults / "segmentation_fault", {});
    other.request({"probe"}, 20);
    run_process("/bin/sh", {"-c", "setsid sleep 300 &"}, 20);
    other.request(check, 20);
    other.request({"probe"}, 20);
    one.request({"probe"}, 20);
    EXPECT_TRUE(is_running(other.id()));
  }
  EXPECT_EQ(one.request(check, 20).code, exit_ok);
  EXPECT_EQ(one.id(), first);
}

TEST(Stays, OnePerProgramAndEnvironmentAnd24InAll) {
  const Folder folder;
  Residents residents;
  const std::size_t before = children();
  for (int i = 0; i < 26; ++i) {
    const auto program = folder.path() / ("works" + std::to_string(i));
    std::filesystem::create_symlink(faults / "works", program);
    for (int times = 0; times < 2; ++times)
      EXPECT_EQ(residents.of(program, {}).request({"probe"}, 20).code, exit_ok);
  }
  EXPECT_EQ(children() - before, 24u);
}

TEST(Stays, WithTheEnvironmentThatItWasStartedWith) {
  Residents residents;
  const std::size_t before = children();
  for (const char* threads : {"1", "2", "1"})
    EXPECT_EQ(residents.of(faults / "works", {{"OMP_NUM_THREADS", threads}}).request({"probe"}, 20).code, exit_ok);
  EXPECT_EQ(children() - before, 2u);
}

}  // namespace
}  // namespace ladder::test
