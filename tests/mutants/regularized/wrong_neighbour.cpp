// Wrong: looks at the kind of the cell that a population moves toward, not of the one that it comes from.
#include "tests/mutants/regularized/mutant.hpp"

namespace regularized {
namespace {

struct Choice : mutants::Correct {
  static lattice::Velocity looked_at(int i) { return Lattice::c(i); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace regularized
