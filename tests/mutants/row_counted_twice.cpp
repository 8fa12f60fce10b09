// Wrong: two tiles count the row between them.
#include "tests/mutants/tiles.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::CorrectTiles {
  static bool counts(int y, int first, int last, int step) { return first <= y && y < last + (step == 2); }
};

}  // namespace

const Rung rung = mutants::tiles_of<Choice>();

}  // namespace d2q9
