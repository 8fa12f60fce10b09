#pragma once

#include <cuda/atomic>

namespace ladder::cuda {

/// Counters in global memory, [block * apart], one per sector: how often each block has written the data that its neighbours
/// read. Blocks that wait for each other must be resident at the same time.
struct BlockFlags {
  unsigned* flags;
  static constexpr int apart = 8;

  /// Signals that this block has written `count` times. Call this after a barrier of the block.
  __device__ void tell(unsigned count) const {
    if (threadIdx.x == 0) of(blockIdx.x).store(count, ::cuda::memory_order_release);
  }
  /// Waits until the block has written `count` times. Called by one thread; the others then wait at a barrier.
  __device__ void wait(unsigned count, int block) const {
    while (of(block).load(::cuda::memory_order_acquire) < count) {
    }
  }
  /// Waits until both blocks have written `count` times.
  __device__ void wait(unsigned count, int one, int other) const {
    if (threadIdx.x < 2) wait(count, threadIdx.x == 0 ? one : other);
    __syncthreads();
  }

 private:
  __device__ ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device> of(int block) const {
    return ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>(flags[block * apart]);
  }
};

}  // namespace ladder::cuda
