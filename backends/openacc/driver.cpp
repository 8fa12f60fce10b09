#include "backends/openacc/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <optional>

#include "backends/openacc/device.hpp"

namespace ladder::openacc {
namespace {

/// A function of libcuda.so.1 that returns 0 on success; null if the library is missing. The library is never unloaded.
template <class... Arguments>
auto function(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  using Function = int (*)(Arguments...);
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

/// Device attributes, with their values from cuda.h.
enum Attribute { pci_bus = 33, pci_device = 34, l2_cache_size = 38, pci_domain = 50, major = 75, minor = 76 };

/// A GPU's properties, as reported by the driver.
struct Gpu {
  std::string pci_address;         ///< `domain:bus:device.function`, e.g. `00000000:00:06.0`
  std::string compute_capability;  ///< `9.0`
  std::string driver;              ///< supported CUDA version, e.g. `CUDA 13.0`
  std::size_t l2_cache = 0;        ///< bytes
};

/// The GPU with this index; nothing without a driver.
std::optional<Gpu> gpu(int number) {
  const auto get = function<int*, int>("cuDeviceGet");
  const auto attribute = function<int*, int, int>("cuDeviceGetAttribute");
  const auto version = function<int*>("cuDriverGetVersion");
  int device = 0;
  if (get == nullptr || attribute == nullptr || version == nullptr || get(&device, number) != 0) return std::nullopt;
  const auto value = [&](Attribute of) {
    int n = 0;
    attribute(&n, of, device);
    return n;
  };
  int cuda = 0;
  version(&cuda);
  return Gpu{.pci_address = fmt::format("{:08x}:{:02x}:{:02x}.0", value(pci_domain), value(pci_bus), value(pci_device)),
             .compute_capability = fmt::format("{}.{}", value(major), value(minor)),
             .driver = fmt::format("CUDA {}.{}", cuda / 1000, cuda % 1000 / 10),
             .l2_cache = static_cast<std::size_t>(value(l2_cache_size))};
}

/// Starts or ends the profiler's recording range.
void profile(bool begins) {
  if (const auto call = function<>(begins ? "cuProfilerStart" : "cuProfilerStop")) call();
}

}  // namespace

BackendStatus status_of_device(const char* how, int threads) {
  BackendStatus status;
  status.resident = true;
  status.ceilings = "cuda";
  status.profile = profile;
  try {
    const Device device = Device::select();
    status.device = device.name();
    if (device.is_processor()) {
      status.device += how;
      status.threads = threads;
    } else if (const auto known = gpu(device.number())) {
      status.driver = known->driver;
      status.gpu = known->pci_address;
      status.compute_capability = known->compute_capability;
      status.cache_bytes = known->l2_cache;
    }
    status.memory_bytes = device.memory();
    status.available = true;
  } catch (const std::exception& e) {
    status.reason = e.what();
  }
  return status;
}

}  // namespace ladder::openacc
