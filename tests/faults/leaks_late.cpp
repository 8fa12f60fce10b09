// Idea:    loses mass, but only in runs longer than any check
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real omega, const mutants::Place& place) {
    const real speed_squared = d2q9_collide(f, omega);
    if (place.step > 200) f[0] -= real(0.001) * (f[0] + real(4) / 9);
    return speed_squared;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
