// `ladder ceilings`: the measured limits, and a summary that compares them with stored sessions.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(CeilingsCommand, EndsWithASummaryThatComparesSessions) {
  const Installation on;
  on.study("ceilings", R"(rounds = 2
sample_seconds = 0.01
[[ceilings]]
backend = "openmp"
names = ["read", "fma", "launch"]
bytes = [16384]
)");
  const ProcessResult first = on.ladder({"ceilings", "--machine", "here"});
  ASSERT_EQ(first.code, exit_ok) << first.err;
  EXPECT_TRUE(contains(first.out, "read from L1")) << first.out;
  EXPECT_TRUE(contains(first.out, "unknown")) << "nominal values\n" << first.out;
  EXPECT_TRUE(contains(first.out, "No other session of this machine has measured these limits")) << first.out;
  EXPECT_TRUE(contains(first.err, "measure 0/")) << "progress\n" << first.err;

  const ProcessResult second = on.ladder({"ceilings", "--machine", "here", "--json"});
  ASSERT_EQ(second.code, exit_ok) << second.err;
  const Json answer = Json::parse(second.out);
  EXPECT_EQ(answer.at("ceilings").size(), 3u);
  ASSERT_EQ(answer.at("summary").size(), 3u) << second.out;
  for (const Json& limit : answer.at("summary")) {
    EXPECT_EQ(limit.at("stored_sessions"), 1) << limit;
    EXPECT_GT(limit.at("of_stored"), 0) << limit;
    EXPECT_EQ(limit.at("samples"), 2) << limit;
    EXPECT_TRUE(limit.at("nominal").is_null()) << limit;
  }
  EXPECT_TRUE(contains(on.ladder({"ceilings", "--machine", "here"}).out, "of 2 sessions"));
}

}  // namespace
}  // namespace ladder::test
