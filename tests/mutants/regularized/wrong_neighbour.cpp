// Wrong: looks at the kind of the neighbour to which a population would go, not from which it comes.
#include "tests/mutants/regularized/mutant.hpp"

namespace regularized {
namespace {

struct Choice : mutants::Correct {
  static lattice::Velocity looked_at(int i) { return Lattice::c(i); }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace regularized
