#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "backends/opencl/program.hpp"
#include "roofline/ceilings/ceiling.hpp"

namespace ladder::ceilings {

/// Text of kernels.cl.
extern const std::string_view kernels_text;

/// How a device is best set to work on long arrays.
struct Geometry {
  std::size_t width;   ///< numbers in the vector that a work-item handles at once
  std::size_t group;   ///< work-items in a work-group
  std::size_t block;   ///< vectors of each array that a work-group handles
  std::size_t chains;  ///< independent sums or products in a work-item
  std::size_t groups;  ///< work-groups that fill the device

  /// A processor: a work-group is a loop on one core, over 16 KB of each array, on the widest vectors that it has. A graphics
  /// processor: 256 work-items, 16 bytes each.
  static Geometry of(const opencl::Device& device, std::size_t real);
};

/// The kernels built for one ceiling on one device.
struct Program {
  /// @param arrays  Q of copy-Q, 1 elsewhere
  /// @throws Unavailable without double precision or non-temporal stores where they are asked for
  Program(const Request& request, int arrays);

  [[nodiscard]] opencl::Kernel kernel(const char* name) const { return {device, program, name, {geometry.group, 1}}; }

  /// Work-items that handle `size` vectors of each array.
  [[nodiscard]] opencl::Shape items(std::size_t size) const {
    return {(size + geometry.block - 1) / geometry.block * geometry.group, 1};
  }

  opencl::Device device;
  Geometry geometry;
  cl::Program program;
};

/// Vectors in each of `arrays` arrays that fill the request. @throws InputError where there is not one, or too many for memory
std::size_t vectors_per_array(const Request& request, const Program& program, std::size_t arrays, std::size_t buffers);

/// `count` numbers of a buffer from number `first` on, once all earlier commands are done.
template <class T>
std::vector<T> read_part(const opencl::Device& device, const opencl::Buffer<T>& buffer, std::size_t first, std::size_t count) {
  std::vector<T> numbers(count);
  LADDER_CL(device.queue.enqueueReadBuffer(buffer.handle(), CL_TRUE, first * sizeof(T), count * sizeof(T), numbers.data()));
  return numbers;
}

}  // namespace ladder::ceilings
