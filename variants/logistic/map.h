/* The logistic map, x -> r x (1 - x), in the common subset of C++, CUDA and OpenCL C.
 *
 * R. M. May, Nature 261 (1976) 459. For 0 <= x <= 1 and 0 <= r <= 4, the result is in [0, 1], even after rounding. At r = 4, an
 * error doubles in each step on average, so two adjacent doubles have nothing in common after 52 steps. Every rung must
 * therefore round exactly like the reference: three operations in this order, none of them fused.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/function.h"
#endif

/* Factors r of elements whose two words differ and of elements whose words are equal. */
#define LOGISTIC_DIFFERENT 4.0
#define LOGISTIC_EQUAL 3.8

LBM_FUNCTION real logistic_map(const real r, const real x) { return r * x * ((real)1 - x); }
