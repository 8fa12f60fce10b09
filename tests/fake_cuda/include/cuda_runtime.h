/// CPU replacements for the CUDA features that kernels use (tests/fake_cuda/runtime.cpp): keywords, thread indices, warp
/// functions, arithmetic. Included before each .cu file.
#pragma once

#include <cuda_runtime_api.h>
#include <math.h>

#include <bit>
#include <cstdint>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
/// Blocks run one after another on a single CPU thread. The runtime fills these variables with NaN before each block.
#define __shared__ thread_local

/// Indices of the running thread.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};

namespace fake_cuda {

/// Values contributed by the lanes of a warp that meet, and the mask of these lanes.
struct Meeting {
  unsigned lanes;
  unsigned char values[32][16];

  template <class T>
  [[nodiscard]] T of(int lane) const {
    T value;
    std::memcpy(&value, values[lane], sizeof(T));
    return value;
  }
};

/// Waits until all lanes of `mask` that have not returned call it as well. Values of lanes outside `lanes` are NaN.
const Meeting& meet(unsigned mask, const void* value, std::size_t bytes);
/// Lane number of this thread.
int lane();

template <class T>
const Meeting& meet(unsigned mask, const T& value) {
  static_assert(sizeof(T) <= 16);
  return meet(mask, &value, sizeof(T));
}

}  // namespace fake_cuda

void __syncthreads();
inline void __barrier_sync(unsigned) { __syncthreads(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { fake_cuda::meet(mask, 0); }

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const int first = fake_cuda::lane() / width * width;
  return fake_cuda::meet(mask, value).template of<T>(first + source % width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = fake_cuda::lane(), from = lane % width - static_cast<int>(delta);
  const T other = fake_cuda::meet(mask, value).template of<T>(from < 0 ? lane : lane - static_cast<int>(delta));
  return other;
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = fake_cuda::lane(), from = lane % width + static_cast<int>(delta);
  return fake_cuda::meet(mask, value).template of<T>(from >= width ? lane : lane + static_cast<int>(delta));
}
inline unsigned __ballot_sync(unsigned mask, int holds) {
  const fake_cuda::Meeting& all = fake_cuda::meet(mask, holds);
  unsigned bits = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((all.lanes >> lane & 1) != 0 && all.of<int>(lane) != 0) bits |= 1u << lane;
  return bits;
}
inline int __any_sync(unsigned mask, int holds) { return __ballot_sync(mask, holds) != 0; }
inline int __all_sync(unsigned mask, int holds) { return __ballot_sync(mask, holds == 0) == 0; }

template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcg(const T* from) {
  return *from;
}
template <class T>
void __stcg(T* to, T value) {
  *to = value;
}

inline int __popc(unsigned bits) { return std::popcount(bits); }
/// Byte-wise comparison: 1 where a and b differ, else 0.
inline unsigned __vsetne4(unsigned a, unsigned b) {
  unsigned result = 0;
  for (int byte = 0; byte < 4; ++byte)
    if (((a ^ b) >> 8 * byte & 0xffu) != 0) result |= 1u << 8 * byte;
  return result;
}
/// Byte k of the result is selected by digit k of `which` from the eight bytes of b (high) and a.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned which) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  unsigned result = 0;
  for (int k = 0; k < 4; ++k)
    result |= static_cast<unsigned>(bytes >> 8 * (which >> 4 * k & 7u) & 0xffu) << 8 * k;
  return result;
}
/// The high 32 bits of high:low shifted left; the low 32 bits of high:low shifted right.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31u) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31u));
}

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
