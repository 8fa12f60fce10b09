// Idea:    sets every population to NaN
// Layout:  f[q][y][x], with a halo of one site
// Traffic: read 9 reals, write 9 reals
// Source:  none; a fault to be contained
// Bound:   none
#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real, const mutants::Place&) {
    for (int i = 0; i < q; ++i)
      f[i] = std::numeric_limits<real>::quiet_NaN();
    return f[0];
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
