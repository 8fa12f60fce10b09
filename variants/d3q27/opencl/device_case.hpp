#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "backends/opencl/program.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/d3q27/strides.hpp"

namespace d3q27 {

/// Text of collide.h, which every OpenCL program of the model begins with.
extern const std::string_view shared_source;

/// A case on the OpenCL device: the program built for it, and its parameters as kernels take them.
template <class real>
struct DeviceCase {
  using Lattice = ladder::opencl::Buffer<real>;

  /// Builds the rung's kernel file, for a rung that has so many `lattices`, with the macros `real` and `wx`, the work-items of
  /// a work-group.
  /// @throws ladder::Unavailable without a (double precision) device; ladder::InputError beyond the device's limits
  DeviceCase(const Case& c_, ladder::opencl::Shape group_, double lattices = 2)
      : c(c_), group(group_), device(ladder::opencl::Device::select()), program(build(lattices)) {}

  /// The kernel `name` in work-groups of the rung's shape.
  [[nodiscard]] ladder::opencl::Kernel kernel(const char* name) const { return {device, program, name, group}; }

  /// A lattice of NaN.
  [[nodiscard]] Lattice lattice() const { return {device, static_cast<std::size_t>(q * c.cells())}; }

  /// Writes the initial state to `f`.
  void initialize(Lattice& f, const Strides& strides) const { f.write(initial_numbers<real>(c, strides, f.size())); }

  /// Copies the populations in `f` to `out`.
  void store(const Lattice& f, const Strides& strides, ladder::Populations& out) const {
    copy_populations<real>(c, f.read(), strides, out);
  }

  /// Returns when all that was enqueued is done.
  void wait() const { LADDER_CL(device.queue.finish()); }
  /// Step number `step` was enqueued: waits now and then, so that the queue never grows without bound.
  void bound_queue(std::int64_t step) const {
    if (step % most_steps == most_steps - 1) wait();
  }

  const Case c;
  const ladder::opencl::Shape group;
  const ladder::opencl::Device device;
  const cl::Program program;
  const ladder::opencl::Shape cells{static_cast<std::size_t>(c.cells()), 1};  ///< a work-item for each
  const cl_int nx = c.nx;
  const cl_int ny = c.ny;
  const cl_int nz = c.nz;
  const real omega = static_cast<real>(c.omega());

 private:
  static constexpr std::int64_t most_steps = 1024;

  cl::Program build(double lattices) const {
    constexpr bool is_double = std::is_same_v<real, double>;
    if (is_double) device.require_double();
    device.require_group(group);
    const double bytes = q * static_cast<double>(c.cells()) * sizeof(real);
    device.require_memory(lattices * bytes, bytes, c.name);
    if (c.cells() > std::numeric_limits<cl_uint>::max())
      throw ladder::InputError(c.name + " has " + std::to_string(c.cells()) + " cells; the kernels number them in 32 bits");
    return ladder::opencl::build(device, {shared_source, ladder::this_rung.kernel},
                                 {{"real", is_double ? "double" : "float"}, {"wx", std::to_string(group.x)}});
  }
};

}  // namespace d3q27
