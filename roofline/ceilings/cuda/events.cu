// Kernels for events, which neither move data nor compute anything.
#include <cooperative_groups.h>

#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {
namespace {

namespace cg = cooperative_groups;

__global__ void tick(long long* count, long long by) {
  if (by != 0) *count += by;
}

template <class Group>
__device__ void synchronize(Group group, std::int64_t times, unsigned long long* slots, unsigned long long* late) {
  if (late == nullptr) {
    for (; times > 0; --times)
      group.sync();
    return;
  }
  // The last thread of a block writes and the first reads, so the check covers synchronization among all threads of a block.
  volatile unsigned long long* const come = slots;
  for (std::int64_t n = 1; n <= times; ++n) {
    if (threadIdx.x == blockDim.x - 1) come[blockIdx.x] = static_cast<unsigned long long>(n);
    group.sync();
    if (threadIdx.x == 0 && come[(blockIdx.x + 1) % gridDim.x] < static_cast<unsigned long long>(n)) atomicAdd(late, 1ULL);
  }
}

__global__ void grid_sync(std::int64_t times, unsigned long long* slots, unsigned long long* late) {
  synchronize(cg::this_grid(), times, slots, late);
}

__global__ void cluster_sync([[maybe_unused]] std::int64_t times, [[maybe_unused]] unsigned long long* slots,
                             [[maybe_unused]] unsigned long long* late) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  synchronize(cg::this_cluster(), times, slots, late);
#endif
}

}  // namespace

TickKernel tick_kernel() { return tick; }
SyncKernel grid_sync_kernel() { return grid_sync; }
SyncKernel cluster_sync_kernel() { return cluster_sync; }

}  // namespace ladder::ceilings
