// Nothing is wrong: the solver that all mutants are derived from passes.
#include "tests/mutants/d2q9r/pass.hpp"

const d2q9r::Rung d2q9r::rung = d2q9r::mutants::rung_of<d2q9r::mutants::Correct>();
