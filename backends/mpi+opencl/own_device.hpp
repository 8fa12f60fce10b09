#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "backends/mpi/team.hpp"
#include "backends/opencl/device.hpp"

namespace ladder::opencl {

/// Gives each process of a node a GPU of its own, in the order of ranks, unless LADDER_OPENCL_DEVICE is set. If there are more
/// processes than GPUs, several share one; without a GPU, all share the default device. To be called before the first
/// Device::select().
inline void choose_own_device() {
  const std::vector<cl::Device> all = devices();
  std::vector<std::size_t> gpus;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_GPU) gpus.push_back(i);
  if (gpus.empty()) return;
  const std::size_t own = gpus[static_cast<std::size_t>(mpi::rank_on_node()) % gpus.size()];
  setenv("LADDER_OPENCL_DEVICE", std::to_string(own).c_str(), 0);
}

}  // namespace ladder::opencl
