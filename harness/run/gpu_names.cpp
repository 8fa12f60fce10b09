#include "harness/run/gpu_names.hpp"

#include <array>
#include <utility>

namespace ladder {

namespace {

/// Calls visit(handle, name) for each GPU.
template <class Visit>
void for_each_gpu(const Nvml& nvml, Visit visit) {
  const auto count = nvml.function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
  const auto handle = nvml.function<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
  const auto name = nvml.function<int (*)(void*, char*, unsigned)>("nvmlDeviceGetName");
  unsigned gpus = 0;
  if (!count || !handle || !name || count(&gpus) != 0) return;
  for (unsigned i = 0; i < gpus; ++i) {
    void* gpu = nullptr;
    std::array<char, 96> text{};
    if (handle(i, &gpu) == 0 && name(gpu, text.data(), static_cast<unsigned>(text.size()) - 1) == 0)
      visit(gpu, std::string(text.data()));
  }
}

}  // namespace

std::vector<std::string> gpu_names(const Nvml& nvml) {
  std::vector<std::string> names;
  for_each_gpu(nvml, [&](void*, std::string name) { names.push_back(std::move(name)); });
  return names;
}

std::vector<void*> gpus_named(const Nvml& nvml, const std::string& device) {
  std::vector<void*> named;
  for_each_gpu(nvml, [&](void* gpu, const std::string& name) {
    if (name == device.substr(0, device.find(", "))) named.push_back(gpu);
  });
  return named;
}

}  // namespace ladder
