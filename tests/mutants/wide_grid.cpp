// Wrong: from column 40 on, which no small grid has.
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real omega, const mutants::Place& place) {
    return d2q9_collide(f, place.x < 40 ? omega : omega * real(1.001));
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
