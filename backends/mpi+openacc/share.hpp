#pragma once

/// GPUs shared by several processes of a node.
namespace ladder::openacc {

/// Environment variable with the index of the GPU that Device::select() selects.
inline constexpr const char* device_variable = "LADDER_OPENACC_DEVICE";

/// Number of GPUs to share: 1 if the variable names one, otherwise all. 0 if loops run on the processor, where each process has
/// its own thread.
int device_count();

}  // namespace ladder::openacc
