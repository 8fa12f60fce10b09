#pragma once

#include "variants/d2q9r/model.hpp"

/// The collision as a textbook writes it: no shared subexpressions, one population after the other. The reference uses it, and
/// its operations are counted. It is always inlined; otherwise the linker would keep a single instance for the reference and
/// the rung, and the reference would be computed with the rung's compiler flags.
namespace d2q9r {

/// Density and velocity of the populations f + rest * weight of a cell. Rungs pass populations minus their weights, with rest =
/// 1 (storage.hpp).
template <class real>
[[gnu::always_inline]] inline Moments<real> moments(const real* f, const real rest = (real)0) {
  real excess = f[0];
  real x = (real)0, y = (real)0;
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    excess = excess + f[i];
    if (c.x != 0) x = c.x > 0 ? x + f[i] : x - f[i];
    if (c.y != 0) y = c.y > 0 ? y + f[i] : y - f[i];
  }
  const real density = rest + excess;
  return {.density = density, .ux = x / density, .uy = y / density, .level = excess / density};
}

/// w rho (1 + c.u/c_s^2 + (c.u)^2/(2 c_s^4) - u^2/(2 c_s^2)) minus rest * w, c_s^2 = 1/3.
template <class real>
[[gnu::always_inline]] inline real equilibrium(int i, const Moments<real>& m) {
  const lattice::Velocity c = Lattice::c(i);
  const real cu = (real)c.x * m.ux + (real)c.y * m.uy;
  const real u_sq = m.ux * m.ux + m.uy * m.uy;
  return (real)Lattice::weight(i) * m.density * (m.level + (real)3 * cu + (real)4.5 * (cu * cu) - (real)1.5 * u_sq);
}

/// Regularized BGK with rate omega: f = feq + (1 - omega) w / (2 c_s^4) (c c - c_s^2) : sum of c c (f - feq).
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real omega, const real rest = (real)0) {
  const Moments<real> m = moments(f, rest);
  real xx = (real)0, yy = (real)0, xy = (real)0;  // the stress
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    const real difference = f[i] - equilibrium(i, m);
    if (c.x != 0) xx = xx + difference;
    if (c.y != 0) yy = yy + difference;
    if (c.x * c.y != 0) xy = c.x * c.y > 0 ? xy + difference : xy - difference;
  }
  const real third = (real)(1.0 / 3.0);
  for (int i = 0; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    real sum = ((real)(c.x * c.x) - third) * xx + ((real)(c.y * c.y) - third) * yy;
    if (c.x * c.y != 0) sum = sum + (real)(2 * c.x * c.y) * xy;
    f[i] = equilibrium(i, m) + ((real)1 - omega) * (real)(4.5 * Lattice::weight(i)) * sum;
  }
}

}  // namespace d2q9r
