#pragma once

#include <string>
#include <vector>

#include "base/nvml.hpp"

namespace ladder {

/// The names of all GPUs. Empty if NVML or one of the functions is missing.
std::vector<std::string> gpu_names(const Nvml& nvml);

/// The handles of the GPUs with this name. `device`: the name, alone or before a comma as in `NVIDIA H200, shared by 2
/// processes`. Empty if NVML or one of the functions is missing.
std::vector<void*> gpus_named(const Nvml& nvml, const std::string& device);

}  // namespace ladder
