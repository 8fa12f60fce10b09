// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/d2q37/mutant.hpp"

const d2q37::Rung d2q37::rung = d2q37::mutants::rung_of<d2q37::mutants::Correct>();
