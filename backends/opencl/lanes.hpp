#pragma once

#include <string>
#include <type_traits>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {

/// Text for programs that work on vectors of `width` numbers: load(), store() and to_integers() of `lanes`.
extern const std::string_view lanes_text;

/// Numbers of the type `real` in the device's vectors; 1 if it has no vectors, as on a GPU.
template <class real>
int vector_width(const Device& device) {
  if constexpr (std::is_same_v<real, double>)
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>()));
  else
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>()));
}

/// The macros of a program that works on vectors: `number`, the same as `real`; `width`, the numbers of a vector; `lanes`, a
/// vector of them (a number if the width is 1); `integers`, the result of comparing two.
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
