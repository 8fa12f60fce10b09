#pragma once

#include <string>

namespace ladder {

/// Nominal bandwidth of an NVIDIA GPU's memory in bytes per second, from the driver: twice the highest memory clock (two
/// transfers per cycle) times the width of the bus. `device`: a name that contains the GPU's; `library`: NVML. NaN if no GPU
/// has such a name, or the driver does not know clock or width.
double gpu_memory_bandwidth(const std::string& device, const char* library = "libnvidia-ml.so.1");

}  // namespace ladder
