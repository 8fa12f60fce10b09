#include "backends/cuda/check.hpp"

#include "base/error.hpp"

namespace ladder::cuda {
namespace {

/// `13.0` for 13000.
std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

}  // namespace

std::string insufficient_driver(int driver) {
  if (driver == 0) return "no NVIDIA driver";
  return "the NVIDIA driver is too old: it supports CUDA up to " + version(driver) + ", this is built for " +
         version(CUDART_VERSION);
}

void check(cudaError_t code, const char* expression, std::source_location where) {
  if (code == cudaSuccess) return;
  const std::string what = std::string(cudaGetErrorName(code)) + " (" + cudaGetErrorString(code) + ")";
  switch (code) {
    case cudaErrorNoDevice:
      throw Unavailable("no CUDA device: " + what);
    case cudaErrorInsufficientDriver: {
      int driver = 0;
      if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
      throw Unavailable(insufficient_driver(driver));
    }
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorStubLibrary:
      throw Unavailable("CUDA does not work here: " + what);
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      throw Unavailable("not built for this GPU (CMAKE_CUDA_ARCHITECTURES names the architectures): " + what);
    case cudaErrorMemoryAllocation:
      throw Refused(Reason::no_memory, std::string("the GPU is out of memory: ") + expression);
    case cudaErrorLaunchOutOfResources:
      throw Refused(Reason::device_limit, std::string(expression) + ": " + what +
                                              "; a block may have only as many threads as the registers suffice for");
    default:
      throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + expression + ": " + what, code);
  }
}

}  // namespace ladder::cuda
