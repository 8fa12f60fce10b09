/* D3Q19: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479. Direction 0 is at rest; 2k - 1 and 2k are opposite: 1 to 6
 * along the axes, 7 to 18 toward the edges of a cube. The squared speed of sound is 1/3, in units of cells and steps. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D3Q19_Q 19
#define D3Q19_REACH 1 /* maximum number of cells that a population moves along an axis in one step */

LBM_TABLE d3q19_cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
LBM_TABLE d3q19_cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
LBM_TABLE d3q19_cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
LBM_TABLE d3q19_opposite[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};

/* Weight of direction i, selected by its squared velocity. */
#define D3Q19_WEIGHT(i) ((i) == 0 ? 1.0 / 3.0 : (i) < 7 ? 1.0 / 18.0 : 1.0 / 36.0)
