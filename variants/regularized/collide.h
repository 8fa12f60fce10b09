/* Regularized BGK collision in three dimensions, in the common subset of C++, CUDA and OpenCL C.
 *
 * J. Latt, B. Chopard, "Lattice Boltzmann method with regularized pre-collision distribution functions", Mathematics and
 * Computers in Simulation 72 (2006) 165: before BGK relaxation, the populations are projected on the Hermite polynomials of up
 * to second order. The equilibrium has no others, so neither has the result. It is a quadratic polynomial in the velocity c,
 *   f - w = w / edge (k0 + k1 cx + k2 cy + k3 cz + k4 cx^2 + k5 cy^2 + k6 cz^2 + k7 cx cy + k8 cx cz + k9 cy cz),
 * where w is the weight of c and `edge` that of the directions toward the edges of a cube. The ten coefficients are therefore
 * the whole state of a cell. They are 0 at rest and equivalent to ten moments: density, momentum, and a second-order tensor.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define REGULARIZED_K 10

/* Relaxation: keep = 9/2 edge (1 - omega), gain = 9/2 edge omega.
 *
 * s[10]: sums over the populations that arrive in a cell, of f - w times 1, cx, cy, cz, cx^2, cy^2, cz^2, cx cy, cx cz, cy cz.
 * k[10]: the coefficients of the populations that leave it; may be the same array. */
LBM_FUNCTION void regularized_collide(const real* s, real* k, const real keep, const real gain, const real edge) {
  const real third = (real)(1.0 / 3.0);
  const real scale = gain / ((real)1 + s[0]);
  const real x = scale * s[1];
  const real y = scale * s[2];
  const real z = scale * s[3];
  const real rest = third * s[0];
  const real xx = keep * (s[4] - rest) + x * s[1];
  const real yy = keep * (s[5] - rest) + y * s[2];
  const real zz = keep * (s[6] - rest) + z * s[3];
  const real two_keep = keep + keep;
  const real xy = two_keep * s[7] + (x + x) * s[2];
  const real xz = two_keep * s[8] + (x + x) * s[3];
  const real yz = two_keep * s[9] + (y + y) * s[3];
  const real three_edges = (real)3 * edge;
  k[0] = edge * s[0] - third * (xx + yy + zz);
  k[1] = three_edges * s[1];
  k[2] = three_edges * s[2];
  k[3] = three_edges * s[3];
  k[4] = xx;
  k[5] = yy;
  k[6] = zz;
  k[7] = xy;
  k[8] = xz;
  k[9] = yz;
}
