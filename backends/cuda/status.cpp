#include "backends/status.hpp"

#include <exception>

#include "backends/cuda/device.hpp"

ladder::BackendStatus ladder::backend_status() {
  BackendStatus status;
  status.resident = true;
  try {
    const cuda::Device device = cuda::Device::select();
    status.device = device.name();
    status.driver = device.driver();
    status.gpu = device.pci_address();
    status.cache_bytes = device.l2_cache();
    status.available = true;
  } catch (const std::exception& e) {
    status.reason = e.what();
  }
  return status;
}
