// `ladder run --dry-run` shows what a run would do, without doing it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using Json = nlohmann::ordered_json;

class DryRun : public testing::Test {
 protected:
  DryRun() {
    on.study("one", R"(rounds = 3
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/*"]
cases = ["box-16", "porous-12x10"]
[[ceilings]]
backend = "openmp"
names = ["launch"]
bytes = [65536]
[[field]]
rung = "d2q9/serial/01_skeleton"
case = "box-16"
steps = 4
)");
  }

  [[nodiscard]] ProcessResult run(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }
  [[nodiscard]] Json plan(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--dry-run", "--json"});
    const ProcessResult result = run(more);
    EXPECT_EQ(result.code, exit_ok) << result.err;
    return Json::parse(result.out, nullptr, false);
  }
  static std::size_t cells_in(const Json& plan, const std::string& state) {
    std::size_t count = 0;
    for (const Json& cell : plan.at("cells"))
      count += cell.at("state") == state ? 1 : 0;
    return count;
  }

  Installation on;
  const std::string store = "experiments/one/results/here.csv";
};

TEST_F(DryRun, ListsWhatIsLeftAndChangesNothing) {
  const Json before = plan();
  EXPECT_EQ(cells_in(before, "measure"), 3u);
  EXPECT_EQ(before.at("checks").at("count"), 2);
  EXPECT_EQ(before.at("rounds").at("samples"), 3 * (2 + 1 + 2)) << "two cells, a ceiling and two twins";
  EXPECT_EQ(before.at("pictures"), 1);
  EXPECT_EQ(before.at("known_rows"), 0);
  EXPECT_FALSE(std::filesystem::exists(on.path("experiments/one/results")));

  ASSERT_EQ(run({"--cases", "box-16"}).code, exit_ok);
  const std::string stored = on.work().read(store);
  const Json after = plan();
  EXPECT_EQ(after.at("checks").at("count"), 1);
  EXPECT_EQ(cells_in(after, "stored"), 1u);
  EXPECT_GT(after.at("known_rows"), 0);
  EXPECT_EQ(after.at("pictures"), 0);
  EXPECT_EQ(plan({"--cases", "box-16"}).at("rounds").at("samples"), 0);
  EXPECT_EQ(plan({"--cases", "box-16", "--again"}).at("rounds").at("samples"), 3 * 2);
  EXPECT_EQ(on.work().read(store), stored);
}

TEST_F(DryRun, ListsWhatIsNotBuiltAndWhatCannotRunHere) {
  on.add_to_manifest("rung rungs/d2q9/serial/02_flags/default d2q9.serial.02_flags");
  on.study("one", R"(rounds = 3
[[matrix]]
rungs = ["d2q9/serial/*"]
cases = ["box-16"]
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
placements = ["processes=2"]
)");
  const ProcessResult refused = run({"--dry-run"});
  EXPECT_EQ(refused.code, exit_bad_input) << "serial rungs run in one process; a run has the same error";
  on.study("one", R"(rounds = 3
[[matrix]]
rungs = ["d2q9/serial/*"]
cases = ["box-16", "box-1000000"]
)");
  const ProcessResult result = run({"--dry-run"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "1 missing target")) << result.out;
  EXPECT_TRUE(contains(result.out, "2 cells skipped: ")) << result.out;
  const Json all = plan();
  EXPECT_EQ(all.at("build").at("targets"), Json({"d2q9.serial.02_flags"}));
  EXPECT_EQ(cells_in(all, "build"), 1u);
  EXPECT_EQ(cells_in(all, "measure"), 1u);
  EXPECT_EQ(cells_in(all, "skipped"), 2u);
}

TEST_F(DryRun, IsRequiredForJson) {
  const ProcessResult result = run({"--json"});
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "--dry-run")) << result.err;
}

}  // namespace
}  // namespace ladder::test
