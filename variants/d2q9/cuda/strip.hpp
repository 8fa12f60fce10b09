#pragma once

#include <algorithm>
#include <string>

#include "variants/d2q9/cuda/solver.hpp"

/// What the rungs share whose blocks keep strips of rows on the chip over many steps, in place (AA pattern). In an even step
/// each population lies in its own place and is fetched from the neighbour; in an odd one (`local`) it lies in the cell that it
/// moves to, in the place of the opposite direction. What crosses an edge of a strip goes through halos.
namespace d2q9 {

/// Threads of a block at most: as many as leave each the registers that an update needs.
template <class real>
constexpr int most_threads = sizeof(real) == 4 ? 1024 : 512;

__device__ constexpr int reversed[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__device__ constexpr int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__device__ constexpr int step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__device__ constexpr int northward[3] = {2, 5, 6};
__device__ constexpr int southward[3] = {4, 7, 8};

/// Where population i of cell (x, y) lies in global memory, f[9][y][x].
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return (static_cast<std::size_t>(i) * c.ny + y) * c.nx + x;
}

/// A cell of a strip, and the columns beside it.
struct Cell {
  int x, y, west, east;

  __device__ Cell(int x_, int y_, int nx) : x(x_), y(y_), west(x > 0 ? x - 1 : nx - 1), east(x < nx - 1 ? x + 1 : 0) {}
  /// The column that direction i leads to.
  __device__ int to(int i) const { return step_x[i] == 0 ? x : step_x[i] > 0 ? east : west; }
};

/// The rows that an update of a cell touches: all in shared memory, all in global memory, or any and those beyond an edge.
enum class Rows { shared, global, any };

/// A strip of whole rows. `Memory` says where its numbers are: `nx`, `rows` and at<Rows>(i, x, y).
template <class Memory>
struct Strip : Memory {
  /// Whether direction i leads from row y out of the strip.
  __device__ bool leaves(int i, int y) const { return (step_y[i] > 0 && y == this->rows - 1) || (step_y[i] < 0 && y == 0); }

  /// The place of the population that moves into a cell in direction i: in the neighbour, or in the cell itself in an odd step
  /// and if it came over an edge. What leaves in direction i goes to the place of reversed[i], which no other thread touches.
  template <bool local, Rows where>
  __device__ auto& place(int i, Cell c) const {
    if (local || (where == Rows::any && leaves(reversed[i], c.y))) return this->template at<where>(reversed[i], c.x, c.y);
    return this->template at<where>(i, c.to(reversed[i]), c.y - step_y[i]);
  }

  /// Moves each population that an even step left to its own place.
  __device__ void settle(Cell c) const {
    for (const int i : {1, 2, 5, 6})
      if (!leaves(i, c.y)) {
        auto& here = this->template at<Rows::any>(i, c.x, c.y);
        auto& there = this->template at<Rows::any>(reversed[i], c.to(i), c.y + step_y[i]);
        const auto value = here;
        here = there;
        there = value;
      }
  }
};

/// Rows in shared memory, f[9][rows][nx].
template <class real>
struct SharedRows {
  real* f;
  int nx, rows;

  template <Rows>
  __device__ real& at(int i, int x, int y) const {
    return f[(i * rows + y) * nx + x];
  }
};

/// Loads and stores of global memory that other multiprocessors write and read: past the cache of this one.
struct ThroughL2 {
  template <class real>
  static __device__ real load(const real* from) {
    return __ldcg(from);
  }
  template <class real>
  static __device__ void store(real* to, real value) {
    __stcg(to, value);
  }
};

/// Those of shared memory, of any block of a cluster.
struct Direct {
  template <class real>
  static __device__ real load(const real* from) {
    return *from;
  }
  template <class real>
  static __device__ void store(real* to, real value) {
    *to = value;
  }
};

/// The halos of a strip, [3][nx]: where what comes over the southern and the northern edge is fetched from, and where what
/// leaves goes to.
template <class real, class Access = ThroughL2>
struct Halos {
  const real *from_south, *from_north;
  real *to_south, *to_north;

