#pragma once

#include <fmt/format.h>

#include <string>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "base/half.hpp"
#include "roofline/ceilings/cuda/kernels.hpp"
#include "roofline/ceilings/verify.hpp"

/// Fills and compares arrays on the device; on the host, the transfer would take longer than all sweeps.
namespace ladder::ceilings {

/// Launch shape for untimed work.
inline cuda::Launch anywhere(const cuda::Device& device) {
  return {device, {8 * static_cast<std::size_t>(device.multiprocessors()), 1}, {256, 1}};
}

inline double value(double number) { return number; }
inline double value(Half number) { return to_float(number); }

/// Describes, in a sentence, the first of the `size` elements from a[at] on that differs from its expected value; empty if
/// there is none. Waits for all earlier work.
template <class T>
std::string first_difference(const cuda::Device& device, const cuda::Buffer<T>& a, std::size_t at, std::size_t size,
                             std::size_t array, const Expected& expected) {
  cuda::Buffer<unsigned long long> first(device, 1);
  const unsigned long long none = size;
  first.write({&none, 1});
  anywhere(device)(compare_kernel<T>(), a.data() + at, size, expected, first.data());
  const std::size_t i = first.at(0);
  if (i >= size) return "";
  return fmt::format("number {} of array {} is {}, expected {}", i, array, value(a.at(at + i)),
                     expected.u * pattern(expected.a + i) + expected.v * pattern(expected.b + i));
}

/// Vectors per array if `arrays` arrays together have the requested size.
/// @throws InputError if that is less than one vector, or the arrays do not fit in the device's memory
inline std::size_t vectors_per_array(const Request& request, const cuda::Device& device, std::size_t arrays) {
  device.require_memory(static_cast<double>(request.bytes), request.kind.name);
  const std::size_t least = arrays * vector_bytes;
  if (request.bytes < least)
    throw InputError(
        fmt::format("--bytes {}: {} needs at least {} bytes on this device", request.bytes, request.kind.name, least));
  return request.bytes / least;
}

}  // namespace ladder::ceilings
