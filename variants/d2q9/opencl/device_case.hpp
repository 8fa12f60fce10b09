#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/opencl/program.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/d2q9/strides.hpp"

namespace d2q9 {

/// Text of collide.h, which every OpenCL program of the model begins with.
extern const std::string_view shared_source;

/// A case on the OpenCL device: the program built for it, its obstacles, and its parameters as kernels take them.
template <class real>
struct DeviceCase {
  using Lattice = ladder::opencl::Buffer<real>;

  /// Builds the rung's kernel file with the macros `real`, `wx` and `wy`, the work-group's shape.
  /// @throws ladder::Unavailable without a (double precision) device; ladder::InputError beyond the device's limits
  DeviceCase(const Case& c_, ladder::opencl::Shape group_) : DeviceCase(c_, group_, 2) {}
  /// The same for a rung that has so many `lattices`.
  DeviceCase(const Case& c_, ladder::opencl::Shape group_, double lattices)
      : DeviceCase(c_, group_, {}, ladder::opencl::Device::select(), lattices) {}
  /// The same with the macros `more` beside.
  DeviceCase(const Case& c_, ladder::opencl::Shape group_, const ladder::opencl::Definitions& more,
             const ladder::opencl::Device& device_ = ladder::opencl::Device::select(), double lattices = 2)
      : c(c_), group(group_), device(device_), program(build(more, lattices)) {}

  /// The kernel `name` in work-groups of the rung's shape.
  [[nodiscard]] ladder::opencl::Kernel kernel(const char* name) const { return {device, program, name, group}; }

  /// A lattice of NaN with room for `size` numbers.
  [[nodiscard]] Lattice lattice(std::size_t size) const { return {device, size}; }
  [[nodiscard]] Lattice lattice() const { return lattice(static_cast<std::size_t>(q * c.cells())); }
  [[nodiscard]] Lattice lattice(const Strides& strides) const { return lattice(9 * strides.q); }

  /// Writes the initial state to `f`; numbers that belong to no cell become NaN.
  void initialize(Lattice& f, const Strides& strides) const { f.write(initial_numbers<real>(c, strides, f.size())); }

  /// Copies the populations in `f` to `out`.
  void store(const Lattice& f, const Strides& strides, ladder::Populations& out) const {
    copy_populations<real>(c, f.read(), strides, out);
  }

  /// Work-items that cover the grid when each updates `cells` of a row.
  [[nodiscard]] ladder::opencl::Shape work_items(int cells) const {
    const auto step = static_cast<std::size_t>(cells);
    return {(grid.x + step - 1) / step, grid.y};
  }

  const Case c;
  const ladder::opencl::Shape group;
  const ladder::opencl::Device device;
  const cl::Program program;
  const ladder::opencl::Shape grid{static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)};
  const cl_int nx = c.nx;
  const cl_int ny = c.ny;
  const cl_int driven_row = c.accelerated_row();
  const real omega = static_cast<real>(c.omega);
  const real w1 = static_cast<real>(c.w1());
  const real w2 = static_cast<real>(c.w2());

 private:
  cl::Program build(ladder::opencl::Definitions definitions, double lattices) const {
    constexpr bool is_double = std::is_same_v<real, double>;
    if (is_double) device.require_double();
    device.require_group(group);
    const double bytes = q * static_cast<double>(c.cells()) * sizeof(real);
    device.require_memory(lattices * bytes, bytes, c.name);
    const std::string number = is_double ? "double" : "float";
    definitions.emplace_back("real", number);
    definitions.emplace_back("wx", std::to_string(group.x));
    definitions.emplace_back("wy", std::to_string(group.y));
    // Where the kernel works on vectors, so does the shared collision.
    const std::string_view before = "#if defined(LBM_LANES)\n#undef real\n#define real lanes\n#endif\n";
    const std::string after = "#if defined(LBM_LANES)\n#undef real\n#define real " + number + "\n#endif\n";
    return ladder::opencl::build(device, {before, shared_source, after, ladder::this_rung.kernel}, definitions);
  }
};

/// The case's obstacles on the device, [y][pitch], 1 where solid and in the padding.
inline ladder::opencl::Buffer<cl_uchar> obstacles(const Case& c, const ladder::opencl::Device& device, std::size_t pitch) {
  std::vector<cl_uchar> padded(pitch * static_cast<std::size_t>(c.ny), 1);
  for (int y = 0; y < c.ny; ++y)
    std::copy_n(c.solid.begin() + std::int64_t{y} * c.nx, c.nx, padded.begin() + static_cast<std::int64_t>(pitch) * y);
  ladder::opencl::Buffer<cl_uchar> solid(device, padded.size());
  solid.write(padded);
  return solid;
}
inline ladder::opencl::Buffer<cl_uchar> obstacles(const Case& c, const ladder::opencl::Device& device) {
  return obstacles(c, device, static_cast<std::size_t>(c.nx));
}

}  // namespace d2q9
