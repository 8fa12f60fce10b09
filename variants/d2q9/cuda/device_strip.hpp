#pragma once

#include "backends/cuda/cells.hpp"
#include "variants/d2q9/cuda/solver.hpp"
#include "variants/d2q9/strip.hpp"
#include "variants/lattice/cuda/borders.hpp"

/// Strips of rows on several GPUs, of several processes or of one.
namespace d2q9 {

using lattice::cuda::Borders;

/// Stores cells of row y from column x on in the halos that contain them.
template <int width, class real>
__device__ void store_borders(const Borders<real>& borders, const Cells<real, width> (&cells)[9], int x, int y, int pitch) {
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const auto& to = borders.of[side];
    if (!to.contains(y)) continue;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      store_cells(to.lattice + i * to.plane + static_cast<std::size_t>(y + to.shift) * pitch + x, cells[i]);
  }
}

/// Base of the rungs: a strip on a GPU.
template <class real>
class DeviceStrip : public StripState<CudaSolver<real>> {
  using Base = StripState<CudaSolver<real>>;

 protected:
  DeviceStrip(const Case& c, const Strip& strip, Shape block)
      : Base(c, strip, block, padded_rows<real>(Model::part(c, strip.with_halo))) {}

  /// Blocks that cover the own rows with one thread per `width` cells.
  [[nodiscard]] Launch over_own_rows(std::size_t width) const {
    return this->over(covering({this->grid_.x, static_cast<std::size_t>(this->strip_.rows())}, {width, 1}));
  }

  /// Accelerates the driven row if it is an own one: its owner sends it to those that have it in a halo.
  void accelerate_own() {
    if (const int row = this->driven_row(); this->strip_.first <= row && row <= this->strip_.last) this->accelerate();
  }
};

}  // namespace d2q9
