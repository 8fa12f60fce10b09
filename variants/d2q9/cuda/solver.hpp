#pragma once

#include <cstdint>

#include "backends/cuda/block_sum.hpp"
#include "backends/cuda/deferred_sums.hpp"
#include "backends/cuda/read_only.hpp"
#include "backends/cuda/step_sums.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/lattice/cuda/solver.hpp"

namespace d2q9 {

using namespace ladder::cuda;  // names used by kernels

/// The parameters of a case that kernels take by value.
template <class real>
struct Problem {
  int nx, ny;
  int pitch;                  ///< cells from one row to the next, padding included
  const std::uint8_t* solid;  ///< [y][pitch]: 1 solid, 0 fluid; the padding is solid
  real omega;
  real w1, w2;  ///< driving force, see Case
};

/// Returns |u| of a cell.
template <class real>
__device__ real speed_of(const real* s) {
  real density = 1;
  for (int i = 0; i < 9; ++i)
    density += s[i];
  const real mx = s[1] + s[5] + s[8] - (s[3] + s[6] + s[7]);
  const real my = s[2] + s[5] + s[6] - (s[4] + s[7] + s[8]);
  return sqrt(mx * mx + my * my) / density;
}

/// Updates a cell without branching, from the arriving populations to the leaving ones: a fluid cell collides and is then
/// accelerated if `drive` is set; a solid cell rebounds. Returns |u|, or 0 if solid.
template <class real>
__device__ real update_masked(real* s, bool fluid, bool drive, const Problem<real>& c) {
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const real speed = fluid ? sqrt(u2) : 0;
  drive = drive && fluid && d2q9_can_drive(s, c.w1, c.w2);
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  return speed;
}

/// A row of cells to accelerate, in a state stored at `places`.
template <class real>
struct Row {
  real* f;
  lattice::Places places;
  int y;
  Problem<real> c;
};

/// Accelerates a row, one thread per cell.
template <class real>
__global__ void accelerate_row(Row<real> row) {
  const auto& [f, places, y, c] = row;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0 || c.solid[static_cast<std::size_t>(y) * c.pitch + x]) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[places(i, x, y, 0)];
  d2q9_accelerate(s, c.w1, c.w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[places(i, x, y, 0)] = s[i];
}

/// Returns the GPU's number of multiprocessors, or 100 without a GPU, because formulas need a value.
inline int multiprocessors() {
  const auto gpu = ladder::cuda::Device::available();
  return gpu ? gpu->multiprocessors() : 100;
}

/// Returns the size of a case.
inline Shape grid_of(const Case& c) { return {static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)}; }

/// Base of the solvers: the obstacles on the GPU, and launches over the grid.
template <class real, class Pattern = lattice::Pull>
class CudaSolver : public lattice::cuda::Solver<Model, real, Pattern> {
 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  CudaSolver(const Case& c, Shape block, const lattice::Strides& strides)
      : lattice::cuda::Solver<Model, real, Pattern>(c, block, strides) {}

  [[nodiscard]] Problem<real> problem() const {
    return {.nx = this->case_.nx,
            .ny = this->case_.ny,
            .pitch = static_cast<int>(pitch_),
            .solid = solid_.data(),
            .omega = static_cast<real>(this->case_.omega),
            .w1 = static_cast<real>(this->case_.w1()),
            .w2 = static_cast<real>(this->case_.w2())};
  }

  /// Return launches with one thread per cell: of `cells`, of the grid, or of its first row.
  [[nodiscard]] Launch over(Shape cells, std::size_t shared = 0) const {
    return ladder::cuda::over(this->device_, cells, this->block_, shared);
  }
  [[nodiscard]] Launch over_grid(std::size_t shared = 0) const { return over(grid_, shared); }
  [[nodiscard]] Launch over_row() const { return over(Shape{grid_.x, 1}); }

  /// Returns the row to accelerate for the next step, if there is one (`more`), or -1 for none.
  [[nodiscard]] int driven_row(bool more = true) const { return more ? this->case_.accelerated_row() : -1; }
  /// Accelerates the driven row.
  void accelerate() {
    if (driven_row() < 0) return;
    const Row<real> row{.f = this->f(), .places = this->places(), .y = driven_row(), .c = problem()};
    over_row()(accelerate_row<real>, row);
  }

  const Shape grid_ = grid_of(this->case_);
  const double fluid_cells_ = static_cast<double>(this->case_.fluid_cells());

 private:
  const std::size_t pitch_ = this->strides_.x == 1 ? static_cast<std::size_t>(this->strides_.y) : grid_.x;
  const Buffer<std::uint8_t> solid_ =
      ladder::cuda::padded_rows<std::uint8_t>(this->device_, this->case_.solid, grid_.x, pitch_, 1);
};

}  // namespace d2q9
