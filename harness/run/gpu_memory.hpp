#pragma once

#include <string>

namespace ladder {

/// Nominal bandwidth of an NVIDIA GPU's memory in bytes per second, from the driver: twice the highest memory clock (two
/// transfers per cycle) times the width of the bus. `device`: the GPU's name, alone or before a comma as in
/// `NVIDIA H200, shared by 2 processes`; `library`: NVML. NaN if no GPU has this name, or if the driver does not report the
/// clock or the width.
double gpu_memory_bandwidth(const std::string& device, const char* library = "libnvidia-ml.so.1");

}  // namespace ladder
