// A run that is killed repeatedly at random moments ends with exactly the rows of an undisturbed run.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "base/error.hpp"
#include "tests/faults/random/disturbed.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Kills : public testing::Test {
 protected:
  Installation on{{fs::path(LADDER_FAULTS) / "works", fs::path(LADDER_FAULTS) / "wrong_if_wide"}};
  DisturbedStudy study{on, "one", 20261121};

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

  void expect_nothing_lost(int kills_wanted, bool halves) {
    const auto begin = Clock::now();
    ASSERT_EQ(study.end_of(study.start()).code, exit_check_failed);  // one cell fails its check
    const double longest = std::chrono::duration<double>(Clock::now() - begin).count();
    const StoredRows undisturbed = study.rows();
    ASSERT_GE(undisturbed.counts.size(), 6u + 3u * 5u);
    for (int kills = 0; kills < kills_wanted;) {
      study.forget();
      DisturbedStudy::End end;
      while ((end = study.end_of(study.start(), study.uniform(0.001, longest))).code < 0) {
        ASSERT_LT(++kills, 10 * kills_wanted) << "it never ends";
        if (halves) study.append_half_a_row();
      }
      ASSERT_EQ(end.code, exit_check_failed) << "after " << kills << " kills: " << on.work().read("stderr");
      const StoredRows rows = study.rows();
      ASSERT_EQ(rows.counts, undisturbed.counts) << "after " << kills << " kills";
      ASSERT_EQ(rows.sessions, 1u) << "rounds of two sessions cannot be paired";
    }
    EXPECT_EQ(on.processes(), std::vector<pid_t>{});
  }
};

TEST_F(Kills, LoseNothingAndRepeatNothing) { expect_nothing_lost(120, false); }

TEST_F(Kills, LoseNothingThoughTheyLeaveHalfARow) { expect_nothing_lost(40, true); }

}  // namespace
}  // namespace ladder::test
