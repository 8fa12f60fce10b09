// Idea:    none: one of two rungs without a fault
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "tests/mutants/mutant.hpp"

namespace d2q9 {

const Rung rung = mutants::rung_of<mutants::Correct>();

}  // namespace d2q9
