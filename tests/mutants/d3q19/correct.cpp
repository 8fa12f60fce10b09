// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/d3q19/mutant.hpp"

const d3q19::Rung d3q19::rung = d3q19::mutants::rung_of<d3q19::mutants::Correct>();
