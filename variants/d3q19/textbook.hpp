#pragma once

#include "variants/d3q19/model.hpp"

/// The collision as a textbook writes it: no shared subexpressions, one population after the other. The reference and the first
/// rung use it, and its operations are counted. It is always inlined; otherwise the linker would keep a single instance for
/// both, and the reference would be computed with the rung's compiler flags.
namespace d3q19 {

/// Density and velocity of the populations f + rest * weight of a cell. Rungs pass populations minus their weights, with rest =
/// 1 (storage.hpp).
template <class real>
[[gnu::always_inline]] inline Moments<real> moments(const real* f, const real rest = (real)0) {
  Moments<real> m{(real)0, (real)0, (real)0, (real)0};
  real excess = f[0];
  for (int i = 1; i < 19; ++i) {
    excess = excess + f[i];
    if (d3q19_cx[i] != 0) m.ux = m.ux + (real)d3q19_cx[i] * f[i];
    if (d3q19_cy[i] != 0) m.uy = m.uy + (real)d3q19_cy[i] * f[i];
    if (d3q19_cz[i] != 0) m.uz = m.uz + (real)d3q19_cz[i] * f[i];
  }
  m.density = rest + excess;
  return {m.density, m.ux / m.density, m.uy / m.density, m.uz / m.density, excess / m.density};
}

/// Population i of the equilibrium, minus rest * weight.
template <class real>
[[gnu::always_inline]] inline real equilibrium(int i, const Moments<real>& m) {
  const real cu = (real)d3q19_cx[i] * m.ux + (real)d3q19_cy[i] * m.uy + (real)d3q19_cz[i] * m.uz;
  const real u2 = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
  return (real)D3Q19_WEIGHT(i) * m.density * (m.level + (real)3 * cu + (real)4.5 * cu * cu - (real)1.5 * u2);
}

/// Relaxes even parts toward equilibrium with rate omega and odd parts with rate omega_minus. For a population and its
/// opposite, the even part is half their sum and the odd part half their difference.
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real omega, const real omega_minus,
                                                    const real rest = (real)0) {
  const Moments<real> m = moments(f, rest);
  real relaxed[19];
  for (int i = 0; i < 19; ++i) {
    const int j = d3q19_opposite[i];
    const real here = equilibrium(i, m), there = equilibrium(j, m);
    const real even = (f[i] + f[j]) / (real)2 - (here + there) / (real)2;
    const real odd = (f[i] - f[j]) / (real)2 - (here - there) / (real)2;
    relaxed[i] = f[i] - omega * even - omega_minus * odd;
  }
  for (int i = 0; i < 19; ++i)
    f[i] = relaxed[i];
}

}  // namespace d3q19
