#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/d2q9/strides.hpp"

namespace d2q9 {

using ladder::cuda::Shape;

/// What kernels know of a case; they take it by value.
template <class real>
struct Problem {
  int nx, ny;
  const std::uint8_t* solid;  ///< [y][pitch], 1 where solid
  real omega, w1, w2;
};

/// The case's obstacles on the device, [y][pitch], 1 where solid and in the padding.
inline ladder::cuda::Buffer<std::uint8_t> obstacles(const Case& c, const ladder::cuda::Device& device, std::size_t pitch) {
  std::vector<std::uint8_t> padded(pitch * static_cast<std::size_t>(c.ny), 1);
  for (int y = 0; y < c.ny; ++y)
    std::copy_n(c.solid.begin() + std::int64_t{y} * c.nx, c.nx, padded.begin() + static_cast<std::int64_t>(pitch) * y);
  ladder::cuda::Buffer<std::uint8_t> solid(device, padded.size());
  solid.write(padded);
  return solid;
}

/// A case on the GPU: its obstacles, its parameters as kernels take them, and the shape of the blocks that work on it.
template <class real>
struct DeviceCase {
  using Lattice = ladder::cuda::Buffer<real>;

  /// Rows of obstacles are `pitch` apart, 0: as wide as the grid.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits, `lattices` being how many there will be
  DeviceCase(const Case& c_, Shape block_, std::size_t pitch = 0, double lattices = 2)
      : c(c_), block(block_), solid(obstacles(within_limits(lattices), device, pitch > 0 ? pitch : grid.x)) {}

  /// A lattice of NaN; its slowest index is the direction or the row.
  [[nodiscard]] Lattice lattice(const Strides& strides) const { return {device, std::max(9 * strides.q, grid.y * strides.y)}; }

  /// Writes the initial state to `f`; numbers that belong to no cell become NaN.
  void initialize(Lattice& f, const Strides& strides) const { f.write(initial_numbers<real>(c, strides, f.size())); }

  /// Copies the populations in `f` to `out`.
  void store(const Lattice& f, const Strides& strides, ladder::Populations& out) const {
    copy_populations<real>(c, f.read(), strides, out);
  }

  /// Launches a kernel over the grid, or over `cells` of it, a thread a cell.
  [[nodiscard]] ladder::cuda::Launch over(Shape cells, std::size_t shared = 0) const {
    return {device, covering(cells, block), block, shared};
  }
  [[nodiscard]] ladder::cuda::Launch over_grid(std::size_t shared = 0) const { return over(grid, shared); }
  /// The same over the first row: kernels that work on the driven row have a thread for each of its cells.
  [[nodiscard]] ladder::cuda::Launch over_row() const { return over({grid.x, 1}); }

  [[nodiscard]] Problem<real> problem() const {
    return {c.nx, c.ny, solid.data(), static_cast<real>(c.omega), static_cast<real>(c.w1()), static_cast<real>(c.w2())};
  }

  const Case c;
  const Shape block;
  const Shape grid{static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)};
  const int driven_row = c.accelerated_row();
  const ladder::cuda::Device device = ladder::cuda::Device::select();
  const ladder::cuda::Buffer<std::uint8_t> solid;

 private:
  const Case& within_limits(double lattices) const {
    device.require_block(block);
    device.require_memory(static_cast<double>(c.cells()) * (lattices * q * sizeof(real) + 1), c.name);
    return c;
  }
};

}  // namespace d2q9
