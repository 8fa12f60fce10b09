#include "backends/cuda/launch.hpp"

#include "backends/cuda/cluster.hpp"

namespace ladder::cuda {

void Launch::run(const void* kernel, Blocks how, std::initializer_list<void*> arguments) const {
  device.require_grid(blocks);
  device.require_block(block);
  void** const pointers = const_cast<void**>(arguments.begin());
  switch (how) {
    case Blocks::independent:
      LADDER_CUDA(cudaLaunchKernel(kernel, extent(blocks), extent(block), pointers, shared, device.stream()));
      break;
    case Blocks::together:
      LADDER_CUDA(cudaLaunchCooperativeKernel(kernel, extent(blocks), extent(block), pointers, shared, device.stream()));
      break;
    case Blocks::one_cluster: {
      const ClusterLaunch cluster(*this);
      LADDER_CUDA(cudaLaunchKernelExC(&cluster.config, kernel, pointers));
      break;
    }
  }
}

}  // namespace ladder::cuda
