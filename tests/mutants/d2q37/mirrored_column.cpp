// Wrong: a population returns from a wall in the column that it would have come from, not in its own column.
#include "tests/mutants/d2q37/mutant.hpp"

namespace d2q37 {
namespace {

struct Choice : mutants::Correct {
  static int source_column(int x, int i, int nx) { return lattice::wrapped(x - d2q37_cx[i], nx); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q37
