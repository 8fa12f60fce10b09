#pragma once

#include <mpi.h>
#if __has_include(<mpi-ext.h>)  // Open MPI
#include <mpi-ext.h>
#endif

#include "backends/openacc/device.hpp"
#include "base/error.hpp"

namespace ladder::openacc {

/// Whether MPI says that it accepts pointers to the memory of NVIDIA GPUs.
inline bool is_mpi_cuda_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

/// @throws Unavailable if messages cannot be in the memory of `device`
inline void require_direct_messages(const Device& device) {
  if (!device.is_processor() && !is_mpi_cuda_aware())
    throw Unavailable("this MPI does not accept pointers to GPU memory (it is not CUDA-aware)");
}

}  // namespace ladder::openacc
