#include "backends/opencl/share.hpp"

#include <algorithm>
#include <cstdlib>

#include "backends/opencl/device.hpp"

namespace ladder::opencl {

std::vector<std::size_t> gpus() {
  const std::vector<cl::Device> all = devices();
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_GPU) numbers.push_back(i);
  return numbers;
}

int device_count() {
  const char* const wanted = std::getenv("LADDER_OPENCL_DEVICE");
  const bool is_named = wanted != nullptr && *wanted != '\0';
  return is_named ? 1 : std::max(1, static_cast<int>(gpus().size()));
}

}  // namespace ladder::opencl
