// What takes time without moving or computing anything.
#include <cooperative_groups.h>

#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {
namespace {

namespace cg = cooperative_groups;

__global__ void tick(long long* count, long long by) {
  if (by != 0) *count += by;
}

/// @param neighbour  the next block of those that belong together
template <class Group>
__device__ void synchronize(Group group, unsigned neighbour, std::int64_t times, unsigned long long* slots,
                            unsigned long long* late) {
  if (late == nullptr) {
    for (; times > 0; --times)
      group.sync();
    return;
  }
  // The last thread of a block writes and the first one reads, so that the threads of a block are waited for, too.
  volatile unsigned long long* const come = slots;
  for (std::int64_t n = 1; n <= times; ++n) {
    if (threadIdx.x == blockDim.x - 1) come[blockIdx.x] = static_cast<unsigned long long>(n);
    group.sync();
    if (threadIdx.x == 0 && come[neighbour] < static_cast<unsigned long long>(n)) atomicAdd(late, 1ULL);
  }
}

__global__ void grid_sync(std::int64_t times, unsigned long long* slots, unsigned long long* late) {
  synchronize(cg::this_grid(), (blockIdx.x + 1) % gridDim.x, times, slots, late);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define LADDER_CLUSTER __cluster_dims__(8, 1, 1)
#else
#define LADDER_CLUSTER
#endif
static_assert(cluster_blocks == 8);

__global__ void LADDER_CLUSTER cluster_sync(std::int64_t times, unsigned long long* slots, unsigned long long* late) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const unsigned first = blockIdx.x / cluster_blocks * cluster_blocks;
  synchronize(cg::this_cluster(), first + (blockIdx.x - first + 1) % cluster_blocks, times, slots, late);
#else
  // Compiled for a GPU that has no clusters, run on one that has.
  if (late != nullptr) atomicAdd(late, 1ULL);
#endif
}

}  // namespace

TickKernel tick_kernel() { return tick; }
SyncKernel grid_sync_kernel() { return grid_sync; }
SyncKernel cluster_sync_kernel() { return cluster_sync; }

}  // namespace ladder::ceilings
