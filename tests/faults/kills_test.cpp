// A run that is killed at any moment, again and again, ends with the very rows of a run that was left alone.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "harness/error.hpp"
#include "harness/store/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Kills : public testing::Test {
 protected:
  Installation on{{fs::path(LADDER_FAULTS) / "works", fs::path(LADDER_FAULTS) / "wrong_if_wide"}};
  const std::string results = "experiments/one/results";
  const std::string store = results + "/here.csv";
  const std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};
  std::mt19937 random{20261121};

  void SetUp() override {
    on.study("one", R"(rounds = 3
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/01_skeleton", "faults/works"]
cases = ["box-16"]
precisions = ["f32", "f64"]
check_steps = [1, 2]
steps = 10
[[matrix]]
rungs = ["faults/wrong_if_wide"]
cases = ["box-16"]
check_steps = [1, 2]
steps = 10
set = { wx = [1, 2] }
)");
  }

  /// How often each row is there: kind, rung, case, precision, tuning, round, and what came of it.
  std::map<std::string, int> rows() const {
    const auto stored = read_rows(on.path(store));
    EXPECT_FALSE(stored.csv.is_truncated());
    std::map<std::string, int> counts;
    std::set<std::string> sessions;
    for (const auto& row : stored.rows)
      sessions.insert(row.session);
    EXPECT_EQ(sessions.size(), 1U) << "rounds of two sessions cannot be paired";
    for (const auto& row : stored.rows)
      ++counts[row.kind + " " + row.rung + " " + row.case_name + " " + row.precision + " " + row.tuning + " " +
               std::to_string(row.round) + " " + row.outcome];
    return counts;
  }

  /// Lets the run go on for a random time; true where it ended by itself.
  bool run_for_a_while(double longest, int& status) {
    const pid_t child = on.start(words);
    std::this_thread::sleep_for(std::chrono::duration<double>(std::uniform_real_distribution<>(0.001, longest)(random)));
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return WIFEXITED(status);
  }

  /// Appends a part of a row to a store that ends with a whole one.
  void append_half_a_row() {
    const std::string text = on.work().read(store);
    const auto all = lines(text);
    if (all.size() < 2 || text.back() != '\n') return;
    const std::string& last = all.back();
    const std::string half = last.substr(0, std::uniform_int_distribution<std::size_t>(1, last.size())(random));
    std::ofstream(on.path(store), std::ios::app) << half;
  }

  void expect_nothing_lost(int kills_wanted, bool halves) {
    const auto begin = Clock::now();
    int status = 0;
    ASSERT_EQ(waitpid(on.start(words), &status, 0) > 0 ? WEXITSTATUS(status) : -1, exit_check_failed);  // one cell is wrong
    const double longest = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto undisturbed = rows();
    ASSERT_GE(undisturbed.size(), 6u + 3u * 5u);
    for (int kills = 0; kills < kills_wanted;) {
      fs::remove_all(on.path(results));
      while (!run_for_a_while(longest, status)) {
        ASSERT_LT(++kills, 10 * kills_wanted) << "it never ends";
        if (halves) append_half_a_row();
      }
      ASSERT_EQ(WEXITSTATUS(status), exit_check_failed) << "after " << kills << " kills";
      ASSERT_EQ(rows(), undisturbed) << "after " << kills << " kills";
    }
    EXPECT_EQ(on.processes(), std::vector<pid_t>{});
  }
};

TEST_F(Kills, LoseNothingAndRepeatNothing) { expect_nothing_lost(120, false); }

TEST_F(Kills, LoseNothingThoughTheyLeaveHalfARow) { expect_nothing_lost(40, true); }

}  // namespace
}  // namespace ladder::test
