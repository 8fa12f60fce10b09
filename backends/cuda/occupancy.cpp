#include <fmt/format.h>

#include "backends/cuda/cluster.hpp"

namespace ladder::cuda {

int resident_blocks(const Device& device, const void* kernel, Shape block, std::size_t bytes) {
  device.require_block(block);
  cudaFuncAttributes attributes{};
  LADDER_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const std::size_t room = device.shared_memory() - attributes.sharedSizeBytes;
  const auto threads = static_cast<std::size_t>(attributes.maxThreadsPerBlock);
  if (bytes > room || block.count() > threads)
    throw Refused(Reason::device_limit,
                  fmt::format("{} bytes of shared memory and {} threads per block: {} accepts up to {} and {} for this kernel",
                              bytes, block.count(), device.name(), room, threads));
  LADDER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  int count = 0;
  LADDER_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, static_cast<int>(block.count()), bytes));
  return count;
}

void require_cluster(const Launch& launch, const void* kernel) {
  launch.device.require_clusters();
  cudaFuncAttributes attributes{};
  LADDER_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  constexpr int with_clusters = 90;
  if (attributes.ptxVersion < with_clusters)
    throw Unavailable("clusters of blocks need code for compute capability 9.0, and this is built for " +
                      std::to_string(attributes.ptxVersion / 10) + "." + std::to_string(attributes.ptxVersion % 10) +
                      " (CMAKE_CUDA_ARCHITECTURES names the architectures)");
  const int alone = resident_blocks(launch.device, kernel, launch.block, launch.shared);
  // Clusters of more than eight blocks are not supported by all devices.
  LADDER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  int clusters = 0;
  const ClusterLaunch cluster(launch);
  const cudaError_t known = cudaOccupancyMaxActiveClusters(&clusters, kernel, &cluster.config);
  if (known == cudaErrorInvalidClusterSize) static_cast<void>(cudaGetLastError());
  if (known != cudaErrorInvalidClusterSize) LADDER_CUDA(known);
  if (alone == 0 || clusters == 0)
    throw Refused(Reason::device_limit,
                  fmt::format("a cluster of {} blocks of {} threads with {} bytes of shared memory each does not fit on {}",
                              launch.blocks.x, launch.block.count(), launch.shared, launch.device.name()));
}

}  // namespace ladder::cuda
