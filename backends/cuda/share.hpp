#pragma once

#include <vector>

/// GPUs shared by several processes of a node, or by several parts of a process.
namespace ladder::cuda {

/// Environment variable with the index of the GPU that Device::select() selects.
inline constexpr const char* device_variable = "LADDER_CUDA_DEVICE";

/// Their indices: the one in LADDER_CUDA_DEVICE, or all. @throws Unavailable if no GPU works
std::vector<int> devices_to_share();

/// How many there are.
int device_count();

}  // namespace ladder::cuda
