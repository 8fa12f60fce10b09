#pragma once

#include <vector>

#include "backends/cuda/vectors.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"
#include "variants/lattice/cuda/solver.hpp"

/// Shared by the model's CUDA rungs. Kernels count rows from the bottom wall: their row n is row (n + bottom) mod ny of the
/// lattice. Without walls, `bottom` is 0 and rows wrap.
namespace d2q37 {

using namespace ladder::cuda;  // names used in kernels

/// The lattice that a kernel updates, and its parameters.
template <class real>
struct Problem {
  int nx, ny, pitch;  ///< columns, rows, elements from one row to the next
  int bottom;         ///< lattice row next to the bottom wall; 0 without walls
  bool walls;
  Relaxation<real> relaxation;

  /// Number of rows between the walls' rows, and the first of them.
  [[nodiscard]] __host__ __device__ int inner_rows() const { return walls ? ny - 2 * Case::wall_rows : ny; }
  [[nodiscard]] __host__ __device__ int first_inner_row() const { return walls ? Case::wall_rows : 0; }
  /// Index of the first cell of row y, which may exceed either end by up to ny rows.
  [[nodiscard]] __device__ int row(int y) const {
    const int place = wrapped(wrapped(y, ny) + bottom, ny);
    return place * pitch;
  }
};

/// Arguments of a kernel that advances by one step: population arrays [y][pitch] before and after the step, identical for
/// in-place updates.
template <class real>
struct Step {
  Arrays<q, const real> f;
  Arrays<q, real> g;
  Problem<real> c;
};

/// The problem of a case, with rows of `pitch` elements.
template <class real>
Problem<real> problem_of(const Case& c, int pitch) {
  const int bottom = c.bottom_row();
  return {c.nx, c.ny, pitch, std::max(bottom, 0), bottom >= 0, c.relaxation<real>()};
}

/// Indices of the cells from which the populations of cell (x, y) come.
struct Sources {
  int x[2 * D2Q37_REACH + 1], y[2 * D2Q37_REACH + 1];  ///< indexed by reach + c: column, first cell of the row

  template <class real>
  __device__ Sources(int column, int row, const Problem<real>& c) {
#pragma unroll
    for (int n = -D2Q37_REACH; n <= D2Q37_REACH; ++n) {
      x[D2Q37_REACH + n] = wrapped(column - n, c.nx);
      y[D2Q37_REACH + n] = c.row(row - n);
    }
  }
  __device__ int operator()(int i) const { return y[D2Q37_REACH + d2q37_cy[i]] + x[D2Q37_REACH + d2q37_cx[i]]; }
  __device__ int own() const { return y[D2Q37_REACH] + x[D2Q37_REACH]; }
};

/// Fetches the populations of cell (x, y). The second function is for rows at a wall: it reverses populations that would come
/// from beyond the wall and sets the wall's state.
template <class real>
__device__ void stream(const Step<real>& step, const Sources& from, real* f) {
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = step.f.of[i][from(i)];
}
template <class real>
__device__ void stream_at_wall(const Step<real>& step, const Sources& from, int x, int y, real* f) {
  const Problem<real>& c = step.c;
  const bool is_top = y >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? c.ny - 1 - y : y;
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] =
        wall.turns(i, n) ? step.f.of[d2q37_opposite[i]][c.row(wall.row(wall.source(i, n), c.ny)) + x] : step.f.of[i][from(i)];
  d2q37_wall(f, c.relaxation.wall_speed, c.relaxation.wall_theta[is_top]);
}

/// Base of solvers that hold the populations, f[37][y][pitch], with rows padded to whole lines.
template <class real, class Pattern = lattice::Pull>
class PopulationSolver : public lattice::cuda::Solver<Model, real, Pattern> {
  using Base = lattice::cuda::Solver<Model, real, Pattern>;

 protected:
  PopulationSolver(const Case& c, Shape block)
      : Base(lattice::numbered<std::int32_t>(c), block, lattice::padded_rows<real>(c)),
        problem_(problem_of<real>(c, static_cast<int>(this->strides_.y))) {}

  template <class T>
  [[nodiscard]] Arrays<q, T> arrays(T* lattice) const {
    return Arrays<q, T>::from(lattice, static_cast<std::size_t>(this->strides_.q));
  }
  /// A launch over `rows` rows with one thread per `width` cells.
  [[nodiscard]] Launch over_rows(int rows, int width = 1) const {
    const auto vectors = static_cast<std::size_t>((problem_.nx + width - 1) / width);
    return over(this->device_, {vectors, static_cast<std::size_t>(rows)}, this->block_);
  }

  [[nodiscard]] Step<real> step() {
    return {arrays<const real>(this->f()), arrays<real>(Pattern::in_place ? this->f() : this->g()), problem_};
  }

  const Problem<real> problem_;
};

/// Base of solvers with two kernels per step: one for the rows at the walls, and one for the rows between them, whose threads
/// update `width` cells each. In-place solvers alternate between the kernels `even` and `odd`.
template <class real, class Pattern = lattice::Pull>
class FusedSolver : public PopulationSolver<real, Pattern>, public ladder::Phased {
  using Base = PopulationSolver<real, Pattern>;

 public:
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      update_walls();
      update_bulk();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {{"stream_bc_collide_rows", [this] { update_walls(); }}, {"bulk", [this] { update_bulk(); }}};
  }

 protected:
  struct Kernels {
    void (*wall_rows)(Step<real>);
    void (*inner_rows)(Step<real>);
  };

  FusedSolver(const Case& c, const ladder::Tuning& tuning, const Kernels& even, const Kernels& odd, int width = 1)
      : Base(without_reaction(c), lattice::cuda::block_shape(tuning)),
        kernels_{even, odd},
        inside_(this->over_rows(this->problem_.inner_rows(), width)) {}
  FusedSolver(const Case& c, const ladder::Tuning& tuning, const Kernels& kernels, int width = 1)
      : FusedSolver(c, tuning, kernels, kernels, width) {}

 private:
  void update_walls() {
    if (this->problem_.walls) at_walls_(kernels_[this->phase_].wall_rows, this->step());
  }
  void update_bulk() {
    inside_(kernels_[this->phase_].inner_rows, this->step());
    this->swap_lattices();
  }

  const Kernels kernels_[2];  ///< indexed by phase of the pattern
  const Launch at_walls_ = this->over_rows(2 * Case::wall_rows);
  const Launch inside_;
};

/// This thread's column and row in such a launch.
__device__ inline int own_column() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ inline int own_row() { return static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); }

/// Tunables for the shape of a block.
inline std::vector<ladder::Tunable> block_tunables(int x, int y) {
  return {lattice::cuda::wx_tunable(x), lattice::cuda::wy_tunable(y)};
}

}  // namespace d2q37
