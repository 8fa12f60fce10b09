#pragma once

#include "variants/d2q37/textbook.hpp"

/// The collision as sums over all components of Hermite tensors. A tensor of rank n has 2^n components, only n + 1 of them
/// distinct; this form sums over all of them. It expands the projected populations and their equilibrium separately, and
/// relaxes populations instead of moments. The publications do not show their collision code; this form needs about as many
/// operations as they report: Calore et al. (Concurrency Computat.: Pract. Exper. 28 (2016) 3485) count 7,600.
namespace d2q37 {

// D2Q37_UNROLL: loops whose index must be a compile-time constant. D2Q37_UNROLL_ON_GPU: loops that must be unrolled for a GPU,
// so that populations and components stay in registers.
#if defined(__CUDA_ARCH__)
#define D2Q37_UNROLL _Pragma("unroll")
#define D2Q37_UNROLL_ON_GPU _Pragma("unroll")
#elif defined(__CUDACC__)
#define D2Q37_UNROLL
#define D2Q37_UNROLL_ON_GPU
#elif defined(_OPENACC)
#define D2Q37_UNROLL _Pragma("GCC unroll 31")
#define D2Q37_UNROLL_ON_GPU _Pragma("GCC unroll 37")
#elif defined(__clang__)
#define D2Q37_UNROLL _Pragma("unroll")
#define D2Q37_UNROLL_ON_GPU
#else
#define D2Q37_UNROLL _Pragma("GCC unroll 31")
#define D2Q37_UNROLL_ON_GPU
#endif

inline constexpr int components = 31;  ///< of all tensors of ranks 0 to 4, stored consecutively

/// Rank of the tensor that component k belongs to.
[[gnu::always_inline]] LBM_ANYWHERE constexpr int rank_of(int k) { return k < 1 ? 0 : k < 3 ? 1 : k < 7 ? 2 : k < 15 ? 3 : 4; }

/// How many of component k's indices are x, and how many are y. Bit n of k's offset within its tensor is set if index n is y.
/// (Written without a loop so that the result is a constant in unrolled loops.)
[[gnu::always_inline]] LBM_ANYWHERE constexpr Degrees indices(int k) {
  const int rank = rank_of(k), bits = k + 1 - (1 << rank);
  const int y = bits % 2 + bits / 2 % 2 + bits / 4 % 2 + bits / 8;
  return {rank - y, y};
}

/// 1 / n!, where n is the rank of component k.
[[gnu::always_inline]] LBM_ANYWHERE constexpr double inverse_factorial(int k) {
  const int rank = rank_of(k);
  return rank < 2 ? 1 : rank == 2 ? 1. / 2 : rank == 3 ? 1. / 6 : 1. / 24;
}

/// Coefficients of each population: its weight, its velocity in the units of textbook.hpp, and its Hermite tensors. Filled at
/// run time: a compiler that knew the values would compute equal components only once.
struct Tensors {
  double weight[q], x[q], y[q];
  double square[q];  ///< squared speed minus 2
  double component[q][components];
};
inline Tensors tensors() {
  Tensors t;
  for (int i = 0; i < q; ++i) {
    t.weight[i] = D2Q37_WEIGHT(i);
    t.x[i] = D2Q37_R * d2q37_cx[i];
    t.y[i] = D2Q37_R * d2q37_cy[i];
    t.square[i] = squared(d2q37_cx[i]) + squared(d2q37_cy[i]) - 2;
    for (int k = 0; k < components; ++k)
      t.component[i][k] = hermite(indices(k).a, d2q37_cx[i]) * hermite(indices(k).b, d2q37_cy[i]);
  }
  return t;
}

/// Hermite tensor components of an equilibrium: density times h_a(u) h_b(v), as in equilibrium_moments(), each divided by the
/// factorial of its rank.
LBM_FUNCTION void equilibrium_tensors(const Deviation<real>& m, real* target) {
  const real uu = m.u * m.u, vv = m.v * m.v, three = (real)3 * m.theta;
  const real x[] = {(real)1, m.u, uu + m.theta, m.u * (uu + three), uu * (uu + (real)2 * three) + three * m.theta};
  const real y[] = {(real)1, m.v, vv + m.theta, m.v * (vv + three), vv * (vv + (real)2 * three) + three * m.theta};
  target[0] = m.density;
  D2Q37_UNROLL
  for (int k = 1; k < components; ++k)
    target[k] = (real)inverse_factorial(k) * m.density * (x[indices(k).a] * y[indices(k).b]);
}

/// Projects and relaxes the populations of a site; `omega`, `kick` and `warm` as for d2q37_collide(). Pass the same table as
/// `t` and `same`. They are separate parameters so that compilers reload the coefficients for the expansion instead of keeping
/// them in registers, of which there are too few.
LBM_FUNCTION void collide_tensors(real* f, const Tensors& t, const Tensors& same, const real omega, const real kick,
                                  const real warm) {
  real density = (real)0, x = (real)0, y = (real)0, energy = (real)0;
  D2Q37_UNROLL_ON_GPU
  for (int i = q - 1; i >= 0; --i) {
    density = density + f[i];
    x = x + (real)t.x[i] * f[i];
    y = y + (real)t.y[i] * f[i];
  }
  const real u = x / density, v = y / density, speed = u * u + v * v;
  // The sum of (|c - u|^2 - 2) f is 2 theta times the density; deviation() explains why 2 is subtracted.
  D2Q37_UNROLL_ON_GPU
  for (int i = q - 1; i >= 0; --i) {
    const real mixed = (real)2 * ((real)t.x[i] * u + (real)t.y[i] * v);
    energy = energy + ((real)t.square[i] - mixed + speed) * f[i];
  }

  real projected[components], target[components];
  projected[0] = density;
  D2Q37_UNROLL_ON_GPU
  for (int k = 1; k < components; ++k) {
    projected[k] = (real)t.component[q - 1][k] * f[q - 1];
    D2Q37_UNROLL_ON_GPU
    for (int i = q - 2; i >= 0; --i)
      projected[k] = projected[k] + (real)t.component[i][k] * f[i];
  }
  equilibrium_tensors(
      Deviation<real>{density, u, v + (real)D2Q37_R * kick, (real)0.5 * (energy / density) + (real)(1 / D2Q37_S) * warm},
      target);
  D2Q37_UNROLL
  for (int k = 3; k < components; ++k)
    projected[k] = (real)inverse_factorial(k) * projected[k];

  D2Q37_UNROLL_ON_GPU
  for (int i = 0; i < q; ++i) {
    real population = (real)same.component[i][components - 1] * projected[components - 1];
    real equilibrium = (real)same.component[i][components - 1] * target[components - 1];
    D2Q37_UNROLL_ON_GPU
    for (int k = components - 2; k > 0; --k) {
      population = population + (real)same.component[i][k] * projected[k];
      equilibrium = equilibrium + (real)same.component[i][k] * target[k];
    }
    population = (real)same.weight[i] * (population + projected[0]);
    equilibrium = (real)same.weight[i] * (equilibrium + target[0]);
    f[i] = population + omega * (equilibrium - population);
  }
}

}  // namespace d2q37
