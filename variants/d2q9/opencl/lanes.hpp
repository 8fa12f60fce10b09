#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "backends/opencl/program.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

/// The number of cells that a work-item updates as one vector, as the tunable `width`.
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "cells of a row that a work-item updates as one vector; 0: as many numbers as the device's vectors hold",
          .values = {0, 1, 2, 4, 8, 16},
          .initial = 0};
}

/// The width that the tuning names: the device's own (1 where it has no vectors, as a GPU) for 0.
template <class real>
int vector_width(const ladder::Tuning& tuning, const ladder::opencl::Device& device) {
  if (const int width = tuning.at("width"); width > 0) return width;
  if constexpr (std::is_same_v<real, double>)
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>()));
  else
    return static_cast<int>(LADDER_CL(device.device.template getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>()));
}

/// The number of vectors that a work-item updates one after the other, as the tunable `strip`.
inline ladder::Tunable strip_tunable() {
  return {.name = "strip",
          .meaning = "vectors along a row that a work-item updates; 0: the whole row on a CPU, 1 elsewhere",
          .values = {0, 1, 2, 4, 8, 16, 32, 64},
          .initial = 0};
}

/// The cells of such a strip; more than any row has where it is a whole row.
inline int strip_length(const ladder::Tuning& tuning, const ladder::opencl::Device& device, int width) {
  constexpr int whole_row = 1 << 30;
  if (const int strip = tuning.at("strip"); strip > 0) return strip * width;
  return device.is_processor() ? whole_row : width;
}

/// Whether stores should bypass the cache: on a CPU, which fetches every line before it writes it, where two lattices are
/// larger than its cache.
template <class real>
bool bypasses_cache(const Case& c, const ladder::opencl::Device& device) {
  const auto cache = static_cast<double>(LADDER_CL(device.device.template getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>()));
  return device.is_processor() && 2.0 * q * static_cast<double>(c.cells()) * sizeof(real) > cache;
}

/// The macros of a kernel that works on vectors: `lanes` is one of `width` numbers, `integers` what comparing two gives;
/// `strip` is the cells of a strip, `bypass_cache` 1 where stores should bypass the cache.
template <class real>
ladder::opencl::Definitions lanes(int width, int strip = 0, bool bypass_cache = false) {
  constexpr bool is_double = std::is_same_v<real, double>;
  const std::string count = width > 1 ? std::to_string(width) : "";
  return {{"LBM_LANES", "1"},
          {"width", std::to_string(width)},
          {"strip", std::to_string(strip)},
          {"bypass_cache", bypass_cache ? "1" : "0"},
          {"lanes", (is_double ? "double" : "float") + count},
          {"integers", (is_double ? "long" : "int") + count}};
}

}  // namespace d2q9
