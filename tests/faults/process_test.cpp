// run_process(): no process outlives its run or exceeds its memory or time limit, and none floods this program with output.
#include "base/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "base/memory.hpp"
#include "tests/support/running.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using End = ProcessResult::End;

ProcessResult shell(const std::string& script, double timeout_seconds = 20, double memory_bytes = 0) {
  return run_process("/bin/sh", {"-c", script}, timeout_seconds, {}, memory_bytes);
}

/// The process ids that a script printed, one per line.
std::vector<pid_t> ids(const std::string& text) {
  std::vector<pid_t> all;
  std::istringstream stream(text);
  for (pid_t id = 0; stream >> id;)
    all.push_back(id);
  return all;
}

/// A child of this process that was not started by run_process().
class Stranger {
 public:
  Stranger() : id_(fork()) {
    if (id_ != 0) return;
    sleep(60);
    _exit(0);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  [[nodiscard]] bool is_alive() const { return waitpid(id_, nullptr, WNOHANG) == 0; }

 private:
  pid_t id_;
};

TEST(Process, ContinuesThoughAChildStopsIt) {
  const ProcessResult result = shell("sh -c 'kill -STOP $PPID; echo stopped'; echo continued", 10);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.out, "stopped\ncontinued\n");
}

TEST(Process, LeavesNothingBehindWhenItEnds) {
  for (const std::string script :
       {"sleep 300 & echo $!", "setsid sleep 300 & echo $!", "(setsid sleep 300 & echo $!)",
        "for i in 1 2 3 4 5; do (setsid sh -c 'setsid sleep 300 & echo $!; sleep 300' & echo $!); done; sleep 0.2"}) {
    const ProcessResult result = shell(script);
    EXPECT_EQ(result.end, End::exited) << script;
    EXPECT_EQ(result.code, 0) << script;
    const auto started = ids(result.out);
    EXPECT_GE(started.size(), 1u) << script;
    for (const pid_t id : started)
      EXPECT_FALSE(is_running(id)) << script;
    EXPECT_LT(result.seconds, 10) << script;
  }
}

TEST(Process, LeavesNothingBehindAtATimeout) {
  const ProcessResult result = shell("setsid sleep 300 & echo $!; (setsid sleep 300 & echo $!); wait; sleep 300", 0.5);
  EXPECT_EQ(result.end, End::timed_out);
  const auto started = ids(result.out);
  ASSERT_EQ(started.size(), 2u);
  for (const pid_t id : started)
    EXPECT_FALSE(is_running(id));
}

TEST(Process, LeavesOthersAlone) {
  const Stranger stranger;
  shell("setsid sleep 300 &");
  shell("sleep 300", 0.1);
  EXPECT_TRUE(stranger.is_alive());
}

/// Runs in a child process. Exits with 1 if catch_interrupts() notices the signal although there is no child, else with 0.
[[noreturn]] void hear(int number, bool is_ignored) {
  signal(number, is_ignored ? SIG_IGN : SIG_DFL);
  catch_interrupts();
  raise(number);
  try {
    heed_interrupts();
  } catch (const Interrupted&) {
    std::_Exit(1);
  }
  std::_Exit(0);
}

TEST(Process, HearsWhatAsksItToEnd) {
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    EXPECT_EXIT(hear(number, false), testing::ExitedWithCode(1), "") << number;
    EXPECT_EXIT(hear(number, true), testing::ExitedWithCode(0), "") << number << ", ignored as under nohup";
  }
}

TEST(Process, EndsAtItsTimeoutThoughItHasClosedItsStreams) {
  const ProcessResult result = shell("exec >&- 2>&-; sleep 300", 0.3);
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_LT(result.seconds, 5);
}

TEST(Process, EndsWhereItHoldsMoreMemoryThanItMay) {
  // tail buffers all its input, and is not the shell itself.
  const std::string script = "head -c 300000000 /dev/zero | tail -c 300000000 | wc -c";
  const ProcessResult killed = shell(script, 20, 1e8);
  EXPECT_EQ(killed.end, End::out_of_memory);
  EXPECT_EQ(killed.memory_bytes, 1e8);
  EXPECT_EQ(killed.out, "");
  const ProcessResult left = shell(script, 20, 1e9);
  EXPECT_EQ(left.end, End::exited);
  EXPECT_EQ(left.out, "300000000\n");
}

TEST(Process, MayHoldNineTenthsOfWhatIsFree) {
  const double before = available_memory();
  const double limit = shell("true").memory_bytes;
  EXPECT_GT(limit, 0.5 * before);
  EXPECT_LT(limit, std::max(before, available_memory()));
}

TEST(Process, IsTheFirstToGoWhereMemoryRunsOut) { EXPECT_EQ(shell("cat /proc/self/oom_score_adj").out, "1000\n"); }

TEST(Process, KeepsSixteenMebibytesOfWhatItWrites) {
  const ProcessResult result = shell("yes & yes >&2", 1);
  EXPECT_EQ(result.end, End::timed_out);
  for (const auto* text : {&result.out, &result.err}) {
    EXPECT_GE(text->size(), 1u << 20);
    EXPECT_LE(text->size(), (16u << 20) + 65536);
  }
}

TEST(Process, AnswersWithinATenthOfASecond) {
  double least = 1;
  for (int i = 0; i < 5; ++i)
    least = std::min(least, shell("true").seconds);
  EXPECT_LT(least, 0.1);
}

TEST(Process, ChecksASmallCellWithinAThirdOfASecond) {
  double least = 1;
  for (int i = 0; i < 5; ++i) {
    const ProcessResult result = run_process(LADDER_FAULTS "/works", {"check", "--case", "box-16", "--steps", "2"}, 20);
    EXPECT_EQ(result.code, 0) << result.err;
    least = std::min(least, result.seconds);
  }
  EXPECT_LT(least, 0.3);
}

}  // namespace
}  // namespace ladder::test
