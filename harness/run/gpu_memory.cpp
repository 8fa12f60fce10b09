#include "harness/run/gpu_memory.hpp"

#include <array>
#include <limits>

#include "base/nvml.hpp"

namespace ladder {

double gpu_memory_bandwidth(const std::string& device, const char* library) {
  constexpr double unknown_bandwidth = std::numeric_limits<double>::quiet_NaN();
  constexpr int memory_clock = 2;  // NVML_CLOCK_MEM
  const Nvml nvml(library);
  const auto count = nvml.function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
  const auto handle = nvml.function<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
  const auto name = nvml.function<int (*)(void*, char*, unsigned)>("nvmlDeviceGetName");
  const auto clock = nvml.function<int (*)(void*, int, unsigned*)>("nvmlDeviceGetMaxClockInfo");
  const auto width = nvml.function<int (*)(void*, unsigned*)>("nvmlDeviceGetMemoryBusWidth");
  unsigned gpus = 0;
  if (!count || !handle || !name || !clock || !width || count(&gpus) != 0) return unknown_bandwidth;
  for (unsigned i = 0; i < gpus; ++i) {
    void* gpu = nullptr;
    std::array<char, 96> text{};
    unsigned megahertz = 0, bits = 0;
    if (handle(i, &gpu) != 0 || name(gpu, text.data(), static_cast<unsigned>(text.size()) - 1) != 0) continue;
    if (text.data() != device.substr(0, device.find(", "))) continue;
    if (clock(gpu, memory_clock, &megahertz) == 0 && width(gpu, &bits) == 0 && megahertz > 0 && bits > 0)
      return 2e6 * megahertz * bits / 8;
  }
  return unknown_bandwidth;
}

}  // namespace ladder
