#pragma once

#include <string>
#include <type_traits>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {

/// Program text for working with vectors of `width` elements: load(), store() and to_integers() for `lanes`.
extern const std::string_view lanes_text;

/// Number of `real` elements in the device's native vectors; 1 if it has no vectors, as on a GPU.
template <class real>
int vector_width(const Device& device) {
  if constexpr (std::is_same_v<real, double>)
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>()));
  else
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>()));
}

/// Macros for a program that uses vectors: `number`, a synonym of `real`; `width`, the vector size; `lanes`, the vector type
/// (scalar if the width is 1); `integers`, the type of a comparison's result.
template <class real>
Definitions lanes_definitions(int width) {
  const std::string number(number_name<real>());
  if (width == 1) return {{"number", number}, {"width", "1"}, {"lanes", number}, {"integers", "int"}};
  const std::string count = std::to_string(width);
  return {{"number", number},
          {"width", count},
          {"lanes", number + count},
          {"integers", (sizeof(real) == sizeof(cl_long) ? "long" : "int") + count}};
}

}  // namespace ladder::opencl
