// Wrong: cells that are not fluid also collide.
#include "tests/mutants/regularized/mutant.hpp"

namespace regularized {
namespace {

struct Choice : mutants::Correct {
  static bool keeps_zeros() { return false; }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace regularized
