// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/logistic/mutant.hpp"

const logistic::Rung logistic::rung = logistic::mutants::rung_of<logistic::mutants::Correct>();
