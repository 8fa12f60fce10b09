#pragma once

#include <cstdint>
#include <cuda/ptx>

namespace regularized {

/// A two-part barrier in shared memory: a warp arrives, may then do other work, and waits for the other warps before it reads
/// what they wrote. Arrivals and waits must alternate. NVIDIA, PTX ISA, "mbarrier".
class SplitBarrier {
 public:
  /// `state` belongs to `warps` warps; initialized by one thread, followed by __syncthreads().
  __device__ static void initialize(std::uint64_t* state, unsigned warps) { ::cuda::ptx::mbarrier_init(state, warps); }
  __device__ explicit SplitBarrier(std::uint64_t* state) : state_(state) {}

  __device__ void arrive() {
    __syncwarp();  // the other lanes' writes come before the first lane's arrival
    if (threadIdx.x % 32 == 0) ::cuda::ptx::mbarrier_arrive(state_);
  }
  __device__ void wait() {
    while (!::cuda::ptx::mbarrier_try_wait_parity(state_, parity_)) {
    }
    parity_ ^= 1;
  }

 private:
  std::uint64_t* state_;
  unsigned parity_ = 0;
};

}  // namespace regularized
