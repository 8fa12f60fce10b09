#pragma once

#include <string>

namespace ladder {

/// The power limit of an NVIDIA GPU in W, from the driver. `device` and `library` as in gpu_memory_bandwidth(). NaN if no GPU
/// has this name, if GPUs of this name have different limits, or if the driver does not report one.
double gpu_power_limit(const std::string& device, const char* library = "libnvidia-ml.so.1");

}  // namespace ladder
