#pragma once

#include <cstddef>
#include <vector>

/// Devices shared by several processes of a node.
namespace ladder::opencl {

/// Indices of the GPUs in devices().
std::vector<std::size_t> gpus();

/// Number of devices to share: 1 if LADDER_OPENCL_DEVICE selects one or there is no GPU, otherwise the number of GPUs.
int device_count();

}  // namespace ladder::opencl
