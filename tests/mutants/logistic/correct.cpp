// Nothing is wrong: the solver behind all mutants passes.
#include "tests/mutants/logistic/mutant.hpp"

const logistic::Rung logistic::rung = logistic::mutants::rung_of<logistic::mutants::Correct>();
