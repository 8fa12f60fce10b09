// The check that every rung must pass catches every wrong kernel, for the right reason.
#include "tests/support/wrong_kernels.hpp"

namespace ladder::test {
namespace {

// The first companions are 7 x 5 x 3 cells without obstacles and 16 x 4 x 6 with walls; a later one has all kinds of cells.
// Some rows of porous-4x30x30 are not near any obstacle. Step 1 is a pass of one step, so errors between the steps of a pass
// appear at step 7.
const Mutant mutants[] = {
    {"codes_of_next_row", R"(^porous-16x4x6, step 1: population \d+ at )", "porous-13x9x11"},
    {"down_as_up", R"(^tgv-7x5x3, step 1: population \d+ at )", "tgv-13x9x11"},
    {"early_row", R"(^tgv-7x5x3, step 7: population \d+ at )", "tgv-13x9x11"},
    {"late_plane", R"(^tgv-7x5x3, step 1: population \d+ at )", "tgv-13x9x11"},
    {"mark_of_next_row", R"(^porous-4x30x30, step 1: population \d+ at )", "porous-4x30x30"},
    {"one_plane_waits", R"(^tgv-7x5x3, step 1: population \d+ at )", "tgv-13x9x11"},
    {"returned_from_next_plane", R"(^porous-16x4x6, step 1: population \d+ at )", "porous-13x9x11"},
    {"short_margin", R"(^tgv-7x5x3, step 7: population \d+ at .* is nan, reference )", "tgv-13x9x11"},
    {"swapped_moments", R"(^tgv-7x5x3, step 1: population \d+ at )", "tgv-13x9x11"},
    {"two_rows", R"(^tgv-7x5x3, step 7: population \d+ at )", "tgv-13x9x11"},
    {"walls_at_rest", R"(^porous-13x9x11 of all kinds, step 1: population \d+ at )", "porous-13x9x11"},
    {"whole_last_pass", R"(^tgv-7x5x3, step 1: population \d+ at )", "tgv-13x9x11"},
};

class WrongKernel : public testing::TestWithParam<Mutant> {};

TEST_P(WrongKernel, IsCaughtByTheCheck) { expect_caught(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Mutant, WrongKernel, testing::ValuesIn(mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

TEST(WrongKernels, AreAllKnown) { expect_known(mutants); }

}  // namespace
}  // namespace ladder::test
