// Idea:    rows of a strip that shared memory has no room for stay in global memory, that is in the L2 cache where they fit
// Layout:  in place (AA pattern), f[9][kept][x] in shared memory, the other rows in f[9][y][x]; halos[2][strip][2][3][x]
// Traffic: 9 numbers read, 9 written: of shared memory for the rows kept there, else of global memory, with a flag in any case
// Source:  W. Zhou et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", ICS 2023
// Bound:   instructions while half a lattice or so fits on the chip; bandwidth of the L2 cache, then of memory
#include <algorithm>
#include <cuda/atomic>
#include <string>

#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

/// Threads of a block at most: as many as leave each the registers that an update needs.
template <class real>
constexpr int most_threads = sizeof(real) == 4 ? 1024 : 512;

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int nx, int ny) { return (static_cast<std::size_t>(i) * ny + y) * nx + x; }

/// Drives the row ny - 2, a thread a cell.
template <class real>
__global__ void accelerate(real* f, Problem<real> c) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c.nx, c.ny)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx, c.ny)] = s[i];
}

/// Sum of `value` over a warp of `lanes` threads, a power of two, for its first thread.
template <class real>
__device__ real warp_sum(real value, int lanes = 32) {
  const unsigned all = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
  for (int half = lanes / 2; half > 0; half /= 2)
    value += __shfl_down_sync(all, value, half, lanes);
  return value;
}

/// Directions turned round, velocities, and directions by where they lead.
__device__ constexpr int turned[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__device__ constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__device__ constexpr int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__device__ constexpr int northward[3] = {2, 5, 6};
__device__ constexpr int southward[3] = {4, 7, 8};

/// A cell of a strip, and the columns beside it.
struct Cell {
  int x, y, west, east;

  /// The column that direction i leads to.
  __device__ int to(int i) const { return cx[i] == 0 ? x : cx[i] > 0 ? east : west; }
};

/// Where the rows are that an update of a cell may touch.
enum class Rows { shared, global, any };

/// A strip of whole rows: the first `kept` of them in shared memory, f[9][kept][nx], the others from row `first` on in global
/// memory, g[9][ny][nx].
template <class real>
struct Strip {
  real *f, *g;
  int nx, ny, first, rows, kept;

  template <Rows where = Rows::any>
  __device__ real& at(int i, int x, int y) const {
    if (where == Rows::shared) return f[(i * kept + y) * nx + x];
    if (where == Rows::global) return g[d2q9::at(i, x, first + y, nx, ny)];
    real* const row = y < kept ? f + y * nx : g + static_cast<std::size_t>(first + y) * nx;
    const std::size_t plane = static_cast<std::size_t>(y < kept ? kept : ny) * nx;
    return row[i * plane + x];
  }
  /// Whether direction i leads from row y out of the strip.
  __device__ bool leaves(int i, int y) const { return (cy[i] > 0 && y == rows - 1) || (cy[i] < 0 && y == 0); }

  /// The place of the population that moves into a cell by direction i. In an odd step (`local`) it lies in the cell already,
  /// in the place of the opposite direction; in an even one in its own place in the neighbour, unless it came over an edge.
  /// What leaves by direction i goes to the place of direction turned[i], which this thread has read, and no other.
  template <bool local, Rows where>
  __device__ real& place(int i, Cell c) const {
    if (local || (where == Rows::any && leaves(turned[i], c.y))) return at<where>(turned[i], c.x, c.y);
    return at<where>(i, c.to(turned[i]), c.y - cy[i]);
  }

  /// Turns what an even step left into what an odd one leaves, each population in its own place.
  __device__ void settle(Cell c) const {
    for (const int i : {1, 2, 5, 6})
      if (!leaves(i, c.y)) {
        real& here = at(i, c.x, c.y);
        real& there = at(turned[i], c.to(i), c.y + cy[i]);
        const real value = here;
        here = there;
        there = value;
      }
  }
};

/// What crosses the edges of a strip, [3][nx] in global memory: where what comes over the southern and the northern edge is
/// fetched from, and where what leaves goes.
template <class real>
struct Halos {
  const real *from_south, *from_north;
  real *to_south, *to_north;

  /// Sends what leaves the cell of an edge row, past the cache of this multiprocessor.
  __device__ void send(const real* s, const Strip<real>& strip, Cell c) const {
    for (int k = 0; k < 3; ++k) {
      if (c.y == 0) __stcg(to_south + k * strip.nx + c.x, s[southward[k]]);
      if (c.y == strip.rows - 1) __stcg(to_north + k * strip.nx + c.x, s[northward[k]]);
    }
  }

  /// Puts what comes over the edges where the cells of the edge rows look for it.
  __device__ void receive(const Strip<real>& strip) const {
    for (int x = threadIdx.x; x < strip.nx; x += blockDim.x) {
      const Cell c{x, 0, x > 0 ? x - 1 : strip.nx - 1, x < strip.nx - 1 ? x + 1 : 0};
      real south[3], north[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        south[k] = __ldcg(from_south + k * strip.nx + c.to(turned[northward[k]]));
        north[k] = __ldcg(from_north + k * strip.nx + c.to(turned[southward[k]]));
      }
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        strip.at(turned[northward[k]], x, 0) = south[k];
        strip.at(turned[southward[k]], x, strip.rows - 1) = north[k];
      }
    }
  }
};

