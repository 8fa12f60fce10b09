/* D2Q9 BGK collision and the driving force, in the subset that C++, CUDA and OpenCL C share.
 *
 * f[0..8]: populations of one site, divided by the density at rest, minus their weights 4/9, 1/9 and 1/36 (storage.hpp);
 * directions 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE; lattice units. rho is the density, excess = rho - 1.
 * Equilibrium: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479: w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2).
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/d2q9.h"
#endif

/* Relaxes f toward equilibrium with rate omega and returns |u|^2. Opposite directions share their even and odd parts, so each
 * pair costs one even and one odd polynomial. */
LBM_FUNCTION real d2q9_collide(real* f, const real omega) {
  const real diagonal = f[5] - f[7];
  const real antidiagonal = f[8] - f[6];
  const real excess = f[0] + ((f[1] + f[3]) + (f[2] + f[4])) + ((f[5] + f[7]) + (f[6] + f[8]));
  const real rho = (real)1 + excess;
  const real per_rho = (real)1 / rho;
  const real ux = ((f[1] - f[3]) + (diagonal + antidiagonal)) * per_rho;
  const real uy = ((f[2] - f[4]) + (diagonal - antidiagonal)) * per_rho;
  const real u2 = ux * ux + uy * uy;

  const real keep = (real)1 - omega;
  const real c = excess * per_rho - (real)1.5 * u2;
  const real w = omega * rho;
  const real w0 = w * (real)(4.0 / 9.0);
  const real w1 = w * (real)(1.0 / 9.0);
  const real w2 = w * (real)(1.0 / 36.0);
  const real p = ux + uy;
  const real m = ux - uy;

  const real even_x = w1 * (c + (real)4.5 * (ux * ux));
  const real even_y = w1 * (c + (real)4.5 * (uy * uy));
  const real even_p = w2 * (c + (real)4.5 * (p * p));
  const real even_m = w2 * (c + (real)4.5 * (m * m));
  const real odd_1 = w1 * (real)3;
  const real odd_2 = w2 * (real)3;

  f[0] = keep * f[0] + w0 * c;
  f[1] = keep * f[1] + (even_x + odd_1 * ux);
  f[3] = keep * f[3] + (even_x - odd_1 * ux);
  f[2] = keep * f[2] + (even_y + odd_1 * uy);
  f[4] = keep * f[4] + (even_y - odd_1 * uy);
  f[5] = keep * f[5] + (even_p + odd_2 * p);
  f[7] = keep * f[7] + (even_p - odd_2 * p);
  f[8] = keep * f[8] + (even_m + odd_2 * m);
  f[6] = keep * f[6] + (even_m - odd_2 * m);
  return u2;
}

/* Same as d2q9_collide in terms of the momentum j = rho u, with rho u u = j u, in two parts: factors that depend on omega
 * alone, which a loop over sites computes once, and the relaxation with these factors, which takes fewer operations than
 * d2q9_collide. */
#define D2Q9_MOMENTUM_FACTORS 7
LBM_FUNCTION void d2q9_momentum_factors(real* k, const real omega) {
  k[0] = (real)1 - omega;
  k[1] = omega * (real)(1.0 / 9.0);
  k[2] = omega * (real)0.5;
  k[3] = omega * (real)0.125;
  k[4] = omega * (real)0.25;
  k[5] = omega * (real)(1.0 / 3.0);
  k[6] = omega * (real)(1.0 / 12.0);
}

/* Relaxes f with the factors k and returns |u|^2. */
LBM_FUNCTION real d2q9_collide_momentum(real* f, const real* k) {
  const real diagonal = f[5] - f[7];
  const real antidiagonal = f[8] - f[6];
  const real excess = f[0] + ((f[1] + f[3]) + (f[2] + f[4])) + ((f[5] + f[7]) + (f[6] + f[8]));
  const real rho = (real)1 + excess;
  const real per_rho = (real)1 / rho;
  const real jx = (f[1] - f[3]) + (diagonal + antidiagonal);
  const real jy = (f[2] - f[4]) + (diagonal - antidiagonal);
  const real uy = jy * per_rho;
  const real xx = jx * (jx * per_rho);
  const real yy = jy * uy;
  const real square = xx + yy;

  const real even = k[1] * (excess - (real)1.5 * square);
  const real even_x = even + k[2] * xx;
  const real even_y = even + k[2] * yy;
  const real even_d = (real)0.25 * even + k[3] * square;
  const real even_xy = k[4] * (jx * uy);
  const real even_p = even_d + even_xy;
  const real even_m = even_d - even_xy;
  const real odd_x = k[5] * jx;
  const real odd_y = k[5] * jy;
  const real odd_p = k[6] * (jx + jy);
  const real odd_m = k[6] * (jx - jy);

  f[0] = k[0] * f[0] + (real)4 * even;
  f[1] = k[0] * f[1] + (even_x + odd_x);
  f[3] = k[0] * f[3] + (even_x - odd_x);
  f[2] = k[0] * f[2] + (even_y + odd_y);
  f[4] = k[0] * f[4] + (even_y - odd_y);
  f[5] = k[0] * f[5] + (even_p + odd_p);
  f[7] = k[0] * f[7] + (even_p - odd_p);
  f[8] = k[0] * f[8] + (even_m + odd_m);
  f[6] = k[0] * f[6] + (even_m - odd_m);
  return square * per_rho;
}

#if !defined(LBM_LANES) /* OpenCL C cannot branch on a vector: kernels whose `real` is a vector select instead. */
/* Whether no population of a site would turn negative if it were driven with w1 and w2, as below. */
LBM_FUNCTION bool d2q9_can_drive(const real* f, const real w1, const real w2) {
  return f[3] > w1 - (real)(1.0 / 9.0) && f[6] > w2 - (real)(1.0 / 36.0) && f[7] > w2 - (real)(1.0 / 36.0);
}

/* Drives a fluid site to the east with w1 = accel / 9 and w2 = accel / 36, unless a population would turn negative. */
LBM_FUNCTION void d2q9_accelerate(real* f, const real w1, const real w2) {
  if (d2q9_can_drive(f, w1, w2)) {
    f[1] += w1;
    f[5] += w2;
    f[8] += w2;
    f[3] -= w1;
    f[6] -= w2;
    f[7] -= w2;
  }
}
#endif
