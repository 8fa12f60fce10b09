#pragma once

#include "variants/d2q37/textbook.hpp"

namespace d2q37 {

/// Coefficients of textbook.hpp, which are constants in unrolled loops; columns.hpp explains why these are functions.
[[gnu::always_inline]] inline double project(int k, int i) { return coefficients.project[k][i]; }
[[gnu::always_inline]] inline double expand(int i, int k) { return coefficients.expand[i][k]; }

/// Moment k in the units of textbook.hpp divided by the same in cells and steps, as d2q37_relax() takes it: D2Q37_R to the
/// power of its degree.
[[gnu::always_inline]] inline double unit(int k) {
  const int degree = degrees(k).a + degrees(k).b;
  return degree == 0   ? 1
         : degree == 1 ? D2Q37_R
         : degree == 2 ? 1 / D2Q37_S
         : degree == 3 ? D2Q37_R / D2Q37_S
                       : 1 / (D2Q37_S * D2Q37_S);
}

/// The collision of textbook.hpp with all loops unrolled; `heat` adds to r.warm.
template <class real>
[[gnu::always_inline]] inline void collide_projected(real* f, const Relaxation<real>& r, real heat = 0) {
  real m[moments];
#pragma GCC unroll 15
  for (int k = 0; k < moments; ++k) {
    real sum = 0;
#pragma GCC unroll 37
    for (int i = q - 1; i >= 0; --i)
      sum += static_cast<real>(project(k, i)) * f[i];
    m[k] = sum * static_cast<real>(1 / unit(k));
  }
  d2q37_relax(m, r.omega, r.kick, r.warm + heat);
#pragma GCC unroll 15
  for (int k = 0; k < moments; ++k)
    m[k] *= static_cast<real>(unit(k));
#pragma GCC unroll 37
  for (int i = 0; i < q; ++i) {
    real sum = 0;
#pragma GCC unroll 15
    for (int k = moments - 1; k >= 0; --k)
      sum += static_cast<real>(expand(i, k)) * m[k];
    f[i] = sum;
  }
}

}  // namespace d2q37
