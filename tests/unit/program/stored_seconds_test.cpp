// How long checks and samples took, computed from the times at which rows began.
#include "harness/run/stored_seconds.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ladder {
namespace {

Row row(const std::string& kind, const std::string& rung, const std::string& minute_and_second,
        const std::string& session = "s1") {
  Row row;
  row.session = session;
  row.kind = kind;
  row.rung = rung;
  row.outcome = "ok";
  row.utc = "2026-11-21T03:" + minute_and_second + "Z";
  return row;
}

TEST(StoredSeconds, AreTheTimesUntilTheNextRow) {
  const StoredSeconds took({row("check", "a", "00:00"), row("check", "b", "00:10"), row("sample", "a", "00:30"),
                            row("twin", "a", "00:31"), row("sample", "b", "00:34")},
                           600);
  EXPECT_EQ(took.rows(), 4u);
  EXPECT_EQ(took.of("check", row("", "a", ""), 9), 10);
  EXPECT_EQ(took.of("check", row("", "b", ""), 9), 20);
  EXPECT_EQ(took.of("check", row("", "c", ""), 9), 15) << "the mean over all checks";
  EXPECT_EQ(took.of("sample", row("", "a", ""), 9), 2) << "twins are samples";
  EXPECT_EQ(took.of("ceiling", row("", "a", ""), 9), 9) << "a guess";
}

TEST(StoredSeconds, ExcludeInterruptionsOtherSessionsAndFailures) {
  Row failed = row("sample", "a", "00:00", "s3");
  failed.outcome = "failed";
  const StoredSeconds took({row("check", "a", "00:00"), row("check", "a", "20:00"), row("check", "a", "20:01", "s2"), failed,
                            row("sample", "a", "00:05", "s3"), row("sample", "a", "not a time", "s3")},
                           600);
  EXPECT_EQ(took.rows(), 0u);
}

}  // namespace
}  // namespace ladder
