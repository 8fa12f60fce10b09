#include "backends/status.hpp"

#include <cuda_profiler_api.h>

#include <exception>

#include "backends/cuda/device.hpp"

namespace ladder::cuda {

BackendStatus status() {
  BackendStatus status;
  status.resident = true;
  status.ceilings = "cuda";
  status.profile = [](bool begins) { LADDER_CUDA(begins ? cudaProfilerStart() : cudaProfilerStop()); };
  try {
    const Device device = Device::select();
    status.device = device.name();
    status.driver = device.driver();
    status.gpu = device.pci_address();
    status.cache_bytes = device.l2_cache();
    status.compute_capability = device.compute_capability();
    status.memory_bytes = device.memory();
    status.available = true;
  } catch (const std::exception& e) {
    status.reason = e.what();
  }
  return status;
}

}  // namespace ladder::cuda
