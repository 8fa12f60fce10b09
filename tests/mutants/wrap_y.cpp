// Wrong: south of the first row comes the second to last row, not the last.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int row(int y, int ny) { return y == -1 ? ny - 2 : Correct::row(y, ny); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
