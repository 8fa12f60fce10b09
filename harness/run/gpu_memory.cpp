#include "harness/run/gpu_memory.hpp"

#include <limits>

#include "harness/run/gpu_names.hpp"

namespace ladder {

double gpu_memory_bandwidth(const std::string& device, const char* library) {
  constexpr double unknown_bandwidth = std::numeric_limits<double>::quiet_NaN();
  constexpr int memory_clock = 2;  // NVML_CLOCK_MEM
  const Nvml nvml(library);
  const auto clock = nvml.function<int (*)(void*, int, unsigned*)>("nvmlDeviceGetMaxClockInfo");
  const auto width = nvml.function<int (*)(void*, unsigned*)>("nvmlDeviceGetMemoryBusWidth");
  if (!clock || !width) return unknown_bandwidth;
  for (void* gpu : gpus_named(nvml, device)) {
    unsigned megahertz = 0, bits = 0;
    if (clock(gpu, memory_clock, &megahertz) == 0 && width(gpu, &bits) == 0 && megahertz > 0 && bits > 0)
      return 2e6 * megahertz * bits / 8;
  }
  return unknown_bandwidth;
}

}  // namespace ladder
