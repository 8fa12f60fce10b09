#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cuda/box.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"

/// The lattice of the publication's GPU code (Biferale et al., section 5). Columns are stored one after the other, so that the
/// threads of a block, which run along y, access consecutive elements. Kernels count rows from the bottom wall: their row n is
/// row (n + bottom) mod ny of the lattice. Without walls, `bottom` is 0 and rows wrap.
namespace d2q37 {

using namespace ladder::cuda;  // names used in kernels

/// A lattice [slot][frame + nx + frame][pitch]. A frame holds copies of the `frame` columns at the opposite end; without
/// frames, columns wrap.
template <int frame>
struct Columns {
  int nx, ny, pitch;  ///< columns, rows, elements from one column to the next
  int bottom;         ///< lattice row next to the bottom wall; 0 without walls
  bool walls;
  std::int64_t slot;  ///< elements from one slot to the next

  /// Index within a slot of the cell at column x and row n; each may exceed either end by up to three.
  [[nodiscard]] __device__ int at(int x, int n) const {
    const int column = frame > 0 ? frame + x : wrapped(x, nx);
    return column * pitch + wrapped(wrapped(n, ny) + bottom, ny);
  }
  [[nodiscard]] __device__ bool is_at_wall(int n) const { return walls && (n < Case::wall_rows || n >= ny - Case::wall_rows); }
};

/// Arguments of a phase: the lattices that it reads and writes.
template <class real, int frame>
struct Lattices {
  const real* from;
  real* to;
  Columns<frame> c;
};

/// This thread's cell; each block covers a piece of a column. Row n is ny or more if the thread has no cell.
struct ColumnCell {
  int x, n;
};
template <int frame>
__device__ ColumnCell own_cell(const Columns<frame>& c) {
  const unsigned pieces = (c.ny + blockDim.x - 1) / blockDim.x;
  return {static_cast<int>(blockIdx.x / pieces), static_cast<int>(blockIdx.x % pieces * blockDim.x + threadIdx.x)};
}

/// This thread's cell in the three rows at each wall: lattice row `y` is the n-th from the wall. Column x is nx or more if the
/// thread has no cell.
struct WallCell {
  int x, n, y;
  Wall wall;
};
template <int frame>
__device__ WallCell own_wall_cell(const Columns<frame>& c) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = thread % (2 * Case::wall_rows);
  const bool is_top = row >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? row - Case::wall_rows : row;
  return {thread / (2 * Case::wall_rows), n, wall.row(n, c.ny), wall};
}

constexpr int most_threads = 256;  // per block: collide may need more than 128 registers

/// Base of the solvers: a lattice of columns, and launches over it. A rung supplies the phases of a step.
template <class real, int frame>
class ColumnSolver : public lattice::cuda::Solver<Model, real>, public ladder::Phased {
  using Base = lattice::cuda::Solver<Model, real>;

 public:
  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = this->phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

 protected:
  ColumnSolver(const Case& c, const ladder::Tuning& tuning)
      : Base(lattice::numbered<std::int32_t>(c), lattice::cuda::row_block(tuning), strides(c)),
        columns_{
            c.nx, c.ny, static_cast<int>(this->strides_.x), std::max(c.bottom_row(), 0), c.bottom_row() >= 0, this->strides_.q},
        percent_(tuning.at("shared")) {}

  /// Applies the tuned split between shared memory and L1 cache to a kernel.
  template <class... Parameters>
  void split(void (*kernel)(Parameters...)) const {
    prefer_shared(kernel, percent_);
  }

  /// Arguments of a phase that reads f() and writes g().
  [[nodiscard]] Lattices<real, frame> forward() { return {this->f(), this->g(), columns_}; }

  const Columns<frame> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Launch over_cells_{this->device_, {columns_.nx * covering(rows(), this->block_).x, 1}, this->block_};
  const Launch over_walls_ =
      over(this->device_, {2 * Case::wall_rows * static_cast<std::size_t>(columns_.nx), 1}, this->block_);

 private:
  /// f[37][frame + nx + frame][pitch]: each column starts on a 128-byte line and occupies whole lines.
  static lattice::Strides strides(const Case& c) {
    constexpr int line = 128 / sizeof(real);
    const std::int64_t pitch = (std::int64_t{c.ny} + line - 1) / line * line, slot = (2 * frame + c.nx) * pitch;
    return {.origin = frame * pitch, .x = pitch, .y = 1, .z = slot, .q = slot};
  }
  [[nodiscard]] Shape rows() const { return {static_cast<std::size_t>(columns_.ny), 1}; }

  const int percent_;  ///< share of the combined shared memory and L1 cache that is shared memory
};

/// Base of solvers that stream and collide the rows between the walls in one kernel. Before it, separate kernels, each a phase
/// of the step, update the rows at the walls.
template <class real, int frame>
class FusedColumnSolver : public ColumnSolver<real, frame> {
 public:
  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all;
    for (const WallPhase& phase : at_walls_)
      all.push_back({phase.name, [this, &phase] {
                       if (this->columns_.walls) this->over_walls_(phase.kernel, this->forward(), this->relaxation_);
                     }});
    all.push_back({"bulk", [this] {
                     this->over_cells_(inner_rows_, this->forward(), this->relaxation_);
                     this->swap_lattices();
                   }});
    return all;
  }

 protected:
  using Kernel = void (*)(Lattices<real, frame>, Relaxation<real>);
  struct WallPhase {
    std::string_view name;
    Kernel kernel;
  };

  FusedColumnSolver(const Case& c, const ladder::Tuning& tuning, std::vector<WallPhase> at_walls, Kernel inner_rows)
      : ColumnSolver<real, frame>(without_reaction(c), tuning), at_walls_(std::move(at_walls)), inner_rows_(inner_rows) {
    this->split(inner_rows);
  }

 private:
  const std::vector<WallPhase> at_walls_;
  const Kernel inner_rows_;
};

/// Tunables for N_THREAD and the split between shared memory and L1 cache.
inline std::vector<ladder::Tunable> column_tunables() {
  return {
      lattice::cuda::threads_tunable(128, most_threads),
      {.name = "shared",
       .meaning = "percentage of the memory for shared memory and L1 cache that is used as shared memory; -1: CUDA's choice",
       .values = {-1, 0, 15, 25, 50, 75, 100},
       .initial = -1}};
}

}  // namespace d2q37
