#pragma once

#include "variants/d2q37/textbook.hpp"

namespace d2q37 {

/// The tables of textbook.hpp on the device; unrolled loops use them as constants.
static __device__ constexpr Coefficients device_coefficients;

/// The collision of textbook.hpp with all loops unrolled; arguments as for d2q37_collide().
template <class real>
__device__ __forceinline__ void collide_projected(real* f, const Relaxation<real>& r) {
  real a[moments];
#pragma unroll
  for (int k = 0; k < moments; ++k) {
    a[k] = static_cast<real>(device_coefficients.project[k][q - 1]) * f[q - 1];
#pragma unroll
    for (int i = q - 2; i >= 0; --i)
      a[k] += static_cast<real>(device_coefficients.project[k][i]) * f[i];
  }
  constexpr double per_r[] = {1, 1 / D2Q37_R, D2Q37_S, D2Q37_S / D2Q37_R, D2Q37_S * D2Q37_S};
  // relax() takes moments in cells per step.
#pragma unroll
  for (int k = 0; k < moments; ++k)
    a[k] *= static_cast<real>(per_r[degrees(k).a + degrees(k).b]);
  d2q37_relax(a, r.omega, r.kick, r.warm);
#pragma unroll
  for (int k = 0; k < moments; ++k)
    a[k] *= static_cast<real>(1 / per_r[degrees(k).a + degrees(k).b]);
#pragma unroll
  for (int i = 0; i < q; ++i) {
    f[i] = static_cast<real>(device_coefficients.expand[i][moments - 1]) * a[moments - 1];
#pragma unroll
    for (int k = moments - 2; k >= 0; --k)
      f[i] += static_cast<real>(device_coefficients.expand[i][k]) * a[k];
  }
}

}  // namespace d2q37
