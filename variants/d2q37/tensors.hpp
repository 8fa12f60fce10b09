#pragma once

#include "variants/d2q37/textbook.hpp"

/// The collision as sums over all components of Hermite tensors. A tensor of rank n has 2^n components, of which n + 1 differ;
/// no sum makes use of that, and the populations of the equilibrium are computed next to the projected ones instead of relaxing
/// moments. The publications do not print their collision. This one has about as many operations: Calore et al. (Concurrency
/// Computat.: Pract. Exper. 28 (2016) 3485) count 7,600.
namespace d2q37 {

// Loops whose index must be known at compile time; and those over populations, which a GPU should hold in registers.
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

inline constexpr int components = 31;  ///< of the tensors of ranks 0 to 4, stored one after another

/// Numbers of indices x and y of component k.
[[gnu::always_inline]] LBM_ANYWHERE constexpr Degrees indices(int k) {
  int rank = 0, y = 0;
  for (; k >= 1 << rank; ++rank)
    k -= 1 << rank;
  for (; k > 0; k /= 2)
    y += k % 2;
  return {rank - y, y};
}

/// 1 / n!, where n is the rank of component k.
[[gnu::always_inline]] LBM_ANYWHERE constexpr double per_factorial(int k) {
  double factor = 1;
  for (int n = indices(k).a + indices(k).b; n > 1; --n)
    factor /= n;
  return factor;
}

/// Coefficients of each population: its weight, its velocity in the units of textbook.hpp, and its Hermite tensors. Rungs fill
/// this table at run time. If compilers knew its values, they would compute equal components only once.
struct Tensors {
  double weight[q], x[q], y[q];
  double square[q];  ///< of the velocity, minus 2
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

/// Components of the tensors of an equilibrium, density times h_a(u) h_b(v) as in equilibrium_moments(), divided by the
/// factorial of their rank.
LBM_FUNCTION void equilibrium_tensors(const Deviation<real>& m, real* target) {
  const real uu = m.u * m.u, vv = m.v * m.v, three = (real)3 * m.theta;
  const real x[] = {(real)1, m.u, uu + m.theta, m.u * (uu + three), uu * (uu + (real)2 * three) + three * m.theta};
  const real y[] = {(real)1, m.v, vv + m.theta, m.v * (vv + three), vv * (vv + (real)2 * three) + three * m.theta};
  target[0] = m.density;
  D2Q37_UNROLL
  for (int k = 1; k < components; ++k)
    target[k] = (real)per_factorial(k) * m.density * (x[indices(k).a] * y[indices(k).b]);
}

/// Projects and relaxes the populations of a site; arguments as for d2q37_collide().
LBM_FUNCTION void collide_tensors(real* f, const Tensors& t, const real omega, const real kick, const real warm) {
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
  D2Q37_UNROLL
  for (int k = 1; k < components; ++k)
    projected[k] = (real)0;
  D2Q37_UNROLL_ON_GPU
  for (int i = q - 1; i >= 0; --i) {
    D2Q37_UNROLL
    for (int k = 1; k < components; ++k)
      projected[k] = projected[k] + (real)t.component[i][k] * f[i];
  }
  equilibrium_tensors(
      Deviation<real>{density, u, v + (real)D2Q37_R * kick, (real)0.5 * (energy / density) + (real)(1 / D2Q37_S) * warm},
      target);
  projected[0] = density;
  D2Q37_UNROLL
  for (int k = 3; k < components; ++k)
    projected[k] = (real)per_factorial(k) * projected[k];

  D2Q37_UNROLL_ON_GPU
  for (int i = 0; i < q; ++i) {
    real now = (real)t.component[i][components - 1] * projected[components - 1];
    real then = (real)t.component[i][components - 1] * target[components - 1];
    D2Q37_UNROLL
    for (int k = components - 2; k > 0; --k) {
      now = now + (real)t.component[i][k] * projected[k];
      then = then + (real)t.component[i][k] * target[k];
    }
    now = (real)t.weight[i] * (now + projected[0]);
    then = (real)t.weight[i] * (then + target[0]);
    f[i] = now + omega * (then - now);
  }
}

}  // namespace d2q37
