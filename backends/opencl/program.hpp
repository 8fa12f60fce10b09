#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/opencl/buffer.hpp"
#include "backends/opencl/device.hpp"

namespace ladder::opencl {

/// Macros that a program is built with, e.g. {{"real", "float"}, {"wx", "32"}}.
using Definitions = std::vector<std::pair<std::string, std::string>>;

/// A kernel that is launched in work-groups of one shape. Arguments are numbers (cl_int, float, …), Buffer and cl::Buffer.
class Kernel {
 public:
  /// @throws InputError where this kernel cannot run in such work-groups (registers, local memory)
  Kernel(const Device& device, const cl::Program& program, const char* name, Shape group);

  /// Enqueues the kernel over at least `items` work-items: each side is rounded up to the work-group's, so the kernel must
  /// return from work-items beyond the grid.
  template <class... Arguments>
  void operator()(Shape items, const Arguments&... arguments) {
    cl_uint index = 0;
    (set(index++, arguments), ...);
    launch(items);
  }

  /// Work-groups that cover `items`.
  [[nodiscard]] Shape groups(Shape items) const;

 private:
  template <class T>
  void set(cl_uint index, const T& value) {
    LADDER_CL(kernel_.setArg(index, value));
  }
  template <class T>
  void set(cl_uint index, const Buffer<T>& buffer) {
    set(index, buffer.handle());
  }
  void launch(Shape items);

  cl::CommandQueue queue_;
  cl::Kernel kernel_;
  Shape group_;
};

/// Compiles `sources`, one after the other, as one program of OpenCL C 1.2. A build log that is not empty goes to standard
/// error.
/// @throws Error with the build log where it does not compile
cl::Program build(const Device& device, const std::vector<std::string_view>& sources, const Definitions& definitions);

}  // namespace ladder::opencl
