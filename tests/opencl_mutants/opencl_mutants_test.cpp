// The check that every rung must pass catches every wrong kernel, for the right reason.
#include "tests/support/wrong_kernels.hpp"

namespace ladder::test {
namespace {

// The companions are compared after 1, 2, 7 and 20 steps, so the first multi-step pass, also that of 03_two_steps, starts with
// step 3. A strip of 15_steps has 26 columns, so the second strip starts at column 26 of 37. All d3q19 companions but the first
// have boundaries.
const Mutant mutants[] = {
    {"column_between_tiles",
     R"(^tgv-(16x4x6, step 7|32x8x6, step 199): population \d+ at \((14|29), )",
     "tgv-32x8x6",
     {"f32", "f64"}},
    {"column_counted_twice", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)"},
    {"early_collection", R"(, step 7: population \d+ at )", "tgv-13x9x11", {"f32", "f64"}},
    {"early_second_step", R"(, step 7: population \d+ at )", "tgv-13x9x11", {"f32", "f64"}},
    {"entering_after_padding",
     R"(^box-7x5x3, step 1: population \d+ at \(6, \d+, \d+\) is -?nan)",
     "porous-13x9x11",
     {"f32", "f64", "f16"}},
    {"entering_in_wrong_half", R"(^box-7x5x3, step 1: population \d+ at \([04], )", "porous-13x9x11", {"f16"}},
    {"first_cell_repeated",
     R"(^(box-7x5x3|porous-16x4x6), step 1: population \d+ at )",
     "porous-13x9x11",
     {"f32", "f64", "f16"}},
    {"flag_ignored", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"flat_outflow_closed", R"(^sphere20-18x40x40, step 2: population \d+ at \(16, )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"full_vectors_return_nothing",
     R"(^porous-16x4x6, step 2: population \d+ at .* is )",
     "porous-13x9x11",
     {"f32", "f64", "f16"}},
    {"half_without_shift", R"(^box-7x5x3, step 1: population 0 at )", "porous-13x9x11", {"f16"}},
    {"late_plane", R"(, step 1: population \d+ at )", "tgv-13x9x11", {"f32", "f64"}},
    {"missed_force", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"missed_force_between_passes", R"(^porous-37x23, step 7: population \d at \(\d+, 2[012], 0\) is )"},
    {"narrow_margin", R"(^porous-37x23, step 7: population \d at \(2[5-7], \d+, 0\) is )"},
    {"nothing_returned", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"only_walls", R"(^porous-13x9x11 of all kinds, step 2: population 0 at )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"offset_of_another_plane", R"(^box-7x5x3, step 1: population \d+ at )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"returned_for_another_phase", R"(^porous-16x4x6, step 2: population 0 at )", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"returned_onward", R"(^porous-16x4x6, step 2: population 0 at .* is -?nan)", "porous-13x9x11", {"f32", "f64", "f16"}},
    {"row_end_ignored",
     R"(^box-7x5x3, step 1: population \d+ at \(6, \d+, \d+\) is -?nan)",
     "porous-13x9x11",
     {"f32", "f64", "f16"}},
    {"row_counted_twice", R"(^porous-37x23, step 3: average speed is .*, reference )"},
    {"short_ring", R"(^tgv-32x8x6, step 1: population \d+ at \(31, )", "tgv-32x8x6", {"f32", "f64"}},
    {"short_wait", R"(^porous-37x23, step 7: population \d at )"},
    {"stale_column", R"(, step 7: population \d+ at )", "tgv-13x9x11", {"f32", "f64"}},
    {"walls_of_another_row", R"(^porous-37x23, step 7: population \d at )"},
};

class WrongKernel : public testing::TestWithParam<Mutant> {};

TEST_P(WrongKernel, IsCaughtByTheCheck) { expect_caught(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Mutant, WrongKernel, testing::ValuesIn(mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

TEST(WrongKernels, AreAllKnown) { expect_known(mutants); }

}  // namespace
}  // namespace ladder::test
