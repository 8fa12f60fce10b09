#pragma once

#include <array>

#include "variants/d2q37/model.hpp"

/// The collision as the publications write it: each of 15 moments is a sum over 37 populations, each population a sum over 15
/// polynomials. The reference and the first rungs use it, and its operations are counted. It is always inlined: otherwise the
/// linker would keep one instance for the reference and the rung, and the reference would be computed with the compiler flags
/// of the rung. Velocities are those of the quadrature, D2Q37_R cells per step. Sums start with the rarest populations and the
/// highest degrees: these terms are the smallest, and so are the rounding errors of their partial sums.
namespace d2q37 {

inline constexpr int moments = 15;

/// He_n(R c), the Hermite polynomial of the weight exp(-x^2/2) at a velocity of c cells per step. The square of the rounded R
/// is not 1 / s to the last bit, and every step would heat the gas by the difference: here x^2 - 1 is R^2 (c^2 - s).
constexpr double hermite(int n, int c) {
  constexpr double s = D2Q37_S;
  const double in_cells[] = {1, 1.0 * c, c * c - s, c * (c * c - 3 * s), c * c * (c * c - 6 * s) + 3 * s * s};
  const double per_cells[] = {1, D2Q37_R, 1 / s, D2Q37_R / s, 1 / (s * s)};
  return in_cells[n] * per_cells[n];
}

/// Degrees (a, b) of polynomial k, in the order of collide.h.
struct Degrees {
  int a, b;
};
LBM_ANYWHERE constexpr Degrees degrees(int k) {
  int total = 0;
  while (k > total)
    k -= ++total;
  return {total - k, k};
}

/// He_a(cx) He_b(cy) of polynomial k and direction i, and its factor in the expansion, w_i He_a(cx) He_b(cy) / (a! b!).
struct Coefficients {
  double project[moments][q] = {};
  double expand[q][moments] = {};

  constexpr Coefficients() {
    constexpr double factorial[] = {1, 1, 2, 6, 24};
    for (int k = 0; k < moments; ++k)
      for (int i = 0; i < q; ++i) {
        const auto [a, b] = degrees(k);
        project[k][i] = hermite(a, d2q37_cx[i]) * hermite(b, d2q37_cy[i]);
        expand[i][k] = D2Q37_WEIGHT(i) * project[k][i] / (factorial[a] * factorial[b]);
      }
  }
};
inline constexpr Coefficients coefficients;

/// Density, velocity and temperature of a site's populations.
template <class real>
[[gnu::always_inline]] inline Macroscopic<real> macroscopic(const real* f) {
  real density = f[q - 1], x = (real)0, y = (real)0, energy = (real)0;
  for (int i = q - 2; i >= 0; --i)
    density = density + f[i];
  for (int i = q - 1; i > 0; --i) {
    x = x + (real)d2q37_cx[i] * f[i];
    y = y + (real)d2q37_cy[i] * f[i];
  }
  const real u = x / density, v = y / density;
  for (int i = q - 1; i >= 0; --i) {
    const real dx = (real)d2q37_cx[i] - u, dy = (real)d2q37_cy[i] - v;
    energy = energy + (dx * dx + dy * dy) * f[i];
  }
  return {density, (real)D2Q37_R * u, (real)D2Q37_R * v, energy / ((real)(2 * D2Q37_S) * density)};
}

/// Hermite moments of the equilibrium: density times h_a(u) h_b(v), with h_0 = 1, h_1 = u, h_2 = u^2 + T - 1, h_3 = u^3 + 3 u
/// (T - 1), h_4 = u^4 + 6 u^2 (T - 1) + 3 (T - 1)^2. Shan, Yuan, Chen, J. Fluid Mech. 550 (2006) 413.
template <class real>
[[gnu::always_inline]] inline void equilibrium_moments(const Macroscopic<real>& m, real* a) {
  const real theta = m.temperature - (real)1;
  const auto fill = [&](real u, real * h) __attribute__((always_inline)) {
    h[0] = (real)1;
    h[1] = u;
    h[2] = u * u + theta;
    h[3] = u * u * u + (real)3 * u * theta;
    h[4] = u * u * u * u + (real)6 * u * u * theta + (real)3 * theta * theta;
  };
  real x[5], y[5];
  fill(m.u, x);
  fill(m.v, y);
  for (int k = 0; k < moments; ++k)
    a[k] = m.density * (x[degrees(k).a] * y[degrees(k).b]);
}

/// The populations of Hermite moments.
template <class real>
[[gnu::always_inline]] inline void expand_textbook(const real* a, real* f) {
  for (int i = 0; i < q; ++i) {
    f[i] = (real)coefficients.expand[i][moments - 1] * a[moments - 1];
    for (int k = moments - 2; k >= 0; --k)
      f[i] = f[i] + (real)coefficients.expand[i][k] * a[k];
  }
}

/// The populations of an equilibrium.
template <class real>
[[gnu::always_inline]] inline void equilibrium(const Macroscopic<real>& m, real* f) {
  real a[moments];
  equilibrium_moments(m, a);
  expand_textbook(a, f);
}

/// Projects and relaxes the populations of a site: with gravity g along -y and a heat source that raises the temperature by
/// `heat` per step, the equilibrium is that of v - tau g and T + tau (1 - tau) g^2 / 2 + tau heat.
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real tau, const real gravity, const real heat) {
  Macroscopic<real> m = macroscopic(f);
  m.v = m.v - tau * gravity;
  m.temperature = m.temperature + tau * ((real)0.5 * ((real)1 - tau) * gravity * gravity + heat);
  real a[moments], target[moments];
  for (int k = 0; k < moments; ++k) {
    a[k] = (real)coefficients.project[k][q - 1] * f[q - 1];
    for (int i = q - 2; i >= 0; --i)
      a[k] = a[k] + (real)coefficients.project[k][i] * f[i];
  }
  equilibrium_moments(m, target);
  const real omega = (real)1 / tau;
  for (int k = 0; k < moments; ++k)
    a[k] = a[k] + omega * (target[k] - a[k]);
  expand_textbook(a, f);
}

}  // namespace d2q37
