#pragma once

#include "variants/regularized/model.hpp"

/// The collision as a textbook writes it: no shared subexpressions, one population after the other. The reference uses it, and
/// its operations are counted. It is always inlined; otherwise the linker would keep a single instance for the reference and
/// the rung, and the reference would be computed with the rung's compiler flags.
namespace regularized {

/// Density and velocity of the populations f + rest * weight of a cell. Rungs pass populations minus their weights, with rest =
/// 1 (storage.hpp).
template <class real>
[[gnu::always_inline]] inline Moments<real> moments(const real* f, const real rest = (real)0) {
  real excess = f[0];
  real x = (real)0, y = (real)0, z = (real)0;
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    excess = excess + f[i];
    if (c.x != 0) x = c.x > 0 ? x + f[i] : x - f[i];
    if (c.y != 0) y = c.y > 0 ? y + f[i] : y - f[i];
    if (c.z != 0) z = c.z > 0 ? z + f[i] : z - f[i];
  }
  const real density = rest + excess;
  return {density, x / density, y / density, z / density, excess / density};
}

/// w rho (1 + c.u/c_s^2 + (c.u)^2/(2 c_s^4) - u^2/(2 c_s^2)) minus rest * w, c_s^2 = 1/3.
template <class real>
[[gnu::always_inline]] inline real equilibrium(int i, const Moments<real>& m) {
  const lattice::Velocity c = Lattice::c(i);
  const real cu = (real)c.x * m.ux + (real)c.y * m.uy + (real)c.z * m.uz;
  const real u_sq = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
  return (real)Lattice::weight(i) * m.density * (m.level + (real)3 * cu + (real)4.5 * (cu * cu) - (real)1.5 * u_sq);
}

/// Regularized BGK with rate omega: f = feq + (1 - omega) w / (2 c_s^4) (c c - c_s^2) : sum of c c (f - feq).
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real omega, const real rest = (real)0) {
  const Moments<real> m = moments(f, rest);
  real stress[3][3];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      stress[a][b] = (real)0;
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity v = Lattice::c(i);
    const int c[3] = {v.x, v.y, v.z};
    const real difference = f[i] - equilibrium(i, m);
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b)
        if (c[a] * c[b] != 0) stress[a][b] = c[a] * c[b] > 0 ? stress[a][b] + difference : stress[a][b] - difference;
  }
  const real third = (real)(1.0 / 3.0);
  for (int i = 0; i < q; ++i) {
    const lattice::Velocity v = Lattice::c(i);
    const int c[3] = {v.x, v.y, v.z};
    real sum = (real)0;
    for (int a = 0; a < 3; ++a)
      sum = sum + ((real)(c[a] * c[a]) - third) * stress[a][a];
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b)
        if (c[a] * c[b] != 0) sum = sum + (real)(2 * c[a] * c[b]) * stress[a][b];
    f[i] = equilibrium(i, m) + ((real)1 - omega) * (real)(4.5 * Lattice::weight(i)) * sum;
  }
}

}  // namespace regularized
