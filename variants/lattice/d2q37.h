/* D2Q37: Shan, Yuan, Chen, J. Fluid Mech. 550 (2006) 413; exact for moments up to degree 9. Direction 0 is at rest; 2k - 1 and
 * 2k are opposite. Velocities are D2Q37_R (x, y), in units in which the mean temperature is 1. With t = 1 / R^2: 35 t^3 - 70
 * t^2 + 49 t - 12 = 0. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D2Q37_Q 37
#define D2Q37_REACH 3 /* maximum number of cells that a population moves along an axis in one step */

LBM_TABLE d2q37_cx[37] = {0, 1,  -1, 0,  0, 1,  -1, 1,  -1, 2, -2, 0,  0, 2,  -2, 2,  -2, 1, -1,
                          1, -1, 2,  -2, 2, -2, 3,  -3, 0,  0, 3,  -3, 3, -3, 1,  -1, 1,  -1};
LBM_TABLE d2q37_cy[37] = {0,  0, 0, 1,  -1, 1, -1, -1, 1, 0,  0, 2,  -2, 1, -1, -1, 1,  2, -2,
                          -2, 2, 2, -2, -2, 2, 0,  0,  3, -3, 1, -1, -1, 1, 3,  -3, -3, 3};
LBM_TABLE d2q37_cz[37] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
LBM_TABLE d2q37_opposite[37] = {0,  2,  1,  4,  3,  6,  5,  8,  7,  10, 9,  12, 11, 14, 13, 16, 15, 18, 17,
                                20, 19, 22, 21, 24, 23, 26, 25, 28, 27, 30, 29, 32, 31, 34, 33, 36, 35};

#define D2Q37_R 1.19697977039307435897

/* Weight of direction i, selected by its squared velocity in cells per step: 0, 1, 2, 4, 5, 8, 9, 10. */
#define D2Q37_WEIGHT(i)                \
  ((i) == 0   ? 0.2331506691323525     \
   : (i) < 5  ? 0.1073060915422190     \
   : (i) < 9  ? 0.05766785988879488    \
   : (i) < 13 ? 0.01420821615845075    \
   : (i) < 21 ? 0.005353049000513775   \
   : (i) < 25 ? 0.0010119375926735754  \
   : (i) < 29 ? 0.00024530102775771735 \
              : 0.00028341425299419822)
