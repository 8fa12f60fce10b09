// Wrong: treats the outflow as a wall.
#include "tests/mutants/regularized/mutant.hpp"

namespace regularized {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static void return_from(int kind, const real* k, real speed, real* back) {
    regularized::return_from(kind == Kind::pressure ? Kind::wall : kind, k, speed, back);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace regularized
