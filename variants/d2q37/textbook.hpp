#pragma once

#include <array>

#include "variants/d2q37/model.hpp"

/// The collision as the publications write it: each of 15 moments is a sum over 37 populations, and each population a sum over
/// 15 polynomials. The reference and the first rungs use it, and its operations are counted. It is always inlined; otherwise
/// the linker would keep a single instance for the reference and the rung, and the reference would be computed with the rung's
/// compiler flags. Velocities are those of the quadrature, D2Q37_R cells per step.
namespace d2q37 {

inline constexpr int moments = 15;

/// Square of a velocity of n cells per step. D2Q37_R is rounded such that its square is off by 0.8 epsilon, and the energy
/// would change by as much in each step; D2Q37_S has a tenth of this error.
constexpr double squared(int n) { return n * n / D2Q37_S; }

/// He_n, the Hermite polynomial of degree n = 0 to 4 for the weight exp(-x^2/2), at a velocity of `cells` cells per step.
constexpr double hermite(int n, int cells) {
  const double x = D2Q37_R * cells, xx = squared(cells);
  return n == 0 ? 1 : n == 1 ? x : n == 2 ? xx - 1 : n == 3 ? x * (xx - 3) : xx * xx - 6 * xx + 3;
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

/// He_a(cx) He_b(cy) for polynomial k and direction i, and its factor in the expansion, w_i He_a(cx) He_b(cy) / (a! b!).
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

/// Density, velocity and theta = temperature - 1 of one site. The temperature itself would be rounded in the last place of 1,
/// an error that accumulates with every step in a lattice at rest.
template <class real>
struct Deviation {
  real density, u, v, theta;
};

/// Computed from the sums of f, c f and (|c|^2 - 2) f. The last sum equals the density times 2 theta + u^2 + v^2; it is smaller
/// than the sum of |c|^2 f and therefore has less rounding error. Sums start with the last populations, which are the smallest,
/// to minimize rounding.
template <class real>
[[gnu::always_inline]] inline Deviation<real> deviation(const real* f) {
  real density = (real)0, x = (real)0, y = (real)0, energy = (real)0;
  for (int i = q - 1; i >= 0; --i) {
    density = density + f[i];
    x = x + (real)(D2Q37_R * d2q37_cx[i]) * f[i];
    y = y + (real)(D2Q37_R * d2q37_cy[i]) * f[i];
    energy = energy + (real)(squared(d2q37_cx[i]) + squared(d2q37_cy[i]) - 2) * f[i];
  }
  const real u = x / density, v = y / density;
  return {density, u, v, (real)0.5 * (energy / density - (u * u + v * v))};
}

/// Density, velocity and temperature for a site's populations.
template <class real>
[[gnu::always_inline]] inline Macroscopic<real> macroscopic(const real* f) {
  const Deviation<real> m = deviation(f);
  return {m.density, m.u, m.v, (real)1 + m.theta};
}

/// Hermite moments of the equilibrium: density times h_a(u) h_b(v), with h_0 = 1, h_1 = u, h_2 = u^2 + theta, h_3 = u^3 + 3 u
/// theta, h_4 = u^4 + 6 u^2 theta + 3 theta^2. Shan, Yuan, Chen, J. Fluid Mech. 550 (2006) 413.
template <class real>
[[gnu::always_inline]] inline void equilibrium_moments(const Deviation<real>& m, real* a) {
  const auto fill = [&](real u, real * h) __attribute__((always_inline)) {
    h[0] = (real)1;
    h[1] = u;
    h[2] = u * u + m.theta;
    h[3] = u * u * u + (real)3 * u * m.theta;
    h[4] = u * u * u * u + (real)6 * u * u * m.theta + (real)3 * m.theta * m.theta;
  };
  real x[5], y[5];
  fill(m.u, x);
  fill(m.v, y);
  for (int k = 0; k < moments; ++k)
    a[k] = m.density * (x[degrees(k).a] * y[degrees(k).b]);
}

/// Computes the populations with the given Hermite moments.
template <class real>
[[gnu::always_inline]] inline void expand_textbook(const real* a, real* f) {
  for (int i = 0; i < q; ++i) {
    f[i] = (real)coefficients.expand[i][moments - 1] * a[moments - 1];
    for (int k = moments - 2; k >= 0; --k)
      f[i] = f[i] + (real)coefficients.expand[i][k] * a[k];
  }
}

/// Computes the populations of an equilibrium.
template <class real>
[[gnu::always_inline]] inline void equilibrium(const Macroscopic<real>& m, real* f) {
  real a[moments];
  equilibrium_moments(Deviation<real>{m.density, m.u, m.v, m.temperature - (real)1}, a);
  expand_textbook(a, f);
}

/// Projects and relaxes the populations of a site. With gravity g along -y and a heat source that raises the temperature by
/// `heat` per step, the equilibrium is taken at v - tau g and T + tau (1 - tau) g^2 / 2 + tau heat.
template <class real>
[[gnu::always_inline]] inline void collide_textbook(real* f, const real tau, const real gravity, const real heat) {
  Deviation<real> m = deviation(f);
  m.v = m.v - tau * gravity;
  m.theta = m.theta + tau * ((real)0.5 * ((real)1 - tau) * gravity * gravity + heat);
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
