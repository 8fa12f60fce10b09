/* What C++, CUDA and OpenCL C share: functions of a site, and tables of a velocity set.
 *
 * LBM_FUNCTION  begins a function that is always inlined; `real` is its template parameter in C++ and CUDA (float, double, a
 * SIMD vector, the counting type) and a macro in OpenCL C. LBM_TABLE     begins a table of integers indexed by direction. In
 * unrolled loops its values are constants.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#endif
#if defined(__OPENCL_VERSION__)
#define LBM_FUNCTION __attribute__((always_inline)) inline
#define LBM_TABLE constant const int
#elif defined(__CUDACC__)
#define LBM_FUNCTION    \
  template <class real> \
  __host__ __device__ __forceinline__
#if defined(__CUDA_ARCH__)
#define LBM_TABLE static __device__ constexpr int
#else
#define LBM_TABLE inline constexpr int
#endif
#else
#define LBM_FUNCTION    \
  template <class real> \
  [[gnu::always_inline]] inline
#define LBM_TABLE inline constexpr int
#endif
