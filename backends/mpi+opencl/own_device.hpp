#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "backends/mpi/team.hpp"
#include "backends/opencl/share.hpp"

namespace ladder::opencl {

/// Assigns GPUs to the processes of a node in the order of ranks, unless LADDER_OPENCL_DEVICE is set. If there are more
/// processes than GPUs, several share one; without a GPU, all share the default device. Call this before the first
/// Device::select().
inline void choose_own_device() {
  const std::vector<std::size_t> all = gpus();
  if (all.empty()) return;
  const std::size_t own = all[static_cast<std::size_t>(mpi::rank_on_node()) % all.size()];
  setenv("LADDER_OPENCL_DEVICE", std::to_string(own).c_str(), 0);
}

}  // namespace ladder::opencl
