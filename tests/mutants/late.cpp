// Wrong: from the third step on, by a small amount.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real omega, const mutants::Place& place) {
    return d2q9_collide(f, place.step > 2 ? omega * real(1.001) : omega);
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
