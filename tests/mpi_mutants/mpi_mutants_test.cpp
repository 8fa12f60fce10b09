// The check catches every wrong multi-process rung, for the right reason. A process that fails, dies or hangs ends the others.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/process.hpp"
#include "tests/support/launched.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

std::filesystem::path mutant(const std::string& name) { return std::filesystem::path(LADDER_MUTANTS) / name; }

/// A wrong rung, a regular expression for the message of its check on two processes, the case, and its model's precisions.
struct Mutant {
  const char* name;
  const char* reason;
  const char* case_name = "box-64x48";
  std::vector<std::string> precisions = {"f32", "f64"};
  bool is_optional = false;  ///< not built without OpenACC
};

// The first companion with strips has 37 x 23 cells. The processes own rows 0 to 10 and 11 to 22. The first one with blocks has
// 7 x 5 x 3 cells, and one block per process: columns 0 to 3 and 4 to 6. A later one has 18 x 40 x 40 cells in four blocks; the
// first process has one of them, which soon gets NaN from the others. The first companion with strips of columns has 11 x 13
// cells; the processes own columns 0 to 4 and 5 to 10.
const Mutant mutants[] = {
    {"counted_twice", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"empty_message", R"(^porous-37x23, step 2: population \d at \(\d+, (10|22), 0\) is )"},
    {"repeated_value", R"(^box-7x5x3, step 1: population \d+ at \((0|3|4|6), \d, \d\) is )", "box-9x7x5"},
    {"short_halo", R"(^porous-37x23, step 2: population \d at \((0|35|36), (0|10|11|22), 0\) is )"},
    {"stale_halo", R"(^porous-37x23, step 2: population \d at \(\d+, (0|10|11|22), 0\) is )"},
    {"stale_blocks", R"(^sphere20-18x40x40, step 7: population \d+ at \(\d+, \d+, \d+\) is nan)", "box-9x7x5"},
    {"lost_message",
     R"(^periodic-11x13, step 1: population \d+ at \((0|4|5|10), \d+, 0\) is -?nan)",
     "rt-20x37",
     {"f64"},
     true},
    {"short_crossing",
     R"(^periodic-11x13, step 1: population \d+ at \((0|4|5|10), \d+, 0\) is -?nan)",
     "rt-20x37",
     {"f64"},
     true},
    {"stale_columns", R"(^periodic-11x13, step 1: population \d+ at \(\d+, \d+, 0\) is )", "rt-20x37", {"f64"}, true},
    {"wrong_population", R"(^periodic-11x13, step 1: population \d+ at \(\d+, \d+, 0\) is )", "rt-20x37", {"f64"}, true},
    {"wrong_tag", R"(^porous-37x23, step 1: population \d at \(\d+, (0|10|11|22), 0\) is )"},
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

std::set<std::string> built() {
  std::istringstream names(LADDER_MUTANT_NAMES);
  return {std::istream_iterator<std::string>(names), {}};
}

class WrongStrips : public testing::TestWithParam<Mutant> {};

TEST_P(WrongStrips, AreCaughtInTwoProcesses) {
  if (GetParam().is_optional && built().count(GetParam().name) == 0) GTEST_SKIP() << "built without OpenACC";
  for (const std::string& precision : GetParam().precisions) {
    const ProcessResult result =
        test::launched(2, mutant(GetParam().name), {"check", "--case", GetParam().case_name, "--precision", precision});
    ASSERT_EQ(result.end, ProcessResult::End::exited) << result.err;
    EXPECT_EQ(result.code, exit_check_failed) << precision << ": " << result.out << result.err;
    const Json answer = Json::parse(result.out);
    EXPECT_EQ(answer.at("outcome"), "wrong") << precision;
    const std::string said = answer.at("reason");
    EXPECT_TRUE(std::regex_search(said, std::regex(GetParam().reason))) << precision << ": " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Mutant, WrongStrips, testing::ValuesIn(mutants),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(WrongStrip, IsKnown) {
  const bool has_optional = built().count("short_crossing") > 0;
  std::set<std::string> known;
  for (const Mutant& one : mutants)
    if (!one.is_optional || has_optional) known.insert(one.name);
  EXPECT_EQ(built(), known);
}

/// Processes on this machine that run a program.
int running(const std::filesystem::path& program) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string first;
    if (std::getline(file, first, '\0') && first == program) ++count;
  }
  return count;
}

const Words one_check = {"check", "--case", "box-64x48", "--precision", "f32"};

TEST(OneOfTwoProcesses, ThatThrowsEndsTheOther) {
  const ProcessResult result = test::launched(2, mutant("throws"), one_check);
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_EQ(result.code, 4) << result.out << result.err;
  EXPECT_NE(result.err.find("process 1 of 2: the second process"), std::string::npos) << result.err;
  EXPECT_EQ(running(mutant("throws")), 0);
}

TEST(OneOfTwoProcesses, ThatDiesEndsTheOther) {
  const ProcessResult result = test::launched(2, mutant("dies"), one_check);
  EXPECT_NE(result.code, exit_ok) << result.out << result.err;
  EXPECT_EQ(result.out.find("\"ok\""), std::string::npos);
  EXPECT_EQ(running(mutant("dies")), 0);
}

TEST(OneOfTwoProcesses, ThatHangsIsEndedWithTheOtherAtTheTimeLimit) {
  const ProcessResult result = test::launched(2, mutant("hangs"), one_check, 3);
  EXPECT_EQ(result.end, ProcessResult::End::timed_out) << result.err;
  EXPECT_EQ(running(mutant("hangs")), 0);
}

}  // namespace
}  // namespace ladder
