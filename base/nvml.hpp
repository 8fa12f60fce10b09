#pragma once

#include <string>

namespace ladder {

/// NVIDIA's management library, if this machine's driver has it. Names of its functions, their numbers and units are those of
/// nvml.h; its calls return 0 for success. The library stays loaded, because unloading a driver while it works is unsafe.
class Nvml {
 public:
  explicit Nvml(const char* library = "libnvidia-ml.so.1");

  /// A function of the library; nullptr if it is not there.
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  /// The handle of the GPU at a PCI address; nullptr if there is none. In a virtual machine, backends and the driver may
  /// disagree on the address: a single GPU needs none.
  [[nodiscard]] void* gpu(const std::string& address) const;

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  void* library_;  ///< nullptr if it is not there, or does not start
};

}  // namespace ladder
