#pragma once

#include <cstdint>
#include <cuda/ptx>

/// Bulk copies between global and shared memory: one thread starts the copy of a contiguous range. Both addresses and the size
/// must be multiples of 16 bytes. NVIDIA, PTX ISA, "cp.async.bulk".
namespace regularized {

/// Initializes `barrier`, in shared memory, for `arrivals` calls of expect_bulk() per phase. Call from one thread, then
/// synchronize with __syncthreads().
__device__ inline void initialize_bulk(std::uint64_t* barrier, unsigned arrivals) {
  ::cuda::ptx::mbarrier_init(barrier, arrivals);
  ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
}
/// Announces copies to shared memory of `bytes` in total. The phase of `barrier` completes when all expected bytes have
/// arrived.
__device__ __forceinline__ void expect_bulk(std::uint64_t* barrier, unsigned bytes) {
  namespace ptx = ::cuda::ptx;
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
/// Starts a copy to shared memory.
__device__ __forceinline__ void load_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_cluster, ::cuda::ptx::space_global, to, from, bytes, barrier);
}
/// Waits for the end of the phase with this parity. Called by whole warps.
__device__ __forceinline__ void wait_bulk(std::uint64_t* barrier, unsigned parity) {
  while (!::cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// Makes what this thread wrote to shared memory visible to bulk copies that start later.
__device__ __forceinline__ void publish_bulk() { ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared); }
/// Starts a copy from shared memory.
__device__ __forceinline__ void store_bulk(void* to, const void* from, unsigned bytes) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global, ::cuda::ptx::space_shared, to, from, bytes);
  ::cuda::ptx::cp_async_bulk_commit_group();
}
/// Waits until the copies from shared memory that this thread started have read it.
__device__ __forceinline__ void wait_stored_bulk() { ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{}); }

}  // namespace regularized
