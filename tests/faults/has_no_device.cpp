// Idea:    cannot run here, but notices only when asked to work
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "base/error.hpp"
#include "tests/mutants/mutant.hpp"

namespace d2q9 {

const Rung rung = {.follows = "",
                   .traffic =
                       [](double real) {
                         return ladder::Traffic{9 * real, 9 * real};
                       },
                   .make = [](const Case&, const ladder::Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
                     throw ladder::Unavailable("no device of this kind answers");
                   }};

}  // namespace d2q9
