/* The logistic map in the subset that C++, CUDA and OpenCL C share: x -> r x (1 - x).
 *
 * R. M. May, Nature 261 (1976) 459. For 0 <= x <= 1 and 0 <= r <= 4 the result is in [0, 1], rounding included. At r = 4 an
 * error doubles in each step on average, so that after 52 steps two doubles that were neighbours have nothing in common. Every
 * rung must therefore round as the reference does: three operations in this order, none of them fused with another.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

/* Factor r of an element whose two words differ, and of one whose words are equal. */
#define LOGISTIC_DIFFERENT 4.0
#define LOGISTIC_EQUAL 3.8

LBM_FUNCTION real logistic_map(const real r, const real x) { return r * x * ((real)1 - x); }
