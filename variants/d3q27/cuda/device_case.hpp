#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/d3q27/strides.hpp"

namespace d3q27 {

using ladder::cuda::Shape;

/// What kernels know of a case; they take it by value.
template <class real>
struct Problem {
  int nx, ny, nz;
  real omega;
};

/// A case on the GPU: its parameters as kernels take them, and the shape of the blocks that work on it.
template <class real>
struct DeviceCase {
  using Lattice = ladder::cuda::Buffer<real>;

  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits, `lattices` being how many there will be
  DeviceCase(const Case& c_, Shape block_, double lattices = 2) : c(c_), block(block_) {
    device.require_block(block);
    if (c.cells() > INT32_MAX) throw ladder::InputError(c.name + ": kernels number up to 2147483647 cells");
    device.require_memory(static_cast<double>(c.cells()) * lattices * q * sizeof(real), c.name);
  }

  /// A lattice of NaN with a number for each population.
  [[nodiscard]] Lattice lattice() const { return {device, static_cast<std::size_t>(q * c.cells())}; }
  /// The same with the directions as far apart as `strides` says.
  [[nodiscard]] Lattice lattice(const Strides& strides) const { return {device, q * strides.q}; }

  /// Writes the initial state to `f`.
  void initialize(Lattice& f, const Strides& strides) const { f.write(initial_numbers<real>(c, strides, f.size())); }

  /// Copies the populations in `f` to `out`.
  void store(const Lattice& f, const Strides& strides, ladder::Populations& out) const {
    copy_populations<real>(c, f.read(), strides, out);
  }

  /// Launches a kernel in `blocks` blocks.
  [[nodiscard]] ladder::cuda::Launch in_blocks(std::size_t blocks, std::size_t shared = 0) const {
    return {device, {blocks, 1}, block, shared};
  }
  /// The same with a thread for each cell, cells being numbered through.
  [[nodiscard]] ladder::cuda::Launch over_cells() const {
    return in_blocks((static_cast<std::size_t>(c.cells()) + block.count() - 1) / block.count());
  }
  /// The same with blocks that are pieces of a row: blocks of one row, then of the next.
  [[nodiscard]] ladder::cuda::Launch over_rows(std::size_t shared = 0) const {
    return in_blocks((static_cast<std::size_t>(c.nx) + block.x - 1) / block.x * c.ny * c.nz, shared);
  }

  [[nodiscard]] Problem<real> problem() const { return {c.nx, c.ny, c.nz, static_cast<real>(c.omega())}; }

  const Case c;
  const Shape block;
  const ladder::cuda::Device device = ladder::cuda::Device::select();
};

/// Threads of a block, side by side along x, as a tunable: whole warps, and the 720 that the publication found best, but no
/// more than `most`.
inline ladder::Tunable threads_tunable(int initial, int most) {
  std::vector<int> values = {32, 64, 96, 128, 192, 256, 320, 384, 512, 720};
  std::erase_if(values, [most](int value) { return value > most; });
  return {.name = "threads", .meaning = "threads of a block, each a cell", .values = std::move(values), .initial = initial};
}

/// The block that the tuning names.
inline Shape row_block(const ladder::Tuning& tuning) { return {static_cast<std::size_t>(tuning.at("threads")), 1}; }

}  // namespace d3q27
