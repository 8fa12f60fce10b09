// Every wrong kernel is caught by the check that every rung passes, and for the right reason.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "harness/error.hpp"
#include "harness/program/process.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// A wrong kernel and what the check says of it, as a regular expression.
struct Mutant {
  const char* name;
  const char* reason;
};

// The companions are compared after 1, 2, 7 and 20 steps: the first pass of several steps starts with step 3. A strip of
// 15_steps has 26 columns, so the second one starts with column 26 of 37.
constexpr Mutant mutants[] = {
    {"column_counted_twice", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"missed_force", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"missed_force_between_passes", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"narrow_margin", R"(^porous-37x23, step 7: population \d at \(2[5-7], \d+, 0\) is )"},
    {"row_counted_twice", R"(^porous-37x23, step 3: average speed is .*, reference )"},
    {"short_wait", R"(^porous-37x23, step 7: population \d at )"},
    {"walls_of_another_row", R"(^porous-37x23, step 7: population \d at )"},
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

class WrongKernel : public testing::TestWithParam<Mutant> {};

TEST_P(WrongKernel, IsCaughtByTheCheck) {
  const auto& [name, reason] = GetParam();
  for (const std::string precision : {"f32", "f64"}) {
    const ProcessResult result = run_process(std::filesystem::path(LADDER_MUTANTS) / name,
                                             {"check", "--case", "box-64x48", "--precision", precision}, 120, {});
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
