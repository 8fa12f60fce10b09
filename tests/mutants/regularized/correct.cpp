// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/regularized/mutant.hpp"

const regularized::Rung regularized::rung = regularized::mutants::rung_of<regularized::mutants::Correct>();
