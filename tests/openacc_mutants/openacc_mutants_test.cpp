// The check that every rung must pass catches every wrong loop, for the right reason.
#include "tests/support/wrong_kernels.hpp"

namespace ladder::test {
namespace {

const Mutant mutants[] = {
    {"last_population", R"(^periodic-11x13, step 1: population 0 at .* is -?nan)", "rt-20x37", {"f64"}},
    {"last_row", R"(^porous-37x23, step 1: population 0 at \(\d+, 22, 0\) is -?nan)", "porous-37x23"},
    {"no_corners", R"(^periodic-11x13, step 1: population \d+ at )", "periodic-17x14", {"f64"}},
    {"opposite_velocities", R"(^periodic-11x13, step 1: population \d+ at )", "rt-20x37", {"f64"}},
    {"shifted_sums", R"(^porous-37x23, step 1: average speed is .*, but .* of the stored state)", "porous-37x23"},
    {"stale_arguments", R"(^periodic-11x13, step \d+: population \d+ at )", "rt-20x37", {"f64"}},
    {"walls_as_rows", R"(^rt-9x7, step 1: population \d+ at )", "rt-20x37", {"f64"}},
};

class WrongLoop : public testing::TestWithParam<Mutant> {};

TEST_P(WrongLoop, IsCaughtByTheCheck) { expect_caught(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Mutant, WrongLoop, testing::ValuesIn(mutants),
                         [](const auto& mutant) { return std::string(mutant.param.name); });

TEST(WrongLoops, AreAllKnown) { expect_known(mutants); }

}  // namespace
}  // namespace ladder::test
