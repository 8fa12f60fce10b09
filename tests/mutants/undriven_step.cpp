// Wrong: does not drive the driven row in the third step of a sweep.
#include "tests/mutants/tiles.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::CorrectTiles {
  static bool drives(int done) { return done != 2; }
};

}  // namespace

const Rung rung = mutants::tiles_of<Choice>();

}  // namespace d2q9
