// Nothing is wrong: the solver that the temporal blocking mutants are derived from passes.
#include "tests/mutants/tiles.hpp"

const d2q9::Rung d2q9::rung = d2q9::mutants::tiles_of<d2q9::mutants::CorrectTiles>();
