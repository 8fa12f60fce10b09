/* D3Q19: open boundaries, in the common subset of C++, CUDA and OpenCL C.
 *
 * Inflow: half-way bounce-back from a plane that moves at the case's speed, at the density of the fluid cell: A. Ladd, J. Fluid
 * Mech. 271 (1994) 285; Kruger et al., The Lattice Boltzmann Method, Springer 2017, section 5.3.3.
 * Outflow: populations extrapolated at order zero from the cell upstream: Z. Yang, Comput. Math. Appl. 65 (2013) 160.
 *
 * A fluid cell upstream of an outflow cell writes the five populations with c_x < 0, after collision, into the outflow cell,
 * where the next step fetches them like all others. All other links to outflow cells, and those for which the cell upstream is
 * not fluid, bounce back as from a wall. Each location thus has one writer, and a cell needs only its own populations.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/d3q19/collide.h"
#endif

/* Further kinds of boundary cells (collide.h). */
#define D3Q19_INFLOW 64   /* imposes the velocity: moves along x at the case's speed and at the density of the fluid */
#define D3Q19_OUTFLOW 128 /* zero gradient along x */

/* Density of a cell minus 1. */
LBM_FUNCTION real d3q19_excess(const real* f) {
  return f[0] +
         ((((f[1] + f[2]) + (f[3] + f[4])) + (f[5] + f[6])) +
          ((((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) + ((f[15] + f[16]) + (f[17] + f[18]))));
}

/* Like d3q19_returned(), for all kinds. OUTFLOW cells return populations like walls. */
LBM_FUNCTION real d3q19_returned_open(const real* f, const int i, const int kind, const real speed) {
  if (kind != D3Q19_INFLOW) return d3q19_returned(f, i, kind, speed);
  return d3q19_returned(f, i, D3Q19_VELOCITY, ((real)1 + d3q19_excess(f)) * speed);
}
