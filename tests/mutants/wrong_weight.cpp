// Wrong: the weight of the diagonal directions is 1/35.
#include <algorithm>

#include "tests/mutants/mutant.hpp"

namespace d2q9 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static real collide(real* f, real omega, const mutants::Place&) {
    real before[q];
    std::copy_n(f, q, before);
    const real speed_squared = d2q9_collide(f, omega);
    for (int i = 5; i < q; ++i)
      f[i] += (f[i] - (1 - omega) * before[i] + omega / 36) * (real(36) / 35 - 1);
    return speed_squared;
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d2q9