  /// Sends what leaves the cell of an edge row.
  template <class Strip>
  __device__ void send(const real* s, const Strip& strip, Cell c) const {
    for (int k = 0; k < 3; ++k) {
      if (c.y == 0) Access::store(to_south + k * strip.nx + c.x, s[southward[k]]);
      if (c.y == strip.rows - 1) Access::store(to_north + k * strip.nx + c.x, s[northward[k]]);
    }
  }

  /// Puts what comes over the edges where the cells of the edge rows look for it.
  template <class Strip>
  __device__ void receive(const Strip& strip) const {
    for (int x = threadIdx.x; x < strip.nx; x += blockDim.x) {
      const Cell c(x, 0, strip.nx);
      real south[3], north[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        south[k] = Access::load(from_south + k * strip.nx + c.to(reversed[northward[k]]));
        north[k] = Access::load(from_north + k * strip.nx + c.to(reversed[southward[k]]));
      }
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        strip.template at<Rows::any>(reversed[northward[k]], x, 0) = south[k];
        strip.template at<Rows::any>(reversed[southward[k]], x, strip.rows - 1) = north[k];
      }
    }
  }
};

/// Halos in global memory, [2][strip][2][3][nx]: by parity of the step, what leaves a strip to the south (side 0) and north
/// (1). A block writes those of one parity while its neighbours read those of the other.
template <class real>
struct Exchange {
  real* halos;

  __device__ static int south() { return blockIdx.x > 0 ? blockIdx.x - 1 : gridDim.x - 1; }
  __device__ static int north() { return blockIdx.x < gridDim.x - 1 ? blockIdx.x + 1 : 0; }
  __device__ real* halo(int parity, int strip, int side, int nx) const {
    return halos + (((static_cast<std::size_t>(parity) * gridDim.x + strip) * 2 + side) * 3) * nx;
  }
  /// Those that this block reads and writes in a step.
  __device__ Halos<real> of(int step, int nx) const {
    return {halo(step % 2, south(), 1, nx), halo(step % 2, north(), 0, nx), halo((step + 1) % 2, blockIdx.x, 0, nx),
            halo((step + 1) % 2, blockIdx.x, 1, nx)};
  }
};

/// The cells of a strip that a thread works on, always the same: call(k, cell) for the k-th of them.
template <class Call>
__device__ void for_own_cells(int nx, int rows, Call&& call) {
  const int dx = blockDim.x % nx, dy = blockDim.x / nx;
  int x = threadIdx.x % nx, y = threadIdx.x / nx;
#pragma unroll 1
  for (int k = 0; y < rows; ++k) {
    call(k, Cell(x, y, nx));
    x += dx;
    y += dy;
    if (x >= nx) {
      x -= nx;
      ++y;
    }
  }
}

/// Reads a strip from row `first` on and sends its halos, as after an odd step before the first. Bit k of what it returns marks
/// this thread's k-th cell as an obstacle.
template <class Strip, class Halos, class real>
__device__ unsigned load(const Strip& strip, const Halos& halos, const real* f, int first, const Problem<real>& c) {
  unsigned solid = 0;
  for_own_cells(c.nx, strip.rows, [&](int k, Cell cell) {
    if (c.solid[at(0, cell.x, first + cell.y, c)]) solid |= 1u << k;
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      strip.template at<Rows::shared>(i, cell.x, cell.y) = s[i] = f[at(i, cell.x, first + cell.y, c)];
    halos.send(s, strip, cell);
  });
  return solid;
}

/// Writes the strip back after so many steps, each population to its own place: its first `kept` rows, which shared memory
/// holds.
template <class Strip, class real>
__device__ void store(const Strip& strip, int kept, int steps, real* f, int first, const Problem<real>& c) {
  if (steps % 2 != 0) {
    for_own_cells(c.nx, strip.rows, [&](int, Cell cell) { strip.settle(cell); });
    __syncthreads();
  }
  for_own_cells(c.nx, kept, [&](int, Cell cell) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[at(i, cell.x, first + cell.y, c)] = strip.template at<Rows::shared>(i, cell.x, cell.y);
  });
}

