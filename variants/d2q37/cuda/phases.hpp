#pragma once

#include <algorithm>
#include <vector>

#include "backends/cuda/box.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"

/// What the CUDA rungs of code version V1 share: the phases of Biferale et al., section 5, and their lattice. Columns lie one
/// after the other, so that the threads of a block, which run along y, access neighbouring numbers. Rows are counted from the
/// bottom wall: row n of a kernel is row (n + bottom) mod ny of the lattice. Without walls `bottom` is 0, and rows wrap.
namespace d2q37 {

using namespace ladder::cuda;  // names that kernels use

/// A lattice [slot][frame + nx + frame][pitch]. A frame holds copies of the `frame` columns at the other end of the lattice;
/// without frames columns wrap.
template <int frame>
struct Columns {
  int nx, ny, pitch;  ///< columns, rows, numbers from one column to the next
  int bottom;         ///< row of the lattice that lies on the bottom wall; 0 without walls
  bool walls;
  std::int64_t slot;  ///< numbers from one slot to the next

  /// Index in a slot of the cell of column x and row n, which may lie up to three beyond either end.
  [[nodiscard]] __device__ int at(int x, int n) const {
    const int column = frame > 0 ? frame + x : wrapped(x, nx);
    return column * pitch + wrapped(wrapped(n, ny) + bottom, ny);
  }
  [[nodiscard]] __device__ bool is_at_wall(int n) const { return walls && (n < Case::wall_rows || n >= ny - Case::wall_rows); }
};

/// What a phase reads and writes.
template <class real, int frame>
struct Lattices {
  const real* from;
  real* to;
  Columns<frame> c;
};

/// This thread's cell: blocks are pieces of a column. Row n is ny or more if the thread has no cell.
struct ColumnCell {
  int x, n;
};
template <int frame>
__device__ ColumnCell own_cell(const Columns<frame>& c) {
  const unsigned pieces = (c.ny + blockDim.x - 1) / blockDim.x;
  return {static_cast<int>(blockIdx.x / pieces), static_cast<int>(blockIdx.x % pieces * blockDim.x + threadIdx.x)};
}

constexpr int most_threads = 256;  // per block: collide may need more than 128 registers

/// Gathers the populations that arrive in each cell; rows wrap.
template <class real, int frame>
__global__ void __launch_bounds__(most_threads) stream_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = l.from[i * c.slot + c.at(x - d2q37_cx[i], n - d2q37_cy[i])];
}

/// Sets the three rows at each wall, one thread per cell of these rows: `from` is the lattice before streaming, `to` after it.
template <class real, int frame>
__global__ void __launch_bounds__(most_threads) bc_phase(Lattices<real, frame> l, Relaxation<real> relaxation) {
  const Columns<frame>& c = l.c;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int x = thread / (2 * Case::wall_rows), row = thread % (2 * Case::wall_rows);
  if (x >= c.nx) return;
  const bool is_top = row >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? row - Case::wall_rows : row;  // from the wall
  const int cell = c.at(x, wall.row(n, c.ny));
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = wall.turns(i, n) ? l.from[d2q37_opposite[i] * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))]
                            : l.to[i * c.slot + cell];
  d2q37_wall(f, relaxation.wall_speed, is_top ? relaxation.wall_theta[1] : relaxation.wall_theta[0]);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

/// The gas as a reaction needs it, a lattice of three slots: the velocity along x and y, in cells per step, and the temperature
/// above s (collide.h).
template <class real, int frame>
__global__ void __launch_bounds__(most_threads) gas_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
  real density = 0, momentum_x = 0, momentum_y = 0, energy = 0;
#pragma unroll
  for (int i = q - 1; i >= 0; --i) {
    const real f = l.from[i * c.slot + cell];
    density += f;
    momentum_x += d2q37_cx[i] * f;
    momentum_y += d2q37_cy[i] * f;
    energy += (d2q37_cx[i] * d2q37_cx[i] + d2q37_cy[i] * d2q37_cy[i]) * f;
  }
  const real u = momentum_x / density, v = momentum_y / density;
  l.to[cell] = u;
  l.to[c.slot + cell] = v;
  l.to[2 * c.slot + cell] = (energy / density - u * u - v * v) / 2 - static_cast<real>(D2Q37_S);
}

/// What heats the gas.
template <class real, int frame>
struct Heat {
  const real* gas;  ///< of gas_phase()
  Reaction<real> reaction;
  bool burns;
  real per_heat;  ///< what a heat of 1 per step adds to the argument `warm` of the collision

  /// What the reaction in the cell of column x and row n adds to `warm`.
  __device__ real operator()(const Columns<frame>& c, int x, int n) const {
    if (!burns || c.is_at_wall(n)) return 0;
    const real *const u = gas, *const v = gas + c.slot, *const theta = gas + 2 * c.slot;
    const real divergence = (u[c.at(x + 1, n)] - u[c.at(x - 1, n)] + v[c.at(x, n + 1)] - v[c.at(x, n - 1)]) / 2;
    return per_heat * reaction.heat(1 + theta[c.at(x, n)] * static_cast<real>(1 / D2Q37_S), divergence);
  }
};

/// Coefficients of the projection and of the expansion, for moments as in collide.h.
template <class real>
struct Projection {
  real project[moments][q], expand[q][moments];
};
template <class real>
Projection<real> projection() {
  Projection<real> tables;
  for (int k = 0; k < moments; ++k) {
    double factor = 1;  // a moment in the units of textbook.hpp over the same in cells and steps
    for (int n = 0; n < degrees(k).a + degrees(k).b; ++n)
      factor *= D2Q37_R;
    for (int i = 0; i < q; ++i) {
      tables.project[k][i] = static_cast<real>(coefficients.project[k][i] / factor);
      tables.expand[i][k] = static_cast<real>(coefficients.expand[i][k] * factor);
    }
  }
  return tables;
}

