/* D3Q27: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479. Direction 0 is at rest; 2k - 1 and 2k are opposite: 1 to 6
 * along the axes, 7 to 18 toward the edges, 19 to 26 toward the corners of a cube. The squared speed of sound is 1/3, in units
 * of cells and steps. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D3Q27_Q 27
#define D3Q27_REACH 1 /* maximum number of cells that a population moves along an axis in one step */

LBM_TABLE d3q27_cx[27] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, -1, 1};
LBM_TABLE d3q27_cy[27] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, -1, 1, 1, -1};
LBM_TABLE d3q27_cz[27] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, 1, -1};
LBM_TABLE d3q27_opposite[27] = {0,  2,  1,  4,  3,  6,  5,  8,  7,  10, 9,  12, 11, 14,
                                13, 16, 15, 18, 17, 20, 19, 22, 21, 24, 23, 26, 25};

/* Weight of direction i, selected by its squared velocity. */
#define D3Q27_WEIGHT(i) ((i) == 0 ? 8.0 / 27.0 : (i) < 7 ? 2.0 / 27.0 : (i) < 19 ? 1.0 / 54.0 : 1.0 / 216.0)
