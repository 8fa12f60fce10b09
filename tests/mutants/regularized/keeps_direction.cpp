// Wrong: populations that come back from a wall keep their direction.
#include "tests/mutants/regularized/mutant.hpp"

namespace regularized {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static void return_from(int kind, const real* k, real speed, real* back) {
    if (kind != Kind::velocity && kind != Kind::pressure)
      std::copy_n(k, numbers, back);
    else
      regularized::return_from(kind, k, speed, back);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace regularized
