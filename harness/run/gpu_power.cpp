#include "harness/run/gpu_power.hpp"

#include <cmath>
#include <limits>

#include "harness/run/gpu_names.hpp"

namespace ladder {

double gpu_power_limit(const std::string& device, const char* library) {
  constexpr double unknown_limit = std::numeric_limits<double>::quiet_NaN();
  const Nvml nvml(library);
  const auto limit = nvml.function<int (*)(void*, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit");
  double watts = unknown_limit;
  for (void* gpu : gpus_named(nvml, device)) {
    unsigned milliwatts = 0;
    if (!limit || limit(gpu, &milliwatts) != 0) return unknown_limit;
    if (!std::isnan(watts) && watts != 1e-3 * milliwatts) return unknown_limit;
    watts = 1e-3 * milliwatts;
  }
  return watts;
}

}  // namespace ladder
