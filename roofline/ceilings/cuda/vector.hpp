#pragma once

#include <type_traits>

#include "roofline/ceilings/ceiling.hpp"

/// How kernels read and write vectors. Loads bypass the L1 cache (`.cg`), so that a repeated sweep reads from the L2 cache or
/// memory, like a code whose blocks run on different multiprocessors in each step. They are volatile: repeated loads are
/// executed again, and several loads before the first store are all in flight at once.
namespace ladder::ceilings {

template <class T>
using Vector = std::conditional_t<std::is_same_v<T, float>, float4, double2>;

__device__ inline float fetch(const float* p) {
  float v;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline float4 fetch(const float4* p) {
  float4 v;
  asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
  return v;
}
__device__ inline double2 fetch(const double2* p) {
  double2 v;
  asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p) : "memory");
  return v;
}

/// Stores. For `nt` uses `.cs`, which makes the line the first to be evicted from the caches.
template <Store store, class V>
__device__ inline void put(V* p, V v) {
  if constexpr (store == Store::nt)
    __stcs(p, v);
  else
    *p = v;
}

__device__ inline void add(float4& sum, float4 v) {
  sum.x += v.x;
  sum.y += v.y;
  sum.z += v.z;
  sum.w += v.w;
}
__device__ inline void add(double2& sum, double2 v) {
  sum.x += v.x;
  sum.y += v.y;
}

}  // namespace ladder::ceilings
