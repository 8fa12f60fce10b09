// Wrong: a step keeps one row too few, so populations that move north are overwritten.
#include "tests/mutants/tiles.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::CorrectTiles {
  static int rows_kept() { return 2; }
};

}  // namespace

const Rung rung = mutants::tiles_of<Choice>();

}  // namespace d2q9
