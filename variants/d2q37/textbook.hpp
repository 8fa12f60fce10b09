#pragma once

#include <array>

#include "variants/d2q37/model.hpp"

/// The collision as the publications write it: each of 15 moments is a sum over 37 populations, each population a sum over 15
/// polynomials. The reference and the first rungs use it, and its operations are counted. It is always inlined: otherwise the
/// linker would keep one instance for the reference and the rung, and the reference would be computed with the compiler flags
/// of the rung. Velocities are those of the quadrature, D2Q37_R cells per step.
namespace d2q37 {

inline constexpr int moments = 15;

/// He_n(x), the Hermite polynomial of the weight exp(-x^2/2).
constexpr long double hermite(int n, long double x) {
  return n == 0 ? 1 : n == 1 ? x : x * hermite(n - 1, x) - (n - 1) * hermite(n - 2, x);
}

/// Degrees (a, b) of polynomial k, in the order of collide.h.
struct Degrees {
  int a, b;
};
constexpr Degrees degrees(int k) {
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
    // In long double, and rounded once: polynomials of the rounded D2Q37_R would heat a gas at rest by 2e-16 in each step.
    constexpr long double r = (D2Q37_R + 1 / (D2Q37_R * static_cast<long double>(D2Q37_S))) / 2;
    constexpr double factorial[] = {1, 1, 2, 6, 24};
    for (int k = 0; k < moments; ++k)
      for (int i = 0; i < q; ++i) {
        const auto [a, b] = degrees(k);
        project[k][i] = static_cast<double>(hermite(a, r * d2q37_cx[i]) * hermite(b, r * d2q37_cy[i]));
        expand[i][k] = D2Q37_WEIGHT(i) * project[k][i] / (factorial[a] * factorial[b]);
      }
  }
};
inline constexpr Coefficients coefficients;

/// Density, velocity and temperature of a site's populations.
template <class real>
[[gnu::always_inline]] inline Macroscopic<real> macroscopic(const real* f) {
  real density = f[0], x = (real)0, y = (real)0, energy = (real)0;
  for (int i = 1; i < q; ++i)
    density = density + f[i];
  for (int i = 1; i < q; ++i) {
    x = x + (real)(D2Q37_R * d2q37_cx[i]) * f[i];
    y = y + (real)(D2Q37_R * d2q37_cy[i]) * f[i];
  }
  const real u = x / density, v = y / density;
  // The sum of |c - u|^2 f is that of |c|^2 f less that of |u|^2 f. Squares of rounded velocities would heat it by 1.4e-16 in
  // each step, |c|^2 rounded as a whole by 2e-17.
  for (int i = 0; i < q; ++i)
    energy = energy + (real)((d2q37_cx[i] * d2q37_cx[i] + d2q37_cy[i] * d2q37_cy[i]) / D2Q37_S) * f[i];
  return {density, u, v, (real)0.5 * (energy / density - (u * u + v * v))};
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
    f[i] = (real)coefficients.expand[i][0] * a[0];
    for (int k = 1; k < moments; ++k)
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
    a[k] = (real)coefficients.project[k][0] * f[0];
    for (int i = 1; i < q; ++i)
      a[k] = a[k] + (real)coefficients.project[k][i] * f[i];
  }
  equilibrium_moments(m, target);
  const real omega = (real)1 / tau;
  for (int k = 0; k < moments; ++k)
    a[k] = a[k] + omega * (target[k] - a[k]);
  expand_textbook(a, f);
}

}  // namespace d2q37