/// Advances a cell of a strip by one step and returns its |u|, 0 if it is solid; a `driven` cell is accelerated for the next
/// step.
template <bool local, Rows where, class Strip, class Halos, class real>
__device__ real update(const Strip& strip, const Halos& halos, Cell cell, bool fluid, bool driven, const Problem<real>& c) {
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = strip.template place<local, where>(i, cell);
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const bool drive = driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    strip.template place<local, where>(reversed[i], cell) = s[i];
  if (where == Rows::any) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip by one step. Bit k of `solid` marks this thread's k-th cell as an obstacle; `driven` is the row to
/// accelerate. Returns the sum of |u| over the cells of this thread.
template <bool local, class Strip, class Halos, class real>
__device__ real sweep(const Strip& strip, const Halos& halos, unsigned solid, int driven, const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    const bool fluid = (solid >> k & 1) == 0;
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    speed += edge ? update<local, Rows::any>(strip, halos, cell, fluid, cell.y == driven, c)
                  : update<local, Rows::shared>(strip, halos, cell, fluid, cell.y == driven, c);
  });
  return speed;
}

/// The rows of a strip, as a tunable.
inline ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows of a strip, which one multiprocessor keeps; 0: as few as spread the grid over all multiprocessors",
          .values = {0, 1, 2, 4, 8, 16, 32},
          .initial = 0};
}

/// Base of the solvers whose blocks keep one strip of rows each.
template <class real>
class StripSolver : public CudaSolver<real> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) { queue(count, more); });
  }
  std::span<const double> history() override { return speeds_.history(); }

 protected:
  /// Strips of as many rows as the tunable `rows` says; the last may have fewer.
  StripSolver(const Case& c, const ladder::Tuning& tuning) : StripSolver(c, 0, tuning.at("rows")) {
    this->device().require_cooperative_launch();
  }
  /// So many strips, which differ by one row at most.
  StripSolver(const Case& c, std::size_t strips) : StripSolver(c, strips, 0) {}

  /// Queues so many steps; if there are `more` to come, the last one accelerates for them.
  virtual void queue(int steps, bool more) = 0;

  static constexpr std::size_t for_sums = 1024;  ///< bytes of shared memory for sums, and what CUDA keeps for itself

  [[nodiscard]] std::size_t rows() const { return rows_; }  ///< of the largest strip
  [[nodiscard]] std::size_t cells() const { return rows_ * this->grid().x; }
  [[nodiscard]] std::size_t strips() const { return strips_; }
  /// Whole warps, one thread per cell as far as a block has them.
  [[nodiscard]] std::size_t threads() const { return std::min<std::size_t>((cells() + 31) / 32 * 32, most_threads<real>); }
  [[nodiscard]] ladder::cuda::Launch over_strips(std::size_t shared) const {
    return {this->device(), {strips_, 1}, {threads(), 1}, shared};
  }
  /// Strips that run at the same time. @throws ladder::InputError if a block does not fit
  template <class Kernel>
  [[nodiscard]] std::size_t resident_strips(Kernel kernel, std::size_t shared) const {
    return static_cast<std::size_t>(resident_blocks(this->device(), kernel, {threads(), 1}, shared)) *
           static_cast<std::size_t>(this->device().multiprocessors());
  }

 private:
  /// `strips` strips, or as many as there are of `named` rows; 0: as few rows as spread the grid over all multiprocessors.
  StripSolver(const Case& c, std::size_t strips, int named)
      : CudaSolver<real>(c, {128, 1}, structure_of_arrays(c), 1),
        rows_(named > 0 ? std::min(static_cast<std::size_t>(named), this->grid().y)
                        : parts(strips > 0 ? strips : static_cast<std::size_t>(this->device().multiprocessors()))),
        strips_(strips > 0 ? strips : parts(rows_)) {}

  /// Rows of the grid over `by`, rounded up.
  [[nodiscard]] std::size_t parts(std::size_t by) const { return (this->grid().y + by - 1) / by; }

  const std::size_t rows_;
  const std::size_t strips_;

 protected:
  DeferredSums<real> speeds_{this->device(), {strips_, 1}, this->fluid_cells()};
};

}  // namespace d2q9
