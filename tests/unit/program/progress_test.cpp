// The remaining time of a long command, and its output without a terminal.
#include "harness/run/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;

TEST(Phase, TakesAsLongAsGuessedUntilAPieceIsDone) {
  const Phase phase{.what = "check", .pieces = 10, .piece_seconds = 2};
  EXPECT_EQ(phase.left(0, 0), 20);
  EXPECT_EQ(phase.left(1, 6), 36) << "the guess counts like a piece: two took 8 s, nine are left";
  EXPECT_EQ(phase.left(10, 50), 0);
  EXPECT_EQ(phase.left(11, 50), 0) << "more than expected";
}

TEST(Phase, EndsAtItsLimit) {
  const Phase phase{.what = "measure", .pieces = 100, .piece_seconds = 1, .most_seconds = 30};
  EXPECT_EQ(phase.left(0, 0), 30);
  EXPECT_EQ(phase.left(20, 20), 10);
  EXPECT_EQ(phase.left(20, 40), 0);
  EXPECT_EQ(phase.left(98, 20), 2 * 21.0 / 99) << "it finishes before the limit";
}

TEST(Progress, NamesThePieceAndTheTimeLeftFromTheStart) {
  testing::internal::CaptureStderr();
  {
    Progress progress({.what = "check", .pieces = 2, .piece_seconds = 2},
                      {{.what = "measure", .pieces = 10, .piece_seconds = 6}});
    progress.begin("first");
    progress.done();
    progress.begin("second");
    progress.message("second: wrong: a reason");
    progress.done();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "check 0/2 done, 4s left, then measure about 1m 00s: first\n"
            "check 1/2 done, 1s left, then measure about 1m 00s\n"
            "second: wrong: a reason\n"
            "check 2/2, done in 0s\n");
}

TEST(Progress, OfManyPiecesIsALineForEachTenth) {
  testing::internal::CaptureStderr();
  Progress progress({.what = "measure", .pieces = 100, .piece_seconds = 1});
  for (int i = 0; i < 100; ++i) {
    progress.begin("piece " + std::to_string(i));
    progress.done();
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11) << text;
  EXPECT_TRUE(contains(text, "measure 50/100 done, 1s left\n"));
}

}  // namespace
}  // namespace ladder
