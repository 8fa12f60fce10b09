// Every wrong kernel is caught by the check that every rung passes, and for the right reason.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/error.hpp"
#include "harness/program/process.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// A wrong kernel and what the check says of it, as a regular expression.
struct Mutant {
  const char* name;
  const char* reason;
  const char* case_name = "box-64x48";
  std::vector<std::string> precisions = {"f32", "f64"};
};

// The companions are compared after 1, 2, 7 and 20 steps: the first pass of several steps starts with step 3. A strip of
// 15_steps has 26 columns, so the second one starts with column 26 of 37. Companions of d3q19 have boundaries from the second
// on.
const Mutant mutants[] = {
    {"column_counted_twice", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"flag_ignored", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"half_without_shift", R"(^box-7x5x3, step 1: population 0 at )", "porous-13x9x11", {"f16"}},
    {"missed_force", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"missed_force_between_passes", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"narrow_margin", R"(^porous-37x23, step 7: population \d at \(2[5-7], \d+, 0\) is )"},
    {"nothing_returned", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"only_walls", R"(^porous-13x9x11 of all kinds, step 2: population 0 at )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"returned_for_another_phase", R"(^porous-16x4x6, step 2: population 0 at )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"returned_onward", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"row_counted_twice", R"(^porous-37x23, step 3: average speed is .*, reference )"},
    {"short_wait", R"(^porous-37x23, step 7: population \d at )"},
    {"walls_of_another_row", R"(^porous-37x23, step 7: population \d at )"},
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

class WrongKernel : public testing::TestWithParam<Mutant> {};

TEST_P(WrongKernel, IsCaughtByTheCheck) {
  const auto& [name, reason, case_name, precisions] = GetParam();
  for (const std::string& precision : precisions) {
    const ProcessResult result = run_process(std::filesystem::path(LADDER_MUTANTS) / name,
                                             {"check", "--case", case_name, "--precision", precision}, 120, {});
    ASSERT_EQ(result.end, ProcessResult::End::exited) << result.err;
    if (result.code == exit_unavailable) GTEST_SKIP() << result.out;
    EXPECT_EQ(result.code, exit_check_failed) << precision << ": " << result.out;
    const Json answer = Json::parse(result.out);
    EXPECT_EQ(answer.at("outcome"), "wrong") << precision;
    const std::string said = answer.at("reason");
    EXPECT_TRUE(std::regex_search(said, std::regex(reason))) << precision << ": " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Mutant, WrongKernel, testing::ValuesIn(mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

TEST(WrongKernels, AreAllKnown) {
  std::istringstream names(LADDER_MUTANT_NAMES);
  const std::set<std::string> built(std::istream_iterator<std::string>(names), {});
  std::set<std::string> known;
  for (const auto& mutant : mutants)
    known.insert(mutant.name);
  EXPECT_EQ(built, known);
}

}  // namespace
}  // namespace ladder
