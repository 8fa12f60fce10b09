// Standard streams that are closed, full or not text: no file takes their place, nothing is lost, and the exit code says so.
#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "harness/store/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

constexpr const char* study = R"(rounds = 1
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
check_steps = [1, 2]
steps = 10
)";

class Streams : public testing::Test {
 protected:
  Streams() { on.study("one", study); }

  /// Runs the study with streams as a shell redirects them; its rows must be whole.
  void expect_rows(const std::string& redirection, int code = exit_ok) const {
    const ProcessResult result =
        on.shell("rm -rf experiments/*/results; \"$LADDER\" run one --machine here --no-report " + redirection);
    EXPECT_EQ(result.end, ProcessResult::End::exited) << redirection;
    EXPECT_EQ(result.code, code) << redirection << result.err;
    const auto stored = read_rows(on.path("experiments/one/results/here.csv"));
    EXPECT_FALSE(stored.csv.is_truncated()) << redirection;
    EXPECT_EQ(stored.rows.size(), 3u) << redirection;  // a check, a sample and its twin
    EXPECT_TRUE(contains(on.ladder({"run", "one", "--machine", "here", "--no-report"}).out, "nothing to do")) << redirection;
  }

  Installation on;
};

TEST_F(Streams, ThatAreClosedAreNoFilesOfTheRun) {
  for (const char* closed : {"2>&-", ">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"})
    expect_rows(closed);
}

TEST_F(Streams, ThatAreClosedAreNoFilesOfAComparison) {
  const ProcessResult result = on.shell("\"$LADDER\" compare " + std::string(skeleton) + " " + skeleton +
                                        " --case box-16 --rounds 2 --machine here 2>&-");
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_EQ(read_rows(on.path("experiments/compare/results/here.csv")).rows.size(), 1u + 2u * 2u);
}

TEST_F(Streams, ThatAreClosedAreOpenInARung) {
  const ProcessResult result = on.shell("\"$SKELETON\" solve --params /proc/self/fd/1 --obstacles none --out out >&-");
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "'nx' is missing")) << "/dev/null, which is empty";
}

}  // namespace
}  // namespace ladder::test
