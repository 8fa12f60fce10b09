/* D3Q19: kinds of cells, collision with two relaxation times, and populations returned from boundaries, in the common subset
 * of C++, CUDA and OpenCL C.
 *
 * f[0..18]: populations of one site minus their weights, in lattice units, in the order of variants/lattice/d3q19.h. rho is the
 * density, excess = rho - 1.
 * Equilibrium: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479: w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2).
 * Two relaxation times: I. Ginzburg, F. Verhaeghe, D. d'Humieres, Commun. Comput. Phys. 3 (2008) 427.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/d3q19.h"
#endif

/* Kinds of cells. Boundaries lie halfway between a fluid cell and a cell of the first three kinds. */
#define D3Q19_WALL 1     /* at rest, no slip */
#define D3Q19_VELOCITY 2 /* moves along x at the case's speed: inflow, moving walls */
#define D3Q19_PRESSURE 4 /* density 1: outflow */
#define D3Q19_FLUID 8
#define D3Q19_NEAR 16   /* set in addition to FLUID: some of the 18 neighbours are not fluid */
#define D3Q19_INSIDE 32 /* not fluid and without fluid neighbours; never needed */

/* Replaces the populations of the opposite directions i and i + 1 by their sum and difference. */
#define D3Q19_PARTS(f, i)             \
  {                                   \
    const real sum = f[i] + f[i + 1]; \
    f[i + 1] = f[i] - f[i + 1];       \
    f[i] = sum;                       \
  }

/* Relaxes the pair of directions i and i + 1, which move along c and -c. cj = c.j, w = weight; f[i] and f[i + 1] hold the sum
 * and the difference of the two populations. */
#define D3Q19_RELAX(f, i, cj, w)                                                                \
  {                                                                                             \
    const real along = (cj);                                                                    \
    const real even = keep * f[i] + omega * (real)(w) * (rest + nine_halves * (along * along)); \
    const real odd = keep_minus * f[i + 1] + omega_minus * (real)(3.0 * (w)) * along;           \
    f[i] = even + odd;                                                                          \
    f[i + 1] = even - odd;                                                                      \
  }

/* Relaxes the even part of f (the same along c and -c) toward equilibrium with rate omega, which sets the viscosity, and the
 * odd part with rate omega_minus; equal rates give the BGK collision. Expressed in the momentum j = rho u. */
LBM_FUNCTION void d3q19_collide(real* f, const real omega, const real omega_minus) {
  D3Q19_PARTS(f, 1)
  D3Q19_PARTS(f, 3)
  D3Q19_PARTS(f, 5)
  D3Q19_PARTS(f, 7)
  D3Q19_PARTS(f, 9)
  D3Q19_PARTS(f, 11)
  D3Q19_PARTS(f, 13)
  D3Q19_PARTS(f, 15)
  D3Q19_PARTS(f, 17)
  const real excess = f[0] + (((f[1] + f[3]) + f[5]) + ((f[7] + f[9]) + ((f[11] + f[13]) + (f[15] + f[17]))));
  const real jx = f[2] + ((f[8] + f[10]) + (f[12] + f[14]));
  const real jy = f[4] + ((f[8] - f[10]) + (f[16] + f[18]));
  const real jz = f[6] + ((f[12] - f[14]) + (f[16] - f[18]));
  const real per_rho = (real)1 / ((real)1 + excess);
  const real rest = excess - (real)1.5 * per_rho * ((jx * jx + jy * jy) + jz * jz);
  const real nine_halves = (real)4.5 * per_rho;
  const real keep = (real)0.5 * ((real)1 - omega);
  const real keep_minus = (real)0.5 * ((real)1 - omega_minus);
  f[0] = ((real)1 - omega) * f[0] + omega * (real)(1.0 / 3.0) * rest;
  D3Q19_RELAX(f, 1, jx, 1.0 / 18.0)
  D3Q19_RELAX(f, 3, jy, 1.0 / 18.0)
  D3Q19_RELAX(f, 5, jz, 1.0 / 18.0)
  D3Q19_RELAX(f, 7, jx + jy, 1.0 / 36.0)
  D3Q19_RELAX(f, 9, jx - jy, 1.0 / 36.0)
  D3Q19_RELAX(f, 11, jx + jz, 1.0 / 36.0)
  D3Q19_RELAX(f, 13, jx - jz, 1.0 / 36.0)
  D3Q19_RELAX(f, 15, jy + jz, 1.0 / 36.0)
  D3Q19_RELAX(f, 17, jy - jz, 1.0 / 36.0)
}

/* Computes the velocity u[0..2] of a cell. */
LBM_FUNCTION void d3q19_velocity(const real* f, real* u) {
  const real jx = (f[1] - f[2]) + (((f[7] - f[8]) + (f[9] - f[10])) + ((f[11] - f[12]) + (f[13] - f[14])));
  const real jy = (f[3] - f[4]) + (((f[7] - f[8]) - (f[9] - f[10])) + ((f[15] - f[16]) + (f[17] - f[18])));
  const real jz = (f[5] - f[6]) + (((f[11] - f[12]) - (f[13] - f[14])) + ((f[15] - f[16]) - (f[17] - f[18])));
  const real excess =
      f[0] + ((((f[1] + f[2]) + (f[3] + f[4])) + (f[5] + f[6])) +
              ((((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) + ((f[15] + f[16]) + (f[17] + f[18]))));
  const real per_rho = (real)1 / ((real)1 + excess);
  u[0] = jx * per_rho;
  u[1] = jy * per_rho;
  u[2] = jz * per_rho;
}

/* The population, minus its weight, that comes back in the direction opposite to i after a population, minus its weight, `left`
 * a cell in direction i toward a boundary cell of this `kind`. speed: velocity of VELOCITY cells along x. u: velocity of the
 * cell after collision, used for PRESSURE cells only. Wall and velocity: A. Ladd, J. Fluid Mech. 271 (1994) 285, half-way
 * bounce-back. Pressure: the same, but keeping the even part of the equilibrium at density 1, Ginzburg et al. (above),
 * section 5. */
LBM_FUNCTION real d3q19_returned_at(const real left, const int i, const int kind, const real speed, const real* u) {
  const real w = (real)D3Q19_WEIGHT(i);
  if (kind == D3Q19_VELOCITY) return left - (real)6 * w * ((real)d3q19_cx[i] * speed);
  if (kind != D3Q19_PRESSURE) return left;
  const real cu = (real)d3q19_cx[i] * u[0] + (real)d3q19_cy[i] * u[1] + (real)d3q19_cz[i] * u[2];
  return (real)2 * w * ((real)4.5 * (cu * cu) - (real)1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])) - left;
}

/* The same, given the populations f of the cell after collision. */
LBM_FUNCTION real d3q19_returned(const real* f, const int i, const int kind, const real speed) {
  real u[3] = {(real)0, (real)0, (real)0};
  if (kind == D3Q19_PRESSURE) d3q19_velocity(f, u);
  return d3q19_returned_at(f[i], i, kind, speed, u);
}
