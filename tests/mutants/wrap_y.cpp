// Wrong: the row to the south of the first one is the last but one.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int row(int y, int ny) { return y == -1 ? ny - 2 : Correct::row(y, ny); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
