#pragma once

#include <vector>

/// GPUs that several processes of a node, or several parts of a process, divide among themselves.
namespace ladder::cuda {

/// Variable of the environment with the number of the GPU that Device::select() selects.
inline constexpr const char* device_variable = "LADDER_CUDA_DEVICE";

/// Their numbers: the one that LADDER_CUDA_DEVICE names, or all. @throws Unavailable if no GPU works
std::vector<int> devices_to_share();

/// How many they are.
int device_count();

}  // namespace ladder::cuda
