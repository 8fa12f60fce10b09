// `ladder compare`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

class Compare : public testing::Test {
 protected:
  Installation on;

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& message) const {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    for (const auto& part : message)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Compare, SetsARungAgainstItsTwin) {
  const ProcessResult result = on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "4", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at("rounds"), 4);
  EXPECT_EQ(answer.at("stopped"), "rounds");
  EXPECT_EQ(answer.at("a").at("rung"), skeleton);
  EXPECT_EQ(answer.at("b").at("rung"), skeleton);
  EXPECT_GT(answer.at("ratio").get<double>(), 0);
  EXPECT_LE(answer.at("low").get<double>(), answer.at("ratio").get<double>());
  EXPECT_GE(answer.at("high").get<double>(), answer.at("ratio").get<double>());
}

TEST_F(Compare, StoresItsRowsInASessionOfTheirOwn) {
  for (int times = 1; times <= 2; ++times) {
    const ProcessResult result =
        on.ladder({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "1", "--machine", "here"});
    ASSERT_EQ(result.code, exit_ok) << result.err;
    EXPECT_TRUE(contains(result.out, "B over A: "));
    EXPECT_TRUE(contains(result.out, "unresolved"));
    // The header, and a check, a sample and a twin each time.
    EXPECT_EQ(lines(on.work().read("experiments/compare/results/here.csv")).size(), 1u + 3u * static_cast<unsigned>(times));
  }
}

TEST_F(Compare, FailsWhereTheSecondIsSurelySlowerAndOnlyThere) {
  if (!on.can_run(tuned)) GTEST_SKIP() << "no OpenCL device";
  // Starting kernels takes many times as long as the steps of so small a grid: a hundred times, so that no noise hides it.
  const std::string shaped = std::string(tuned) + ":wx=8,wy=1";
  for (const auto& [a, b, slower] : {std::tuple{std::string(skeleton), shaped, true}, {shaped, std::string(skeleton), false}}) {
    const ProcessResult result =
        on.ladder({"compare", a, b, "--case", "box-9", "--rounds", "7", "--fail-if-slower", "5", "--json"});
    EXPECT_EQ(result.code, slower ? exit_check_failed : exit_ok) << result.out;
    EXPECT_EQ(result.err.find("slower than A by more than 5 %") != std::string::npos, slower) << result.err;
  }
}

TEST_F(Compare, RefusesWhatItDoesNotKnow) {
  expect_refused({"compare", skeleton, "d2q9/serial/01_skeletton", "--case", "box-16"}, {"01_skeletton", skeleton});
  expect_refused({"compare", skeleton, skeleton}, {"--case"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--rounds", "5", "--fail-if-slower", "5"},
                 {"--rounds 5", "from 6"});
  expect_refused({"compare", skeleton, "--case", "box-16"}, {"B"});
  expect_refused({"compare", skeleton, skeleton, "--case", "bux-16"}, {"bux-16"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--precision", "f16"}, {"f16", "f32"});
  for (const char* settings : {":", ":wx", ":wx=", ":wx=a", ":=4", ":wx=4,", ":wx=99999999999999999999", ":wx=4;wy=2"})
    expect_refused({"compare", skeleton, std::string(tuned) + settings, "--case", "box-16"}, {"accepted"});
  expect_refused({"compare", skeleton, std::string(tuned) + ":wz=4", "--case", "box-16"}, {"'wz'"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--budget", "ten"}, {"'ten'", "10m"});
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--fail-if-slower", "-3"}, {"-3"});
}

}  // namespace
}  // namespace ladder::test
