/* Regularized BGK collision on D2Q9, in the common subset of C++, CUDA and OpenCL C.
 *
 * J. Latt, B. Chopard, "Lattice Boltzmann method with regularized pre-collision distribution functions", Mathematics and
 * Computers in Simulation 72 (2006) 165: before BGK relaxation, the populations are projected onto the Hermite polynomials up
 * to second order. The equilibrium has no others, so neither does the result. It is a quadratic polynomial in the velocity c,
 *   f - w = 36 w (k0 + (k1 cx + k2 cy) / 12 + k3 cx^2 + k4 cy^2 + 2 k5 cx cy),
 * where w is the weight of c. The six coefficients are therefore the whole state of a cell. They are 0 at rest and equivalent
 * to six moments: density, momentum (k1 and k2), and a second-order tensor. They are scaled so that d2q9r_collide() and
 * moments.hpp need few operations other than multiply-adds. The factor 36 w is the product of one factor per axis: 4 if the
 * velocity along it is 0, otherwise 1.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D2Q9R_K 6

/* Relaxation with keep = (1 - omega) / 8 and gain = omega / 8.
 *
 * s[6]: sums over the populations that arrive in a cell, of f - w times 1, cx, cy, cx^2, cy^2, cx cy.
 * k[6]: the coefficients of the populations that leave it; may be the same array. */
LBM_FUNCTION void d2q9r_collide(const real* s, real* k, const real keep, const real gain) {
  const real third = (real)(1.0 / 3.0);
  const real scale = gain / ((real)1 + s[0]);
  const real x = scale * s[1];
  const real y = scale * s[2];
  const real rest = (keep * third) * s[0];
  const real xx = keep * s[3] + (x * s[1] - rest);
  const real yy = keep * s[4] + (y * s[2] - rest);
  const real xy = keep * s[5] + x * s[2];
  k[0] = (real)(1.0 / 36.0) * s[0] - third * (xx + yy);
  k[1] = s[1];
  k[2] = s[2];
  k[3] = xx;
  k[4] = yy;
  k[5] = xy;
}
