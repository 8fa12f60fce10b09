// Wrong: east of the last column comes the second column, not the first.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  static int column(int x, int nx) { return x == nx ? 1 : Correct::column(x, nx); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
