#include "backends/cuda/launch.hpp"

#include <fmt/format.h>

namespace ladder::cuda {
namespace {

dim3 extent(Shape shape) { return {static_cast<unsigned>(shape.x), static_cast<unsigned>(shape.y), 1}; }

}  // namespace

void Launch::run(const void* kernel, bool together, std::initializer_list<void*> arguments) const {
  device.require_grid(blocks);
  device.require_block(block);
  void** const pointers = const_cast<void**>(arguments.begin());
  if (together)
    LADDER_CUDA(cudaLaunchCooperativeKernel(kernel, extent(blocks), extent(block), pointers, shared, device.stream()));
  else
    LADDER_CUDA(cudaLaunchKernel(kernel, extent(blocks), extent(block), pointers, shared, device.stream()));
}

int resident_blocks(const Device& device, const void* kernel, Shape block, std::size_t bytes) {
  device.require_block(block);
  cudaFuncAttributes attributes{};
  LADDER_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const std::size_t room = device.shared_memory() - attributes.sharedSizeBytes;
  const auto threads = static_cast<std::size_t>(attributes.maxThreadsPerBlock);
  if (bytes > room || block.count() > threads)
    throw InputError(fmt::format("{} bytes of shared memory and {} threads a block: {} accepts up to {} and {} for this kernel",
                                 bytes, block.count(), device.name(), room, threads));
  LADDER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  int count = 0;
  LADDER_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, static_cast<int>(block.count()), bytes));
  return count;
}

}  // namespace ladder::cuda