/// The cells of a strip that a thread works on: call(cell) for each of them. Every other warp goes through them from the last
/// to the first, so that some wait for the L2 cache while others work in shared memory.
template <class Call>
__device__ void for_own_cells(int nx, int rows, Call&& call) {
  const int threads = blockDim.x;
  const int thread = threadIdx.x;
  const int count = (nx * rows - thread + threads - 1) / threads;
  const bool backward = thread / 32 % 2 != 0;
  const int begin = backward ? thread + (count - 1) * threads : thread;
  // A step back by (dx, dy) is one forward by (nx - dx, -dy - 1), carried over into the row after.
  const int dx = backward ? nx - threads % nx : threads % nx;
  const int dy = backward ? -(threads / nx) - 1 : threads / nx;
  int x = begin % nx, y = begin / nx;
#pragma unroll 1
  for (int left = count; left > 0; --left) {
    call(Cell{x, y, x > 0 ? x - 1 : nx - 1, x < nx - 1 ? x + 1 : 0});
    x += dx;
    y += dy;
    if (x >= nx) {
      x -= nx;
      ++y;
    }
  }
}

/// Advances a cell of a strip by one step and returns its |u|, 0 where solid. It is driven for the step to come where `driven`.
template <bool local, Rows where, class real>
__device__ real update(const Strip<real>& strip, const Halos<real>& halos, Cell cell, bool fluid, bool driven,
                       const Problem<real>& c) {
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
    strip.template place<local, where>(turned[i], cell) = s[i];
  if (where == Rows::any) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip, whose flags are solid[y][nx]; the row `driven` is driven. Returns the sum of |u| over the cells of this
/// thread.
template <bool local, class real>
__device__ real sweep(const Strip<real>& strip, const Halos<real>& halos, const std::uint8_t* solid, int driven,
                      const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](Cell cell) {
    const bool fluid = !__ldg(solid + static_cast<std::size_t>(cell.y) * strip.nx + cell.x);
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    const bool drive = cell.y == driven;
    if (!edge && cell.y + 1 < strip.kept)
      speed += update<local, Rows::shared>(strip, halos, cell, fluid, drive, c);
    else if (!edge && cell.y - 1 >= strip.kept)
      speed += update<local, Rows::global>(strip, halos, cell, fluid, drive, c);
    else
      speed += update<local, Rows::any>(strip, halos, cell, fluid, drive, c);
  });
  return speed;
}

/// What blocks tell each other, in global memory.
template <class real>
struct Exchange {
  real* halos;      ///< [2][strip][2][3][nx]: by parity of the step, what leaves a strip to the south (side 0) and north (1)
  unsigned* flags;  ///< [strip * apart]: how often a strip's halos were written, one sector each
  static constexpr int apart = 8;

  __device__ real* halo(int parity, int strip, int side, int nx) const {
    return halos + (((static_cast<std::size_t>(parity) * gridDim.x + strip) * 2 + side) * 3) * nx;
  }
  __device__ cuda::atomic_ref<unsigned, cuda::thread_scope_device> written(int strip) const {
    return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(flags[strip * apart]);
  }
};

