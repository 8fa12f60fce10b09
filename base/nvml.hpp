#pragma once

#include <string>

namespace ladder {

/// NVIDIA's management library, if the driver on this machine provides it. Function names, constants and units follow nvml.h;
/// calls return 0 on success. The library is never unloaded, because unloading a driver in use is unsafe.
class Nvml {
 public:
  explicit Nvml(const char* library = "libnvidia-ml.so.1");

  /// A function of the library; nullptr if it is missing.
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  /// The handle of the GPU at a PCI address; nullptr if there is none. In a virtual machine, backends and the driver may report
  /// different addresses, so if there is a single GPU its address is not compared.
  [[nodiscard]] void* gpu(const std::string& address) const;

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  void* library_;  ///< nullptr if the library is missing or fails to initialize
};

}  // namespace ladder
