// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/d3q27/mutant.hpp"

const d3q27::Rung d3q27::rung = d3q27::mutants::rung_of<d3q27::mutants::Correct>();
