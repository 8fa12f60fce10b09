// `ladder run --campaign`: parts of several studies, within a limited time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

class Campaign : public testing::Test {
 protected:
  /// A study of three cells.
  static std::string study(int rounds, double sample_seconds = 0.1) {
    return fmt::format(
        "rounds = {}\nsample_seconds = {}\n[[matrix]]\nrungs = [\"{}\"]\n"
        "cases = [\"box-16\", \"box-9\", \"porous-12x10\"]\n",
        rounds, sample_seconds, skeleton);
  }

  [[nodiscard]] ProcessResult run(const std::string& parts, const std::string& budget = "1h") const {
    on.work().write("campaign.toml", "machine = \"here\"\n" + parts);
    return on.ladder({"run", "--campaign", on.path("campaign.toml"), "--budget", budget});
  }

  /// Number of rows of one kind in a study, by case.
  [[nodiscard]] std::map<std::string, int> count(const std::string& study, const std::string& kind) const {
    std::map<std::string, int> rows;
    for (const Row& row : read_rows(on.path("experiments/" + study + "/results/here.csv")).rows)
      if (row.kind == kind) ++rows[row.case_name];
    return rows;
  }

  Installation on;
  using Counts = std::map<std::string, int>;
};

TEST_F(Campaign, RunsItsPartsInOrderAndNothingTwice) {
  on.study("one", study(3));
  on.study("two", study(2));
  const std::string parts =
      "[[part]]\nstudy = \"two\"\ncases = [\"box-*\"]\n[[part]]\nstudy = \"one\"\nrounds = 1\n[[part]]\nstudy = \"two\"\n";
  const ProcessResult first = run(parts);
  ASSERT_EQ(first.code, exit_ok) << first.err;
  EXPECT_LT(first.out.find("two: box-*"), first.out.find("one"));
  EXPECT_TRUE(contains(first.out, "all parts are done"));
  EXPECT_EQ(count("one", "sample"), (Counts{{"box-16", 1}, {"box-9", 1}, {"porous-12x10", 1}}));
  EXPECT_EQ(count("two", "check"), (Counts{{"box-16", 1}, {"box-9", 1}, {"porous-12x10", 1}}));
  const auto files = on.work().listing();
  const std::string rows = on.work().read("experiments/two/results/here.csv");
  EXPECT_TRUE(contains(run(parts).out, "all parts are done"));
  EXPECT_EQ(on.work().listing(), files);
  EXPECT_EQ(on.work().read("experiments/two/results/here.csv"), rows);
}

TEST_F(Campaign, StopsBeforeItsTimeIsUpAndContinues) {
  on.study("one", study(5));
  on.study("two", study(1));
  const std::string parts = "[[part]]\nstudy = \"one\"\n[[part]]\nstudy = \"two\"\n";
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult first = run(parts, "4s");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_EQ(first.code, exit_ok) << first.err;
  EXPECT_TRUE(contains(first.out, "left")) << first.out;
  EXPECT_FALSE(std::filesystem::exists(on.path("experiments/two/results/here.csv"))) << "only what is measured is stored";
  ASSERT_EQ(run(parts).code, exit_ok);
  EXPECT_EQ(count("one", "sample"), (Counts{{"box-16", 5}, {"box-9", 5}, {"porous-12x10", 5}})) << "in one session";
  EXPECT_EQ(count("one", "check"), (Counts{{"box-16", 1}, {"box-9", 1}, {"porous-12x10", 1}}));
}

TEST_F(Campaign, StopsWhatStillRunsAndTellsWhatIsLeft) {
  on.study("one", study(1, 100));
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = run("[[part]]\nstudy = \"one\"\n", "8s");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "the time is up")) << result.err;
  EXPECT_TRUE(contains(result.out, "left; sample counts are upper limits")) << result.out;
  EXPECT_EQ(count("one", "check").size(), 3u);
  EXPECT_EQ(count("one", "sample"), Counts());
}

TEST_F(Campaign, LeavesOutAPartThatNeedsMoreTime) {
  on.study("one", study(1));
  on.study("two", study(1) + fmt::format("[[field]]\nrung = \"{}\"\ncase = \"box-16\"\nsteps = 4\nframes = 2\n", skeleton));
  const ProcessResult first = run("[[part]]\nstudy = \"two\"\nneeds_seconds = 3600\n[[part]]\nstudy = \"one\"\n");
  ASSERT_EQ(first.code, exit_ok) << first.err;
  EXPECT_EQ(count("one", "sample").size(), 3u);
  EXPECT_FALSE(std::filesystem::exists(on.path("experiments/two/results")));
  EXPECT_TRUE(contains(first.out, "unknown")) << "no time of this study is stored yet";
}

TEST_F(Campaign, NamesTheLineOfABadPart) {
  on.study("one", study(1));
  const auto refused = [&](const std::string& parts) {
    const ProcessResult result = run(parts);
    EXPECT_EQ(result.code, exit_bad_input) << result.out;
    return result.err;
  };
  EXPECT_TRUE(contains(refused("[[part]]\nstudy = \"three\"\n"), "campaign.toml:2: no study 'three'"));
  EXPECT_TRUE(contains(refused("[[part]]\nstudy = \"one\"\ncases = [\"box-61\"]\n"), "no case of the study one matches"));
  EXPECT_TRUE(
      contains(refused("[[part]]\nstudy = \"one\"\nrungs = [\"d2q9/none\"]\n"), "campaign.toml:2: no rung of this study"));
  EXPECT_TRUE(contains(refused("[[part]]\nstudy = \"one\"\nruns = 1\n"), "runs"));
  EXPECT_FALSE(std::filesystem::exists(on.path("experiments/one/results")));
  const ProcessResult both = on.ladder({"run", "one", "--campaign", on.path("campaign.toml")});
  EXPECT_EQ(both.code, exit_bad_input);
}

}  // namespace
}  // namespace ladder::test
