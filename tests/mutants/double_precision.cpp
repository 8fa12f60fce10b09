// Wrong: in double precision, a constant is rounded to float.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real omega, const mutants::Place&) {
    return d2q9_collide(f, static_cast<real>(static_cast<float>(omega)));
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
