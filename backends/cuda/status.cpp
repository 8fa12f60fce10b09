#include "backends/status.hpp"

#include <cuda_profiler_api.h>

#include <exception>

#include "backends/cuda/device.hpp"

ladder::BackendStatus ladder::backend_status() {
  BackendStatus status;
  status.resident = true;
  status.profile = [](bool begins) { LADDER_CUDA(begins ? cudaProfilerStart() : cudaProfilerStop()); };
  try {
    const cuda::Device device = cuda::Device::select();
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
