// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/mutant.hpp"

const d2q9::Rung d2q9::rung = d2q9::mutants::rung_of<d2q9::mutants::Correct>();
