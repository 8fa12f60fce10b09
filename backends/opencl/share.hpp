#pragma once

#include <cstddef>
#include <vector>

/// Devices that several processes of a node divide among themselves.
namespace ladder::opencl {

/// The numbers of the GPUs in devices().
std::vector<std::size_t> gpus();

/// How many devices they divide: 1 if LADDER_OPENCL_DEVICE names it, or if there is no GPU; else the number of GPUs.
int device_count();

}  // namespace ladder::opencl
