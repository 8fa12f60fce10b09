// Nothing is wrong: the solver behind the mutants of temporal blocking passes.
#include "tests/mutants/tiles.hpp"

const d2q9::Rung d2q9::rung = d2q9::mutants::tiles_of<d2q9::mutants::CorrectTiles>();
