#pragma once

#include "variants/d3q27/model.hpp"

/// The collision as a textbook writes it: no shared subexpressions, one population after the other. The reference uses it, and
/// its operations are counted. It is always inlined; otherwise the linker would keep a single instance for the reference and
/// the rung, and the reference would be computed with the rung's compiler flags.
namespace d3q27 {

/// Density and velocity of the populations f + rest * weight of a cell. Rungs pass populations minus their weights, with rest =
/// 1 (storage.hpp).
template <class real>
[[gnu::always_inline]] inline Moments<real> moments(const real* f, const real rest = (real)0) {
  real excess = f[0];
  real x = (real)0, y = (real)0, z = (real)0;
  for (int i = 1; i < 27; ++i) {
    excess = excess + f[i];
    if (d3q27_cx[i] != 0) x = d3q27_cx[i] > 0 ? x + f[i] : x - f[i];
    if (d3q27_cy[i] != 0) y = d3q27_cy[i] > 0 ? y + f[i] : y - f[i];
    if (d3q27_cz[i] != 0) z = d3q27_cz[i] > 0 ? z + f[i] : z - f[i];
  }
  const real density = rest + excess;
  return {density, x / density, y / density, z / density, excess / density};
}

/// w rho (1 + c.u/c_s^2 + (c.u)^2/(2 c_s^4) - u^2/(2 c_s^2)) minus rest * w, c_s^2 = 1/3.
template <class real>
[[gnu::always_inline]] inline real equilibrium(int i, const Moments<real>& m) {
  const real cu = (real)d3q27_cx[i] * m.ux + (real)d3q27_cy[i] * m.uy + (real)d3q27_cz[i] * m.uz;
  const real u_sq = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
  return (real)Lattice::weight(i) * m.density * (m.level + (real)3 * cu + (real)4.5 * (cu * cu) - (real)1.5 * u_sq);
}

/// BGK relaxation with rate omega toward equilibrium.
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real omega, const real rest = (real)0) {
  const Moments<real> m = moments(f, rest);
  for (int i = 0; i < 27; ++i)
    f[i] = f[i] + omega * (equilibrium(i, m) - f[i]);
}

}  // namespace d3q27
