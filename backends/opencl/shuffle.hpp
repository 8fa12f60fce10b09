#pragma once

#include <string>
#include <string_view>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {

/// Text for programs whose work-items read numbers of others of their sub-group without local memory: shuffled(x, item).
extern const std::string_view shuffle_text;

/// How a device shuffles.
struct Shuffles {
  bool by_ptx = false;             ///< by an instruction of NVIDIA's assembly: that platform has no sub-groups, but has warps
  std::string language = "CL1.2";  ///< in which programs are written that use shuffle_text

  /// @throws Unavailable if the device does not shuffle
  static Shuffles of(const Device& device);

  /// The macros of shuffle_text, for numbers of `bytes` bytes.
  [[nodiscard]] Definitions definitions(std::size_t bytes) const {
    return {{"shuffles_by_ptx", by_ptx ? "1" : "0"}, {"number_bytes", std::to_string(bytes)}};
  }
};

}  // namespace ladder::opencl
