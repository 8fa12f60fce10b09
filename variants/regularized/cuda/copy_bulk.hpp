#pragma once

#include <cstdint>
#include <cuda/ptx>

/// Bulk copies between global and shared memory, for compute capability 9.0 and later: one thread starts the copy of a
/// contiguous range, which proceeds while threads do other work. Both addresses and the size of a copy
/// must be multiples of 16 bytes. NVIDIA, PTX ISA, "cp.async.bulk".
namespace regularized {

/// Initializes `barrier`, which is in shared memory, for `arrivals` calls of expect_bulk() per phase. Call from one thread,
/// followed by __syncthreads().
__device__ inline void initialize_bulk(std::uint64_t* barrier, unsigned arrivals) {
  ::cuda::ptx::mbarrier_init(barrier, arrivals);
  ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
}
/// Arrives at `barrier` and announces copies of `bytes` bytes in total to shared memory. The phase completes when all threads
/// have arrived and all announced bytes have been copied.
__device__ __forceinline__ void expect_bulk(std::uint64_t* barrier, unsigned bytes) {
  namespace ptx = ::cuda::ptx;
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
/// Starts a copy to shared memory that `barrier` tracks. Announce its bytes with expect_bulk().
__device__ __forceinline__ void load_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_cluster, ::cuda::ptx::space_global, to, from, bytes, barrier);
}
/// Waits until the phase of `barrier` with this parity has completed. Call from all lanes of a warp.
__device__ __forceinline__ void wait_bulk(std::uint64_t* barrier, unsigned parity) {
  while (!::cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// Makes this thread's writes to shared memory visible to bulk copies that start later.
__device__ __forceinline__ void publish_bulk() { ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared); }
/// Starts a copy from shared memory to global memory.
__device__ __forceinline__ void store_bulk(void* to, const void* from, unsigned bytes) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global, ::cuda::ptx::space_shared, to, from, bytes);
  ::cuda::ptx::cp_async_bulk_commit_group();
}
/// Waits until all copies that this thread started from shared memory have finished reading it.
__device__ __forceinline__ void wait_stored_bulk() { ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{}); }

}  // namespace regularized
