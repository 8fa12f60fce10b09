#pragma once

#include "backends/cuda/launch.hpp"

namespace ladder::cuda {

inline dim3 extent(Shape shape) { return {static_cast<unsigned>(shape.x), static_cast<unsigned>(shape.y), 1}; }

/// A launch whose blocks form one cluster.
struct ClusterLaunch {
  explicit ClusterLaunch(const Launch& launch) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(launch.blocks.x);
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    config.gridDim = extent(launch.blocks);
    config.blockDim = extent(launch.block);
    config.dynamicSmemBytes = launch.shared;
    config.stream = launch.device.stream();
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;

  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
};

}  // namespace ladder::cuda
