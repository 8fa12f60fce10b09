#pragma once

#include <string>
#include <string_view>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {

/// Program text for reading values of other work-items of the sub-group without local memory: shuffled(x, item).
extern const std::string_view shuffle_text;

/// How a device performs shuffles.
struct Shuffles {
  bool by_ptx = false;             ///< uses PTX, because NVIDIA's platform has warps but no sub-groups
  std::string language = "CL1.2";  ///< OpenCL C version required by shuffle_text

  /// @throws Unavailable if the device does not support shuffles
  static Shuffles of(const Device& device);

  /// The macros of shuffle_text, for elements of `bytes` bytes.
  [[nodiscard]] Definitions definitions(std::size_t bytes) const {
    return {{"shuffles_by_ptx", by_ptx ? "1" : "0"}, {"number_bytes", std::to_string(bytes)}};
  }
};

}  // namespace ladder::opencl
