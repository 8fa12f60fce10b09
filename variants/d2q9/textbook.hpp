#pragma once

#include "variants/d2q9/model.hpp"

/// The textbook collision: no shared subexpressions, one population after another. The reference and the skeleton use it, and
/// its operations are counted. It is always inlined: otherwise the linker would keep one instance for both, and the reference
/// would be computed with the rung's compiler flags.
namespace d2q9 {

/// Density and velocity of a site.
template <class real>
struct Moments {
  real density, ux, uy;
  real excess = (real)0;  ///< density - rest
};
using Macroscopic = Moments<double>;

/// Returns the moments of the populations f + rest * weight, in the order of collide.h. Rungs pass populations minus their
/// weights, with rest = 1 (storage.hpp).
template <class real>
[[gnu::always_inline]] inline Moments<real> moments(const real* f, const real rest = (real)0) {
  real excess = f[0];
  for (int i = 1; i < 9; ++i)
    excess = excess + f[i];
  const real density = rest + excess;
  return {density, (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / density, (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / density,
          excess};
}

/// Relaxes f + rest * weight (BGK) with rate omega toward w rho (1 + c.u/c_s^2 + (c.u)^2/(2 c_s^4) - u^2/(2 c_s^2)),
/// c_s^2 = 1/3.
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real omega, const real rest = (real)0) {
  const real c_sq = (real)(1.0 / 3.0);
  const auto [density, ux, uy, excess] = moments(f, rest);
  const real level = excess / density;
  const real u_sq = ux * ux + uy * uy;
  const real u[9] = {(real)0, ux, uy, -ux, -uy, ux + uy, -ux + uy, -ux - uy, ux - uy};
  const real w[9] = {(real)(4.0 / 9.0),  (real)(1.0 / 9.0),  (real)(1.0 / 9.0),  (real)(1.0 / 9.0), (real)(1.0 / 9.0),
                     (real)(1.0 / 36.0), (real)(1.0 / 36.0), (real)(1.0 / 36.0), (real)(1.0 / 36.0)};
  f[0] = f[0] + omega * (w[0] * density * (level - u_sq / ((real)2 * c_sq)) - f[0]);
  for (int i = 1; i < 9; ++i) {
    const real equilibrium =
        w[i] * density * (level + u[i] / c_sq + (u[i] * u[i]) / ((real)2 * c_sq * c_sq) - u_sq / ((real)2 * c_sq));
    f[i] = f[i] + omega * (equilibrium - f[i]);
  }
}

}  // namespace d2q9
