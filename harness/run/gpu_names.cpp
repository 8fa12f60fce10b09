#include "harness/run/gpu_names.hpp"

#include <array>

namespace ladder {

std::vector<void*> gpus_named(const Nvml& nvml, const std::string& device) {
  const auto count = nvml.function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
  const auto handle = nvml.function<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
  const auto name = nvml.function<int (*)(void*, char*, unsigned)>("nvmlDeviceGetName");
  unsigned gpus = 0;
  if (!count || !handle || !name || count(&gpus) != 0) return {};
  std::vector<void*> named;
  for (unsigned i = 0; i < gpus; ++i) {
    void* gpu = nullptr;
    std::array<char, 96> text{};
    if (handle(i, &gpu) != 0 || name(gpu, text.data(), static_cast<unsigned>(text.size()) - 1) != 0) continue;
    if (text.data() == device.substr(0, device.find(", "))) named.push_back(gpu);
  }
  return named;
}

}  // namespace ladder
