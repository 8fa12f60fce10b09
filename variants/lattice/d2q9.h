/* D2Q9: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479. Directions: 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8
 * SE. The squared speed of sound is 1/3, in units of cells and steps. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D2Q9_Q 9
#define D2Q9_REACH 1 /* maximum number of cells that a population moves along an axis in one step */

LBM_TABLE d2q9_cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
LBM_TABLE d2q9_cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
LBM_TABLE d2q9_cz[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
LBM_TABLE d2q9_opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/* Weight of direction i, selected by its squared velocity. */
#define D2Q9_WEIGHT(i) ((i) == 0 ? 4.0 / 9.0 : (i) < 5 ? 1.0 / 9.0 : 1.0 / 36.0)
