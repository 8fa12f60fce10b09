#pragma once

#include "variants/d2q37/textbook.hpp"

namespace d2q37 {

/// Coefficients of textbook.hpp, as constants in loops that are unrolled (columns.hpp: why they are functions).
[[gnu::always_inline]] inline double project(int k, int i) { return coefficients.project[k][i]; }
[[gnu::always_inline]] inline double expand(int i, int k) { return coefficients.expand[i][k]; }

/// Moment k in the units of textbook.hpp over the same in cells and steps, in which d2q37_relax() takes it: D2Q37_R to the
/// power of its degree.
[[gnu::always_inline]] inline double unit(int k) {
  const int degree = degrees(k).a + degrees(k).b;
  return degree == 0   ? 1
         : degree == 1 ? D2Q37_R
         : degree == 2 ? 1 / D2Q37_S
         : degree == 3 ? D2Q37_R / D2Q37_S
                       : 1 / (D2Q37_S * D2Q37_S);
}

}  // namespace d2q37
