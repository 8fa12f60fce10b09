// `ladder run` for a part of a study: --rungs, --cases, --placements.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

/// A study with five cells.
class PartOfAStudy : public testing::Test {
 protected:
  PartOfAStudy() {
    on.study("one", R"(rounds = 3
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16", "porous-12x10"]
precisions = ["f32", "f64"]
[[matrix]]
rungs = ["d2q9/opencl/08_tuned"]
cases = ["box-16"]
check_steps = [2]
)");
  }

  [[nodiscard]] ProcessResult run(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  Installation on;
  const std::string store = "experiments/one/results/here.csv";
};

TEST_F(PartOfAStudy, IsMeasuredOnceAndThenTheRest) {
  const std::vector<std::string> part = {"--rungs", "*/01_*", "--cases", "box-*"};
  const ProcessResult first = run(part);
  ASSERT_EQ(first.code, exit_ok) << first.err;
  std::size_t samples = 0;
  for (const Row& row : read_rows(on.path(store)).rows) {
    EXPECT_EQ(row.rung, "d2q9/serial/01_skeleton");
    EXPECT_EQ(row.case_name, "box-16");
    samples += row.kind == "sample" ? 1 : 0;
  }
  EXPECT_EQ(samples, 2u * 3u) << "both precisions, three rounds";
  EXPECT_TRUE(contains(run(part).out, "nothing to do: all 2 cells are measured"));

  ASSERT_EQ(run({}).code, exit_ok);
  std::map<std::string, std::size_t> checks;  // by key
  for (const Row& row : read_rows(on.path(store)).rows)
    if (row.kind == "check") ++checks[row.key];
  EXPECT_EQ(checks.size(), 5u) << "the whole study";
  for (const auto& [key, count] : checks)
    EXPECT_EQ(count, 1u) << "checks made for the part are not repeated";
}

TEST_F(PartOfAStudy, IsMeasuredWithTheCeilingsThatItNeeds) {
  on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16", "porous-200x100"]
precisions = ["f32", "f64"]
[[ceilings]]
backend = "openmp"
names = ["copy", "triad", "copy-9", "copy-19"]
bytes = [16384, 65536, 1048576]
precisions = ["f32", "f64"]
[[ceilings]]
backend = "openmp"
names = ["fma", "launch"]
bytes = [65536]
precisions = ["f32", "f64"]
)");
  const auto measured = [&] {
    std::set<std::string> ceilings;
    for (const Row& row : read_rows(on.path(store)).rows)
      if (row.kind == "ceiling") ceilings.insert(row.rung + " " + row.case_name + " " + row.precision);
    return ceilings;
  };
  ASSERT_EQ(run({"--cases", "box-16"}).code, exit_ok);
  std::set<std::string> expected;
  for (const std::string precision : {"f32", "f64"}) {
    expected.insert("ceiling/openmp/fma ws-65536 " + precision);
    // One copy of the lattice takes 9 KB in f32 and 18 KB in f64, and two take twice as much.
    for (const std::string name : {"triad", "copy-9"})
      for (const std::string size : {"16384", "1048576"})
        expected.insert("ceiling/openmp/" + name + " ws-" + size + " " + precision);
  }
  EXPECT_EQ(measured(), expected);
  ASSERT_EQ(run({}).code, exit_ok);
  EXPECT_EQ(measured().size(), 4u * 3u * 2u + 4u) << "the whole study has all of them";
}

TEST_F(PartOfAStudy, IsAnsweredFromItsOwnRows) {
  ASSERT_EQ(run({"--cases", "porous-*"}).code, exit_ok);
  const ProcessResult result = run({"--cases", "box-16"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_FALSE(contains(result.out, "porous")) << result.out;
  std::map<std::string, std::size_t> rows;  // of the table
  for (const std::string& line : lines(result.out))
    if (line.starts_with("box-16  f")) ++rows[line.substr(8, 3)];
  EXPECT_EQ(rows, (std::map<std::string, std::size_t>{{"f32", 2}, {"f64", 1}})) << result.out;
  EXPECT_TRUE(contains(result.out, "unresolved: 3 rounds")) << "08_tuned over 01_skeleton\n" << result.out;
  EXPECT_TRUE(contains(result.out, "box-16, f32: the fastest rung is d2q9/")) << result.out;
  EXPECT_TRUE(contains(run({"--cases", "porous-*"}).out, "porous-12x10")) << "nothing to do, but answered again";
}

TEST_F(PartOfAStudy, IsRefusedIfTheStudyDoesNotHaveIt) {
  const auto refused = [&](const std::vector<std::string>& more) {
    const ProcessResult result = run(more);
    EXPECT_EQ(result.code, exit_bad_input) << result.out;
    return result.err;
  };
  EXPECT_TRUE(contains(refused({"--rungs", "d2q9/serial/02*"}),
                       "no rung of this study that can be built here matches 'd2q9/serial/02*'"));
  EXPECT_TRUE(contains(refused({"--cases", "box-61"}),
                       "no case of the study one matches 'box-61' (did you mean 'box-16'?); accepted: box-16, porous-12x10"));
  EXPECT_FALSE(std::filesystem::exists(on.path(store)));
}

}  // namespace
}  // namespace ladder::test
