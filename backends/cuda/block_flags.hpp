#pragma once

#include <cuda/atomic>

namespace ladder::cuda {

/// Counters in global memory, [block * apart], one per sector: how often a block has written the data that its neighbours read.
/// Blocks that wait for each other must all run at the same time.
struct BlockFlags {
  unsigned* flags;
  static constexpr int apart = 8;

  /// Signals that this block has written for the `count`-th time. To be called after a barrier of the block.
  __device__ void tell(unsigned count) const {
    if (threadIdx.x == 0) of(blockIdx.x).store(count, ::cuda::memory_order_release);
  }
  /// Waits until a block has written for the `count`-th time. For one thread; the others wait at a barrier after it.
  __device__ void wait(unsigned count, int block) const {
    while (of(block).load(::cuda::memory_order_acquire) < count) {
    }
  }
  /// Waits until these two blocks have written for the `count`-th time.
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
