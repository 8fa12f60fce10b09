#pragma once

namespace ladder::cuda {

/// Index of this thread within its block; x is fastest.
__device__ inline int thread_of_block() { return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); }

/// Sum of `value` over a block of `threads` threads (a power of two), returned to thread 0. A tree reduction in `sums`, shared
/// memory with one element per thread, with one barrier per level.
template <class T>
__device__ T tree_sum(T value, T* sums, int threads) {
  const int thread = thread_of_block();
  sums[thread] = value;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  return sums[thread];
}

/// Sum of `value` over a warp of `lanes` threads (a power of two), returned to its first thread; uses register shuffles.
template <class T>
__device__ T warp_sum(T value, int lanes = 32) {
  const unsigned all = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
  for (int half = lanes / 2; half > 0; half /= 2)
    value += __shfl_down_sync(all, value, half, lanes);
  return value;
}

/// The two halves of a sum over a one-dimensional block of whole warps, separated by __syncthreads(). In the first, each warp
/// adds up its values in registers and stores the sum in `sums`, shared memory for 32 elements. In the second, the first warp
/// adds up these sums and returns the total to thread 0.
template <class T>
__device__ void put_warp_sum(T* sums, T value) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
}
template <class T>
__device__ void add_warp_sums(const T* sums, T* total) {
  if (threadIdx.x >= 32) return;
  const T sum = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : T{0});
  if (threadIdx.x == 0) *total = sum;
}

/// Sum of `value` over a block of `threads` threads (whole warps), returned to thread 0; `thread` is the calling thread's
/// index. Each warp adds up in registers, then the first warp adds up the sums of all warps. Needs one barrier.
template <class T>
__device__ T shuffle_sum(T value, int thread, int threads) {
  __shared__ T sums[32];
  value = warp_sum(value);
  if (threads == 32) return value;
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  return thread < 32 ? warp_sum(thread < threads / 32 ? sums[thread] : T{0}) : T{0};
}

/// The same for a block whose number of threads is any power of two, even less than a warp.
template <class T>
__device__ T shuffle_sum(T value) {
  __shared__ T sums[32];
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  const int thread = thread_of_block();
  value = warp_sum(value, min(threads, 32));
  if (threads <= 32) return value;
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  return thread < 32 ? warp_sum(thread < threads / 32 ? sums[thread] : T{0}) : T{0};
}

/// Stores a block's sum: sums[block] = `value` of thread 0, with blocks numbered along x, then y.
template <class T>
__device__ void store_of_block(T* sums, T value) {
  if (threadIdx.x == 0 && threadIdx.y == 0) sums[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = value;
}

}  // namespace ladder::cuda
