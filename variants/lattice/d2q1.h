/* D2Q1: one number per point of a plane, which stays where it is. It carries models without streaming. */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

#define D2Q1_Q 1
#define D2Q1_REACH 0 /* cells that a population moves along an axis in one step, at most */
