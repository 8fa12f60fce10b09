// Every wrong rung is caught by the check that every rung passes, and for the right reason.
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

ProcessResult check(const std::string& name, const std::string& precision) {
  return run_process(std::filesystem::path(LADDER_MUTANTS) / name, {"check", "--case", "box-64x48", "--precision", precision},
                     120, {{"OMP_DYNAMIC", "false"}, {"OMP_WAIT_POLICY", "passive"}});
}

/// A wrong rung and what the check says of it, as a regular expression.
struct Mutant {
  const char* name;
  const char* reason;
  bool right_in_f32 = false;
};

// The companions are 37 x 23, 19 x 41 and 27 x 21 sites; the case asked for has 64 x 48.
constexpr Mutant mutants[] = {
    {"accelerated_row", R"(^porous-37x23, step 1: population \d at \(\d+, \d+, 0\) is .*, reference )"},
    {"accelerates_always", R"(^porous-37x23, step 1: population \d at \(\d+, 2[012], 0\) is )"},
    {"accelerates_always_later", R"(^porous-27x21 driven hard, step 7: population \d at )"},
    {"accelerates_solid", R"(^porous-37x23, step 1: population \d at \(\d+, 2[012], 0\) is )"},
    {"double_precision", R"(^porous-37x23, step 1: population \d at )", true},
    {"fast_math", R"(^porous-37x23, step 1: population \d at \(0, \d+, 0\) is nan, reference )"},
    {"last_cell", R"(^porous-37x23, step 1: population 2 at \(36, 22, 0\) is )"},
    {"late", R"(^porous-37x23, step 7: population \d at )"},
    {"lost_term", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"missing_barrier", R"(^porous-37x23, step 1: population \d at \(\d+, \d+, 0\) is nan, reference )"},
    {"missing_swap", R"(^porous-37x23, step 1: population \d at )"},
    {"never_moves", R"(^porous-37x23, step 1: the state has not moved$)"},
    {"no_bounce_back", R"(^porous-37x23, step 1: population \d at )"},
    {"odd_width", R"(^porous-37x23, step 1: population \d at \(36, \d+, 0\) is nan, reference )"},
    {"omega", R"(^porous-37x23, step 1: population \d at )"},
    {"overlapping_rows", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"shared_sum", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"short_history", R"(^porous-37x23: 0 values of average speed after 1 steps$)"},
    {"stale_buffer", R"(^porous-37x23, step 2: population \d at )"},
    {"store_parity", R"(^porous-37x23, step 1: population \d at )"},
    {"swapped_directions", R"(^porous-37x23, step 1: population \d at )"},
    {"uninitialized_halo", R"(^porous-37x23, step 1: population \d at \(0, \d+, 0\) is nan, reference )"},
    {"wide_grid", R"(^box-64x48, step 1: population \d at \((4|5|6)\d, \d+, 0\) is )"},
    {"wrap_x", R"(^porous-37x23, step 1: population \d at \(36, \d+, 0\) is )"},
    {"wrap_y", R"(^porous-37x23, step 1: population \d at \(\d+, 0, 0\) is )"},
    {"wrong_weight", R"(^porous-37x23, step 1: population [5678] at )"},
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

class Caught : public testing::TestWithParam<Mutant> {};

TEST_P(Caught, ByTheCheck) {
  const auto& [name, reason, right_in_f32] = GetParam();
  for (const std::string precision : {"f32", "f64"}) {
    const ProcessResult result = check(name, precision);
    ASSERT_EQ(result.end, ProcessResult::End::exited) << result.err;
    const Json answer = Json::parse(result.out);
    if (right_in_f32 && precision == "f32") {
      EXPECT_EQ(result.code, exit_ok) << result.out;
      continue;
    }
    EXPECT_EQ(result.code, exit_check_failed) << precision << ": " << result.out;
    EXPECT_EQ(answer.at("outcome"), "wrong") << precision;
    const std::string said = answer.at("reason");
    EXPECT_TRUE(std::regex_search(said, std::regex(reason))) << precision << ": " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Mutant, Caught, testing::ValuesIn(mutants), [](const auto& mutant) { return mutant.param.name; });

TEST(Control, PassesWhereNothingIsWrong) {
  for (const std::string name : {"correct", "correct_threads"})
    for (const std::string precision : {"f32", "f64"}) {
      const ProcessResult result = check(name, precision);
      EXPECT_EQ(result.code, exit_ok) << name << ": " << result.out << result.err;
      EXPECT_EQ(Json::parse(result.out).at("outcome"), "ok");
    }
}

TEST(Control, KnowsEveryMutantThatIsBuilt) {
  std::istringstream names(LADDER_MUTANT_NAMES);
  const std::set<std::string> built(std::istream_iterator<std::string>(names), {});
  std::set<std::string> known = {"correct", "correct_threads"};
  for (const auto& mutant : mutants)
    known.insert(mutant.name);
  EXPECT_EQ(built, known);
}

}  // namespace
}  // namespace ladder
