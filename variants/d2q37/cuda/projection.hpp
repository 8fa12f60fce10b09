#pragma once

#include "variants/d2q37/textbook.hpp"

namespace d2q37 {

/// Coefficients of the projection and the expansion, for moments as in collide.h.
template <class real>
struct Projection {
  real project[moments][q], expand[q][moments];
};
template <class real>
constexpr Projection<real> projection() {
  Projection<real> tables = {};
  for (int k = 0; k < moments; ++k) {
    double factor = 1;  // a moment in the units of textbook.hpp divided by the same in cells and steps
    for (int n = 0; n < degrees(k).a + degrees(k).b; ++n)
      factor *= D2Q37_R;
    for (int i = 0; i < q; ++i) {
      tables.project[k][i] = static_cast<real>(coefficients.project[k][i] / factor);
      tables.expand[i][k] = static_cast<real>(coefficients.expand[i][k] * factor);
    }
  }
  return tables;
}

/// The same on the device; unrolled loops use these values as constants.
static __device__ constexpr Projection<double> literals = projection<double>();

/// The collision of textbook.hpp with all loops unrolled; arguments as for d2q37_collide().
template <class real>
__device__ __forceinline__ void collide_projected(real* f, const Relaxation<real>& r) {
  real m[moments];
#pragma unroll
  for (int k = 0; k < moments; ++k) {
    m[k] = static_cast<real>(literals.project[k][q - 1]) * f[q - 1];
#pragma unroll
    for (int i = q - 2; i >= 0; --i)
      m[k] += static_cast<real>(literals.project[k][i]) * f[i];
  }
  d2q37_relax(m, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i) {
    f[i] = static_cast<real>(literals.expand[i][moments - 1]) * m[moments - 1];
#pragma unroll
    for (int k = moments - 2; k >= 0; --k)
      f[i] += static_cast<real>(literals.expand[i][k]) * m[k];
  }
}

}  // namespace d2q37
