#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "backends/cuda/share.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"

/// Replaces the header of the same name, without access to the memory of other processes' GPUs.
namespace ladder::cuda {

inline void choose_own_device() {
  const std::vector<int> all = devices_to_share();
  const int own = all[static_cast<std::size_t>(mpi::rank_on_node()) % all.size()];
  setenv(device_variable, std::to_string(own).c_str(), 0);
}

}  // namespace ladder::cuda