/// Advances f by `steps` steps; speeds[step][block] = sum of |u| over the fluid cells of a strip of `rows` rows (the last may
/// have fewer), of which `kept` are in shared memory. Every step but the last drives the row ny - 2 for the step to come, and
/// the last where there is `more` to come.
///
/// A block writes what leaves its strip to one of two halos by turns, and counts that in its flag; it starts a step when both
/// neighbours have counted as far. So a halo that it writes was read: a neighbour counts step t after it read those of step t
/// - 1.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1)
    timesteps(real* f, Exchange<real> exchange, real* speeds, int steps, bool more, int rows, int kept, Problem<real> c) {
  extern __shared__ double room[];
  __shared__ real sums[32];
  const int block = blockIdx.x;
  const int south = block > 0 ? block - 1 : gridDim.x - 1;
  const int north = block < static_cast<int>(gridDim.x) - 1 ? block + 1 : 0;
  const int first = block * rows;
  rows = min(rows, c.ny - first);
  const Strip<real> strip{reinterpret_cast<real*>(room), f, c.nx, c.ny, first, rows, min(kept, rows)};
  const std::uint8_t* const solid = c.solid + static_cast<std::size_t>(first) * c.nx;
  const auto halos_of = [&](int step) {
    return Halos<real>{exchange.halo(step % 2, south, 1, c.nx), exchange.halo(step % 2, north, 0, c.nx),
                       exchange.halo((step + 1) % 2, block, 0, c.nx), exchange.halo((step + 1) % 2, block, 1, c.nx)};
  };

  // As after an odd step before the first.
  for_own_cells(c.nx, strip.rows, [&](Cell cell) {
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      s[i] = f[at(i, cell.x, first + cell.y, c.nx, c.ny)];
      if (cell.y < strip.kept) strip.at(i, cell.x, cell.y) = s[i];
    }
    halos_of(1).send(s, strip, cell);
  });
  __syncthreads();
  if (threadIdx.x == 0) exchange.written(block).store(1, cuda::memory_order_release);

  for (int step = 0; step < steps; ++step) {
    if (threadIdx.x < 2)
      while (exchange.written(threadIdx.x == 0 ? south : north).load(cuda::memory_order_acquire) < step + 1u) {
      }
    __syncthreads();
    const Halos<real> halos = halos_of(step);
    halos.receive(strip);
    __syncthreads();
    const int driven = step + 1 < steps || more ? c.ny - 2 - first : -1;
    real speed = step % 2 == 0 ? sweep<false>(strip, halos, solid, driven, c) : sweep<true>(strip, halos, solid, driven, c);
    speed = warp_sum(speed);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = speed;
    __syncthreads();
    if (threadIdx.x == 0) exchange.written(block).store(step + 2u, cuda::memory_order_release);
    if (threadIdx.x < 32) {
      const real sum = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : real{0});
      if (threadIdx.x == 0) speeds[static_cast<std::size_t>(step) * gridDim.x + block] = sum;
    }
  }

  if (steps % 2 != 0) {
    for_own_cells(c.nx, strip.rows, [&](Cell cell) { strip.settle(cell); });
    __syncthreads();
  }
  for_own_cells(c.nx, strip.kept, [&](Cell cell) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[at(i, cell.x, first + cell.y, c.nx, c.ny)] = strip.at(i, cell.x, cell.y);
  });
}

/// The rows of a strip, as a tunable.
ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows of a strip, which one multiprocessor keeps; 0: as few as spread the grid over all multiprocessors",
          .values = {0, 1, 2, 4, 8, 16, 32},
          .initial = 0};
}

template <class real>
class Overflow final : public Solver {
 public:
  Overflow(const Case& c, const ladder::Tuning& tuning)
      : on_(c, {128, 1}, 0, 1), rows_(rows(tuning.at("rows"))), strips_{covering(on_.grid, {on_.grid.x, rows_}).y, 1} {
    require_that_it_fits();
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem());
    while (steps > 0) {
      const auto now = static_cast<int>(std::min<std::int64_t>(steps, static_cast<std::int64_t>(speeds_.left())));
      steps -= now;
      flags_.zero();
      const ladder::cuda::Launch all{on_.device, strips_, {threads(), 1}, shared()};
      all.together(timesteps<real>, f_.data(), {halos_.data(), flags_.data()}, speeds_.next(), now, steps > 0,
                   static_cast<int>(rows_), static_cast<int>(kept_), on_.problem());
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  /// The rows that the tuning names, at most the grid's; for 0, those that each multiprocessor gets where all have a strip.
  [[nodiscard]] std::size_t rows(int named) const {
    const auto all = static_cast<std::size_t>(on_.device.multiprocessors());
    return named > 0 ? std::min(static_cast<std::size_t>(named), on_.grid.y) : (on_.grid.y + all - 1) / all;
  }
  [[nodiscard]] std::size_t cells() const { return rows_ * on_.grid.x; }
  [[nodiscard]] std::size_t row_bytes() const { return on_.grid.x * 9 * sizeof(real); }
  [[nodiscard]] std::size_t shared() const { return kept_ * row_bytes(); }
  /// As many rows as there is room for beside the sums.
  [[nodiscard]] std::size_t kept() const { return std::min(rows_, (on_.device.shared_memory() - 1024) / row_bytes()); }
  /// Whole warps, a thread a cell as far as a block has them.
  [[nodiscard]] std::size_t threads() const { return std::min<std::size_t>((cells() + 31) / 32 * 32, most_threads<real>); }

  void require_that_it_fits() const {
    on_.device.require_cooperative_launch();
    const auto resident = static_cast<std::size_t>(resident_blocks(on_.device, timesteps<real>, {threads(), 1}, shared())) *
                          static_cast<std::size_t>(on_.device.multiprocessors());
    if (strips_.x > resident)
      throw ladder::Refused(ladder::Reason::device_limit, std::to_string(on_.grid.y) + " rows in strips of " + std::to_string(rows_) + ": " +
                               on_.device.name() + " accepts up to " + std::to_string(resident) + " strips");
  }

  const DeviceCase<real> on_;
  const std::size_t rows_;
  const std::size_t kept_ = kept();
  const Shape strips_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> halos_{on_.device, 2 * strips_.x * 2 * 3 * on_.grid.x};
  ladder::cuda::Buffer<unsigned> flags_{on_.device, strips_.x* Exchange<real>::apart};
  DeferredSums<real> speeds_{on_, strips_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/14_neighbours",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::rows_tunable()},
    .make = ladder::make_solver<d2q9::Overflow, d2q9::Model>,
};
