#pragma once

#include <cstdint>
#include <cuda/ptx>

namespace regularized {

/// A two-part barrier in shared memory: a warp arrives, may then do other work, and waits for the other warps before it reads
/// what they wrote. Arrivals and waits must alternate. NVIDIA, PTX ISA, "mbarrier".
class SplitBarrier {
 public:
  /// Initializes `state` for `warps` warps. Call from one thread, then synchronize with __syncthreads(). Every lane arrives: if
  /// one lane arrives on behalf of its warp, NVIDIA's racecheck reports hazards.
  __device__ static void initialize(std::uint64_t* state, unsigned warps) { ::cuda::ptx::mbarrier_init(state, 32 * warps); }
  __device__ explicit SplitBarrier(std::uint64_t* state) : state_(state) {}

  __device__ void arrive() {
    __syncwarp();  // without it, the compiler allocates more registers
    ::cuda::ptx::mbarrier_arrive(state_);
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
