#pragma once

#include <string>

namespace ladder {

/// Nominal bandwidth of an NVIDIA GPU's memory in bytes per second, from the driver: twice the highest memory clock (two
/// transfers per cycle) times the width of the bus. `device`: text that contains the GPU's name; `library`: NVML. NaN if no
/// GPU has such a name, or if the driver does not report the clock or the width.
double gpu_memory_bandwidth(const std::string& device, const char* library = "libnvidia-ml.so.1");

}  // namespace ladder
