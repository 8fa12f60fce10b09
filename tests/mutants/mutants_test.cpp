// The check that every rung must pass catches every wrong rung, for the right reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/process.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

std::string case_of(std::string_view name) {
  if (name.starts_with("logistic")) return "random-18x7";
  if (name.starts_with("d2q9r")) return "tgv-64x48";
  if (name.starts_with("d3q19") || name.starts_with("d3q27r")) return "porous-13x9x11";
  return name.starts_with("mutants/") ? "box-64x48" : name.starts_with("d2q37") ? "flame-9x40" : "tgv-18x7x9";
}

/// Precisions of the rung's model.
std::vector<std::string> precisions_of(std::string_view name) {
  if (name.starts_with("d2q37") || name.starts_with("logistic")) return {"f64"};
  return {"f32", "f64"};
}

ProcessResult check(const std::string& name, const std::string& precision) {
  const std::string case_name = case_of(name);
  return run_process(std::filesystem::path(LADDER_MUTANTS) / name, {"check", "--case", case_name, "--precision", precision},
                     120, {{"OMP_DYNAMIC", "false"}, {"OMP_WAIT_POLICY", "passive"}});
}

/// A wrong rung, and a regular expression for the message of its check.
struct Mutant {
  const char* name;
  const char* reason;
  bool right_in_f32 = false;
};

