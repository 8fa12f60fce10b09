// Wrong: uses the edge weight for the corners.
#include <algorithm>

#include "tests/mutants/d3q27/mutant.hpp"

namespace d3q27 {
namespace {

struct Choice : mutants::Correct {
  template <class real>
  static void collide(real* f, real omega, std::int64_t step) {
    real relaxed[q];
    std::copy(f, f + q, relaxed);
    Correct::collide(relaxed, omega, step);
    // The change due to relaxation, which is proportional to the weight: 1/216 in the corners and 1/54 along the edges.
    for (int i = 0; i < q; ++i) {
      const real rest = (1 - omega) * f[i];
      f[i] = i < 19 ? relaxed[i] : relaxed[i] + 3 * (relaxed[i] - rest + omega / 216);
    }
  }
};

}  // namespace

const Rung rung = mutants::rung_of<Choice>();

}  // namespace d3q27
