/* D2Q1: one value per point of a plane, which does not move. For models without streaming. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D2Q1_Q 1
#define D2Q1_REACH 0 /* maximum number of cells that a population moves along an axis in one step */
