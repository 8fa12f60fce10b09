#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "backends/cuda/block_sum.hpp"
#include "backends/cuda/buffer.hpp"
#include "backends/cuda/deferred_sums.hpp"
#include "backends/cuda/launch.hpp"
#include "backends/cuda/read_only.hpp"
#include "backends/cuda/step_sums.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/d2q9/strides.hpp"

namespace d2q9 {

using ladder::cuda::add_warp_sums, ladder::cuda::put_warp_sum, ladder::cuda::warp_sum;
using ladder::cuda::DeferredSums, ladder::cuda::ReadOnly, ladder::cuda::Shape, ladder::cuda::StepSums;
using ladder::cuda::shuffle_sum, ladder::cuda::store_of_block, ladder::cuda::tree_sum;

/// The parameters of a case that kernels take, by value.
template <class real>
struct Problem {
  int nx, ny;
  int pitch;                  ///< cells from row to row, padding included
  const std::uint8_t* solid;  ///< [y][pitch]: 1 solid, 0 fluid; the padding is solid
  real omega, w1, w2;
};

/// Updates a cell without a branch, from the populations that arrive to those that leave: a fluid cell collides, and is then
/// accelerated if `drive`; a solid one rebounds. Returns |u|, 0 if solid.
template <class real>
__device__ real update_masked(real* s, bool fluid, bool drive, const Problem<real>& c) {
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const real speed = fluid ? sqrt(u2) : 0;
  drive = drive && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  return speed;
}

/// A row of cells to accelerate. Population i of cell (x, y) is f[x * dx + y * dy + i * di]; if it has `moved`, it is that of
/// the opposite direction in the cell that it leads to.
template <class real>
struct Row {
  real* f;
  std::size_t dx, dy, di;
  bool moved;
  int y;
  Problem<real> c;
};

/// Accelerates a row, one thread per cell.
template <class real>
__global__ void accelerate_row(Row<real> row) {
  const auto [f, dx, dy, di, moved, y, c] = row;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0 || c.solid[static_cast<std::size_t>(y) * c.pitch + x]) return;
  const int to_x[3] = {x > 0 ? x - 1 : c.nx - 1, x, x < c.nx - 1 ? x + 1 : 0};
  const int to_y[3] = {y > 0 ? y - 1 : c.ny - 1, y, y < c.ny - 1 ? y + 1 : 0};
  const auto at = [&](int i) -> real& {
    if (!moved) return f[x * dx + y * dy + i * di];
    constexpr int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr int reversed[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    return f[to_x[1 + step_x[i]] * dx + to_y[1 + step_y[i]] * dy + reversed[i] * di];
  };
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = at(i);
  d2q9_accelerate(s, c.w1, c.w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    at(i) = s[i];
}

/// Base of the solvers: a case on the GPU, with `lattices` copies of the lattice (1 in place, else 2).
template <class real>
class CudaSolver : public Solver {
 public:
  void store(ladder::Populations& out) override {
    const auto numbers = lattices_[0].read();
    if (!moved_) return copy_populations<real>(case_, numbers, strides_, out);
    const int nx = case_.nx, ny = case_.ny;
    for (std::size_t i = 0; i < 9; ++i)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          out.at(static_cast<int>(i), std::int64_t{y} * nx + x) =
              numbers[strides_.at(opposite[i], (x + cx[i] + nx) % nx, (y + cy[i] + ny) % ny)];
  }

 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  CudaSolver(const Case& c, Shape block, const Strides& strides, std::size_t lattices = 2)
      : case_(c), block_(block), strides_(strides), pitch_(strides.x == 1 ? strides.y : grid().x) {
    device_.require_block(block);
    device_.require_memory(static_cast<double>(c.cells()) * (static_cast<double>(lattices) * q * sizeof(real) + 1), c.name);
    solid_ = std::make_unique<Flags>(ladder::cuda::padded_rows<std::uint8_t>(device_, c.solid, grid().x, pitch_, 1));
    for (std::size_t i = 0; i < lattices; ++i)
      lattices_.emplace_back(device_, std::max(q * strides.q, grid().y * strides.y));
    lattices_[0].write(initial_numbers<real>(c, strides, lattices_[0].size()));
  }

  [[nodiscard]] const ladder::cuda::Device& device() const { return device_; }
  [[nodiscard]] const Case& the_case() const { return case_; }
  [[nodiscard]] const Strides& strides() const { return strides_; }
  [[nodiscard]] Shape block() const { return block_; }
  [[nodiscard]] Shape grid() const { return {static_cast<std::size_t>(case_.nx), static_cast<std::size_t>(case_.ny)}; }
  [[nodiscard]] double fluid_cells() const { return static_cast<double>(case_.fluid_cells()); }
  [[nodiscard]] Problem<real> problem() const {
    return {case_.nx,
            case_.ny,
            static_cast<int>(pitch_),
            solid_->data(),
            static_cast<real>(case_.omega),
            static_cast<real>(case_.w1()),
            static_cast<real>(case_.w2())};
  }

  /// The lattice, and in a pair the other one, which becomes the lattice by swap().
  [[nodiscard]] real* f() { return lattices_[0].data(); }
  [[nodiscard]] real* g() { return lattices_[1].data(); }
  void swap() { std::swap(lattices_[0], lattices_[1]); }
  /// In place: whether each population lies where it moves to, as that of the opposite direction; turn() ends a step.
  [[nodiscard]] bool moved() const { return moved_; }
  void turn() { moved_ = !moved_; }
  [[nodiscard]] ladder::cuda::Buffer<real>& lattice() { return lattices_[0]; }
  [[nodiscard]] ladder::cuda::Buffer<real>& other() { return lattices_[1]; }

  /// A launch with one thread per cell of the grid, or of the `cells` named.
  [[nodiscard]] ladder::cuda::Launch over(Shape cells, std::size_t shared = 0) const {
    return ladder::cuda::over(device_, cells, block_, shared);
  }
  [[nodiscard]] ladder::cuda::Launch over_grid(std::size_t shared = 0) const { return over(grid(), shared); }
  [[nodiscard]] ladder::cuda::Launch over_row() const { return over(Shape{grid().x, 1}); }

  /// The row that is accelerated for a step to come, -1 if there is `none`.
  [[nodiscard]] int driven_row(bool more = true) const { return more ? case_.accelerated_row() : -1; }
  /// Accelerates that row.
  void accelerate() {
    over_row()(
        accelerate_row<real>,
        {.f = f(), .dx = strides_.x, .dy = strides_.y, .di = strides_.q, .moved = moved_, .y = driven_row(), .c = problem()});
  }

 private:
  using Flags = ladder::cuda::Buffer<std::uint8_t>;

  const Case case_;
  const Shape block_;
  const ladder::cuda::Device device_ = ladder::cuda::Device::select();
  const Strides strides_;
  const std::size_t pitch_;
  std::unique_ptr<Flags> solid_;
  std::vector<ladder::cuda::Buffer<real>> lattices_;
  bool moved_ = false;
};

}  // namespace d2q9
