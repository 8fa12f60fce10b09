#include "backends/status.hpp"

#include <stdexcept>

#include "backends/opencl/device.hpp"

namespace ladder::opencl {

BackendStatus status() {
  BackendStatus status;
  status.resident = true;
  status.ceilings = "opencl";
  status.no_profiler = "Nsight Compute does not support OpenCL kernels";
  try {
    const Device device = Device::select();
    status.device = device.name();
    status.driver = device.driver();
    status.gpu = device.pci_address();
    status.available = true;
  } catch (const std::runtime_error& e) {
    status.reason = e.what();
  }
  return status;
}

}  // namespace ladder::opencl
