#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "backends/opencl/program.hpp"
#include "roofline/ceilings/ceiling.hpp"
#include "roofline/ceilings/verify.hpp"

namespace ladder::ceilings {

/// The text of kernels.cl.
extern const std::string_view kernels_text;

/// The shape in which a device processes long arrays fastest.
struct Geometry {
  std::size_t width;   ///< elements of the vector that a work-item processes at a time
  std::size_t group;   ///< work-items in a work-group
  std::size_t block;   ///< vectors per array and work-group
  std::size_t chains;  ///< independent sums or products per work-item
  std::size_t groups;  ///< work-groups that fill the device

  /// On a CPU, a work-group is a loop on one core over 16 KB of each array, with the widest vectors available. On a GPU, it has
  /// 256 work-items with 16 bytes each.
  static Geometry of(const opencl::Device& device, std::size_t real);
};

/// The kernels built for one ceiling on one device.
struct Program {
  /// @param arrays  Q for copy-Q, otherwise 1
  /// @throws Unavailable if double precision or non-temporal stores are requested and missing
  Program(const Request& request, int arrays);

  [[nodiscard]] opencl::Kernel kernel(const char* name) const { return {device, program, name, {geometry.group, 1}}; }

  /// Number of work-items that process `size` vectors of each array.
  [[nodiscard]] opencl::Shape items(std::size_t size) const {
    return {(size + geometry.block - 1) / geometry.block * geometry.group, 1};
  }

  opencl::Device device;
  Geometry geometry;
  cl::Program program;
};

/// Vectors per array if `arrays` arrays together have the requested size. @throws InputError if that is less than one vector,
/// or the arrays do not fit in memory
std::size_t vectors_per_array(const Request& request, const Program& program, std::size_t arrays, std::size_t buffers);

/// a[at + i] = input element first + i, for i < size.
template <class T>
void fill(const Program& program, const opencl::Buffer<T>& a, std::size_t at, std::size_t first, std::size_t size) {
  program.kernel("fill")(program.items(size), {{"a", a}, {"at", at}, {"first", first}, {"size", size}});
}

/// An expected value: u times input element `first_u + i`, plus v times input element `first_v + i`.
struct Expected {
  double u = 1;
  std::size_t first_u = 0;
  double v = 0;
  std::size_t first_v = 0;
};

/// Describes, in a sentence, the first of the `size` elements from a[at] on that differs from its expected value; empty if
/// there is none. Waits for all earlier work. The comparison runs on the device, because the transfer to the host would take
/// longer than all sweeps. A kernel compares at most `longest` elements, so that a cl_uint holds every i.
template <class T>
std::string first_difference(const Program& program, const opencl::Buffer<T>& a, std::size_t at, std::size_t size,
                             std::size_t array, const Expected& expected, std::size_t longest = std::size_t{1} << 31) {
  opencl::Kernel compare = program.kernel("compare");
  opencl::Buffer<cl_uint> first(program.device, 1);
  compare.bind({{"a", a}, {"u", static_cast<T>(expected.u)}, {"v", static_cast<T>(expected.v)}, {"first", first}});
  for (std::size_t done = 0; done < size; done += longest) {
    const std::size_t count = std::min(longest, size - done);
    const auto none = static_cast<cl_uint>(count);
    first.write(&none, 1);
    compare(program.items(count),
            {{"at", at + done}, {"size", count}, {"first_u", expected.first_u + done}, {"first_v", expected.first_v + done}});
    const cl_uint found = first.read().front();
    if (found == none) continue;
    const std::size_t i = done + found;
    T actual{};
    LADDER_CL(program.device.queue.enqueueReadBuffer(a.handle(), CL_TRUE, (at + i) * sizeof(T), sizeof(T), &actual));
    return fmt::format("number {} of array {} is {}, expected {}", i, array, actual,
                       expected.u * pattern(expected.first_u + i) + expected.v * pattern(expected.first_v + i));
  }
  return "";
}

}  // namespace ladder::ceilings