// The companions are 37 x 23, 19 x 41 and 27 x 21 sites; the requested case has 64 x 48.
constexpr Mutant mutants[] = {
    {"mutants/accelerated_row", R"(^porous-37x23, step 1: population \d at \(\d+, \d+, 0\) is .*, reference )"},
    {"mutants/accelerates_always", R"(^porous-37x23, step 1: population \d at \(\d+, 2[012], 0\) is )"},
    {"mutants/accelerates_always_later", R"(^porous-27x21 driven hard, step 7: population \d at )"},
    {"mutants/accelerates_solid", R"(^porous-37x23, step 1: population \d at \(\d+, 2[012], 0\) is )"},
    {"mutants/double_precision", R"(^porous-37x23, step 1: population \d at )", true},
    {"mutants/fast_math", R"(^porous-37x23, step 1: population \d at \(0, \d+, 0\) is nan, reference )"},
    {"mutants/last_cell", R"(^porous-37x23, step 1: population 2 at \(36, 22, 0\) is )"},
    {"mutants/late", R"(^porous-37x23, step 7: population \d at )"},
    {"mutants/lost_term", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"mutants/missing_barrier", R"(^porous-37x23, step 1: population \d at \(\d+, \d+, 0\) is nan, reference )"},
    {"mutants/missing_swap", R"(^porous-37x23, step 1: population \d at )"},
    {"mutants/narrow_margin", R"(^porous-37x23, step 1: population \d at \((0|8|9|1[78]|2[67]|3[56]), \d+, 0\) is nan, )"},
    {"mutants/never_moves", R"(^porous-37x23, step 1: the state has not changed$)"},
    {"mutants/no_bounce_back", R"(^porous-37x23, step 1: population \d at )"},
    {"mutants/odd_width", R"(^porous-37x23, step 1: population \d at \(36, \d+, 0\) is nan, reference )"},
    {"mutants/omega", R"(^porous-37x23, step 1: population \d at )"},
    {"mutants/overlapping_rows", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"mutants/row_counted_twice", R"(^porous-37x23, step 4: average speed is .*, reference )"},
    {"mutants/shared_sum", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"mutants/short_delay", R"(^porous-37x23, step 1: population \d at \(\d+, \d+, 0\) is .*, reference )"},
    {"mutants/short_history", R"(^porous-37x23: 0 values of average speed after 1 steps$)"},
    {"mutants/stale_buffer", R"(^porous-37x23, step 2: population \d at )"},
    {"mutants/store_parity", R"(^porous-37x23, step 1: population \d at )"},
    {"mutants/swapped_directions", R"(^porous-37x23, step 1: population \d at )"},
    {"mutants/undriven_step", R"(^porous-37x23, step 7: population \d at )"},
    {"mutants/uninitialized_halo", R"(^porous-37x23, step 1: population \d at \(0, \d+, 0\) is nan, reference )"},
    {"mutants/wide_grid", R"(^box-64x48, step 1: population \d at \((4|5|6)\d, \d+, 0\) is )"},
    {"mutants/wrap_x", R"(^porous-37x23, step 1: population \d at \(36, \d+, 0\) is )"},
    {"mutants/wrap_y", R"(^porous-37x23, step 1: population \d at \(\d+, 0, 0\) is )"},
    {"mutants/wrong_weight", R"(^porous-37x23, step 1: population [5678] at )"},
    // The companions are 11 x 13 cells without walls, and 9 x 7 and 37 x 23 with walls; the requested flame has 9 x 40.
    {"d2q37_mutants/burning_walls", R"(^flame-9x40, step 1: population \d+ at \(\d, ([012]|3[789]), 0\) is )"},
    {"d2q37_mutants/cold_force", R"(^rt-9x7, step 1: population \d+ at )"},
    {"d2q37_mutants/mirrored_column", R"(^rt-9x7, step 1: population \d+ at \(\d, [012456], 0\) is )"},
    {"d2q37_mutants/mirrored_row", R"(^rt-9x7, step 1: population \d+ at \(\d, [012456], 0\) is )"},
    {"d2q37_mutants/missed_wall_row", R"(^rt-9x7, step 1: population \d+ at \(\d, [24], 0\) is )"},
    {"d2q37_mutants/narrow_halo",
     R"(^periodic-11x13, step 1: population \d+ at \((([0-289]|10), \d+|\d+, ([0-2]|1[0-2])), 0\) is )"},
    {"d2q37_mutants/stale_divergence", R"(^flame-9x40, step 1: population \d+ at )"},
    {"d2q37_mutants/swapped_moments", R"(^periodic-11x13, step 1: population \d+ at )"},
    {"d2q37_mutants/swapped_temperatures", R"(^rt-9x7, step 1: population \d+ at \(\d, [012456], 0\) is )"},
    // The first companions are 7 x 5 x 3 cells without walls and 16 x 4 x 6 with walls; one has all kinds of cells.
    {"d3q19_mutants/closed_outflow", R"(^porous-13x9x11 of all kinds, step 2: population \d+ at )"},
    {"d3q19_mutants/dropped_block", R"(^porous-16x4x6, step 1: population \d+ at \(\d+, \d, \d\) is nan, reference )"},
    {"d3q19_mutants/forgotten_cell", R"(^porous-16x4x6, step 2: population \d+ at \(\d+, \d, \d\) is nan, reference )"},
    {"d3q19_mutants/ignored_flag", R"(^porous-16x4x6, step 1: population \d+ at \((3|7|11|15), \d, \d\) is nan, reference )"},
    {"d3q19_mutants/moves_backward", R"(^porous-13x9x11 of all kinds, step 2: population \d+ at )"},
    {"d3q19_mutants/one_rate", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q19_mutants/updated_wall", R"(^porous-16x4x6, step 2: population \d+ at )"},
    {"d3q19_mutants/wrong_link", R"(^porous-16x4x6, step 2: population \d+ at )"},
    // The companions are 7 x 5 x 3, 13 x 9 x 11 and 16 x 4 x 6 cells.
    {"d3q27_mutants/corner_weight", R"(^tgv-7x5x3, step 1: population (19|2\d) at )"},
    {"d3q27_mutants/last_plane", R"(^tgv-7x5x3, step 1: population \d+ at \(\d, \d, 2\) is )"},
    {"d3q27_mutants/late", R"(^tgv-7x5x3, step 7: population \d+ at )"},
    {"d3q27_mutants/lost_ends", R"(^tgv-7x5x3, step 1: population \d+ at \((0|6), \d, \d\) is )"},
    {"d3q27_mutants/never_moves", R"(^tgv-7x5x3, step 1: the state has not changed$)"},
    {"d3q27_mutants/odd_width", R"(^tgv-7x5x3, step 1: population \d+ at \(6, \d, \d\) is )"},
    {"d3q27_mutants/store_parity", R"(^tgv-7x5x3, step 1: population \d+ at )"},
    {"d3q27_mutants/swapped_corners", R"(^tgv-7x5x3, step 1: population 2[1-4] at )"},
    {"d3q27_mutants/turned_axes_only", R"(^tgv-7x5x3, step 2: population \d+ at )"},
    {"d3q27_mutants/wrap_x", R"(^tgv-7x5x3, step 1: population \d+ at \(6, \d, \d\) is )"},
    {"d3q27_mutants/wrap_y", R"(^tgv-7x5x3, step 1: population \d+ at \(\d, 0, \d\) is )"},
    {"d3q27_mutants/wrap_z", R"(^tgv-7x5x3, step 1: population \d+ at )"},
    {"d2q9r_mutants/narrow_margin", R"(^tgv-7x5, step 7: population \d at )"},
    {"d2q9r_mutants/north_twice", R"(^tgv-7x5, step 7: population \d at )"},
    {"d2q9r_mutants/small_ring", R"(^tgv-7x5, step \d: population \d at )"},
    {"d2q9r_mutants/short_lag", R"(^tgv-7x5, step 1: population \d at .* is nan, reference )"},
    // Companions without obstacles come first, then 16 x 4 x 6 cells with walls, then 13 x 9 x 11 with all kinds of cells.
    {"d3q19r_mutants/closed_outflow", R"(^porous-13x9x11 of all kinds, step 1: population \d+ at )"},
    {"d3q19r_mutants/keeps_direction", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q19r_mutants/moves_backward", R"(^porous-13x9x11 of all kinds, step 1: population \d+ at )"},
    {"d3q19r_mutants/updated_wall", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q19r_mutants/wrong_neighbour", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q27r_mutants/closed_outflow", R"(^porous-13x9x11 of all kinds, step 1: population \d+ at )"},
    {"d3q27r_mutants/keeps_direction", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q27r_mutants/moves_backward", R"(^porous-13x9x11 of all kinds, step 1: population \d+ at )"},
    {"d3q27r_mutants/updated_wall", R"(^porous-16x4x6, step 1: population \d+ at )"},
    {"d3q27r_mutants/wrong_neighbour", R"(^porous-16x4x6, step 1: population \d+ at )"},
    // The companions have 7 x 5, 37 x 23 and 300 x 3 elements.
    {"logistic_mutants/fused", R"(^random-7x5, step 7: population 0 at )"},
    {"logistic_mutants/inverted", R"(^random-7x5, step 1: population 0 at )"},
    {"logistic_mutants/last_element", R"(^random-7x5, step 1: population 0 at \(6, 4, 0\) is )"},
    {"logistic_mutants/one_factor", R"(^random-7x5, step 1: population 0 at )"},
    {"logistic_mutants/printed", R"(^random-7x5, step 1: population 0 at .* is -0)"},
    {"logistic_mutants/three_bytes", R"(^random-7x5, step 1: population 0 at )"},
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

class Caught : public testing::TestWithParam<Mutant> {};

TEST_P(Caught, ByTheCheck) {
  const auto& [name, reason, right_in_f32] = GetParam();
  for (const std::string& precision : precisions_of(name)) {
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

INSTANTIATE_TEST_SUITE_P(Mutant, Caught, testing::ValuesIn(mutants), [](const auto& mutant) {
  std::string name = mutant.param.name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

/// The correct rungs that the mutants are derived from.
const std::set<std::string> controls = {"mutants/correct",         "mutants/correct_threads", "mutants/correct_tiles",
                                        "d2q37_mutants/correct",   "d2q9r_mutants/correct",   "d3q19_mutants/correct",
                                        "d3q19r_mutants/correct",  "d3q27_mutants/correct",   "d3q27r_mutants/correct",
                                        "logistic_mutants/correct"};

TEST(Control, PassesWhereNothingIsWrong) {
  for (const std::string& name : controls)
    for (const std::string& precision : precisions_of(name)) {
      const ProcessResult result = check(name, precision);
      EXPECT_EQ(result.code, exit_ok) << name << ": " << result.out << result.err;
      EXPECT_EQ(Json::parse(result.out).at("outcome"), "ok");
    }
}

TEST(Control, KnowsEveryMutantThatIsBuilt) {
  std::istringstream names(LADDER_MUTANT_NAMES);
  const std::set<std::string> built(std::istream_iterator<std::string>(names), {});
  std::set<std::string> known = controls;
  for (const auto& mutant : mutants)
    known.insert(mutant.name);
  EXPECT_EQ(built, known);
}

}  // namespace
}  // namespace ladder
