#pragma once

#include <openacc.h>

#include <cstdlib>
#include <string>

#include "backends/mpi+openacc/share.hpp"
#include "backends/mpi/team.hpp"

namespace ladder::openacc {

/// Assigns GPUs to the processes of a node in the order of ranks, unless LADDER_OPENACC_DEVICE is set. If there are more
/// processes than GPUs, several share one; without a GPU, the loops of each process run in one thread of the processor. Call
/// this before the first Device::select().
inline void choose_own_device() {
  const int gpus = acc_get_num_devices(acc_device_nvidia);
  if (gpus > 0) setenv(device_variable, std::to_string(mpi::rank_on_node() % gpus).c_str(), 0);
}

}  // namespace ladder::openacc
