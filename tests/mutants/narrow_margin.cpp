// Wrong: a tile's margin is one column too narrow for the steps of a sweep.
#include "tests/mutants/tiles.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::CorrectTiles {
  static int margin(int steps) { return steps - 1; }
};

}  // namespace

const Rung rung = mutants::tiles_of<Choice>();

}  // namespace d2q9