/// Base of the solvers: the phases of a step. A rung adds collide(), which reads g() and writes f().
template <class real, int frame>
class PhaseSolver : public lattice::cuda::Solver<Model, real>, public ladder::Phased {
  using Base = lattice::cuda::Solver<Model, real>;

 public:
  void advance(std::int64_t steps) override {
    const std::vector<ladder::Phase> all = phases();
    for (std::int64_t step = 0; step < steps; ++step)
      for (const ladder::Phase& phase : all)
        phase.run();
  }

  std::vector<ladder::Phase> phases() override {
    const bool copies = frame > 0, burns = this->case_.is_reactive();
    std::vector<ladder::Phase> all;
    if (copies) all.push_back({"comm", [this] { comm(this->f(), q); }});
    all.push_back({"stream", [this] { stream(); }});
    all.push_back({"bc", [this] { bc(); }});
    if (burns) all.push_back({"gas", [this] { gas(); }});
    if (burns && copies) all.push_back({"comm2", [this] { comm(gas_.data(), 2); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 protected:
  PhaseSolver(const Case& c, const ladder::Tuning& tuning)
      : Base(lattice::numbered<std::int32_t>(c), lattice::cuda::row_block(tuning), strides(c)),
        columns_{
            c.nx, c.ny, static_cast<int>(this->strides_.x), std::max(c.bottom_row(), 0), c.bottom_row() >= 0, this->strides_.q},
        gas_(this->device_, c.is_reactive() ? 3 * static_cast<std::size_t>(columns_.slot) : 1),
        percent_(tuning.at("shared")) {
    split(stream_phase<real, frame>);
  }

  /// Splits the memory for shared memory and L1 cache for a kernel as tuned.
  template <class... Parameters>
  void split(void (*kernel)(Parameters...)) const {
    prefer_shared(kernel, percent_);
  }

  virtual void collide() = 0;

  /// Arguments of the collision.
  [[nodiscard]] Lattices<real, frame> collision() { return {this->g(), this->f(), columns_}; }
  [[nodiscard]] Heat<real, frame> heat() const {
    return {gas_.data(), this->case_.template reaction<real>(), this->case_.is_reactive(),
            static_cast<real>(this->case_.tau / (D2Q37_R * D2Q37_R))};
  }

  const Columns<frame> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Launch over_cells_{this->device_, {columns_.nx * covering(rows(), this->block_).x, 1}, this->block_};

 private:
  /// Copies the columns at both ends of the first `slots` slots of a lattice to its frames.
  void comm(real* lattice, int slots) {
    const auto copy = [&](int from, int to) {
      const std::size_t apart = static_cast<std::size_t>(columns_.slot) * sizeof(real);
      const std::size_t width = sizeof(real) * frame * static_cast<std::size_t>(columns_.pitch);
      const auto column = [&](int x) { return lattice + static_cast<std::int64_t>(x) * columns_.pitch; };
      LADDER_CUDA(cudaMemcpy2DAsync(column(to), apart, column(from), apart, width, static_cast<std::size_t>(slots),
                                    cudaMemcpyDeviceToDevice, this->device_.stream()));
    };
    copy(columns_.nx, 0);
    copy(frame, frame + columns_.nx);
  }

  /// Streams f() to g().
  void stream() { over_cells_(stream_phase<real, frame>, {this->f(), this->g(), columns_}); }
  /// Sets the rows at the walls in g(), if there are walls.
  void bc() {
    if (columns_.walls) over_walls_(bc_phase<real, frame>, {this->f(), this->g(), columns_}, relaxation_);
  }
  /// Computes the gas from g().
  void gas() { over_cells_(gas_phase<real, frame>, {this->g(), gas_.data(), columns_}); }

  /// f[37][frame + nx + frame][pitch]: columns start at and hold whole lines.
  static lattice::Strides strides(const Case& c) {
    constexpr int line = 128 / sizeof(real);
    const std::int64_t pitch = (std::int64_t{c.ny} + line - 1) / line * line, slot = (2 * frame + c.nx) * pitch;
    return {.origin = frame * pitch, .x = pitch, .y = 1, .z = slot, .q = slot};
  }
  [[nodiscard]] Shape rows() const { return {static_cast<std::size_t>(columns_.ny), 1}; }

  Buffer<real> gas_;
  const Launch over_walls_ =
      over(this->device_, {2 * Case::wall_rows * static_cast<std::size_t>(columns_.nx), 1}, this->block_);
  const int percent_;  ///< of the memory for shared memory and L1 cache that shared memory takes
};

/// Traffic of an update: stream and collide read and write 37 numbers each, comm the frames, bc the rows at the walls. A
/// reaction reads 37 numbers and the gas, and writes the gas and two numbers of its frames.
inline std::vector<ladder::Traffic> phase_traffic(double real, const Case& c, int frame) {
  const double copied = 2.0 * frame / c.nx, walls = c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0;
  const double moved = (2 + copied + walls) * 37, burning = 3 + 2 * copied;
  if (!c.is_reactive()) return {{moved * real, moved * real}};
  return {{(moved + 37 + burning) * real, (moved + burning) * real}};
}

/// N_THREAD and the split of the memory for shared memory and L1 cache, as tunables.
inline std::vector<ladder::Tunable> phase_tunables() {
  return {lattice::cuda::threads_tunable(128, most_threads),
          {.name = "shared",
           .meaning = "percent of the memory for shared memory and L1 cache that shared memory takes; -1: as CUDA decides",
           .values = {-1, 0, 15, 25, 50, 75, 100},
           .initial = -1}};
}

}  // namespace d2q37
