#include "base/nvml.hpp"

#include <dlfcn.h>

namespace ladder {

Nvml::Nvml(const char* library) : library_(dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
  const auto init = function<int (*)()>("nvmlInit_v2");
  if (init == nullptr || init() != 0) library_ = nullptr;
}

void* Nvml::symbol(const char* name) const { return library_ == nullptr ? nullptr : dlsym(library_, name); }

void* Nvml::gpu(const std::string& address) const {
  void* device = nullptr;
  const auto by_address = function<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (by_address == nullptr) return nullptr;
  if (by_address(address.c_str(), &device) == 0) return device;
  const auto count = function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
  const auto by_index = function<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
  unsigned gpus = 0;
  if (count == nullptr || by_index == nullptr || count(&gpus) != 0 || gpus != 1) return nullptr;
  return by_index(0, &device) == 0 ? device : nullptr;
}

}  // namespace ladder
