/* D3Q27 BGK collision in the common subset of C++, CUDA and OpenCL C.
 *
 * f[0..26]: populations of one site minus their weights, in lattice units, in the order of variants/lattice/d3q27.h. rho is the
 * density, excess = rho - 1.
 * Equilibrium: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479: w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2).
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/d3q27.h"
#endif

/* Relaxes the pair of directions that move along c and -c. cu = c.u, keep = 1 - omega, w = omega times weight times density,
 * rest = excess / rho - 3/2 u^2. The two directions share the even part of the equilibrium and, up to its sign, the odd part.
 */
#define D3Q27_RELAX(f, i, cu, w)                                    \
  {                                                                 \
    const real along = (cu);                                        \
    const real even = (w) * (rest + nine_halves * (along * along)); \
    const real odd = (w)*three * along;                             \
    f[i] = keep * f[i] + (even + odd);                              \
    f[i + 1] = keep * f[i + 1] + (even - odd);                      \
  }

/* Relaxes f toward equilibrium with rate omega. */
LBM_FUNCTION void d3q27_collide(real* f, const real omega) {
  const real excess =
      f[0] + (((f[1] + f[2]) + (f[3] + f[4])) + (f[5] + f[6])) +
      ((((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) + ((f[15] + f[16]) + (f[17] + f[18]))) +
      (((f[19] + f[20]) + (f[21] + f[22])) + ((f[23] + f[24]) + (f[25] + f[26])));
  const real xy = f[7] - f[8];
  const real xny = f[9] - f[10];
  const real xz = f[11] - f[12];
  const real xnz = f[13] - f[14];
  const real yz = f[15] - f[16];
  const real ynz = f[17] - f[18];
  const real xyz = f[19] - f[20];
  const real xynz = f[21] - f[22];
  const real xnyz = f[23] - f[24];
  const real nxyz = f[25] - f[26];
  const real rho = (real)1 + excess;
  const real per_rho = (real)1 / rho;
  const real ux = ((f[1] - f[2]) + ((xy + xny) + (xz + xnz)) + ((xyz + xynz) + (xnyz - nxyz))) * per_rho;
  const real uy = ((f[3] - f[4]) + ((xy - xny) + (yz + ynz)) + ((xyz + xynz) - (xnyz - nxyz))) * per_rho;
  const real uz = ((f[5] - f[6]) + ((xz - xnz) + (yz - ynz)) + ((xyz - xynz) + (xnyz + nxyz))) * per_rho;

  const real keep = (real)1 - omega;
  const real three = (real)3;
  const real nine_halves = (real)4.5;
  const real rest = excess * per_rho - (real)1.5 * (ux * ux + uy * uy + uz * uz);
  const real w = omega * rho;
  const real axis = w * (real)(2.0 / 27.0);
  const real edge = w * (real)(1.0 / 54.0);
  const real corner = w * (real)(1.0 / 216.0);

  f[0] = keep * f[0] + w * (real)(8.0 / 27.0) * rest;
  D3Q27_RELAX(f, 1, ux, axis)
  D3Q27_RELAX(f, 3, uy, axis)
  D3Q27_RELAX(f, 5, uz, axis)
  D3Q27_RELAX(f, 7, ux + uy, edge)
  D3Q27_RELAX(f, 9, ux - uy, edge)
  D3Q27_RELAX(f, 11, ux + uz, edge)
  D3Q27_RELAX(f, 13, ux - uz, edge)
  D3Q27_RELAX(f, 15, uy + uz, edge)
  D3Q27_RELAX(f, 17, uy - uz, edge)
  D3Q27_RELAX(f, 19, ux + uy + uz, corner)
  D3Q27_RELAX(f, 21, ux + uy - uz, corner)
  D3Q27_RELAX(f, 23, ux - uy + uz, corner)
  D3Q27_RELAX(f, 25, uy + uz - ux, corner)
}
