// Idea:    one cluster of blocks: what crosses a strip's edge is written into the shared memory of the neighbour's block
// Layout:  in place (AA pattern), f[9][rows][x] and halos[2][2][3][x] in shared memory; f[9][y][x] in global memory
// Traffic: of shared memory: 9 numbers read, 9 written; of a neighbour's: 6 numbers a cell of a strip's edge rows, each way
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   shared memory and arithmetic of sixteen multiprocessors; on small grids the cluster's barrier
#include <cooperative_groups.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real, 9 * real}; }

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

/// A strip of whole rows in shared memory, f[9][rows][nx].
template <class real>
struct Strip {
  real* f;
  int nx, rows;

  __device__ real& at(int i, int x, int y) const { return f[(i * rows + y) * nx + x]; }
  /// Whether direction i leads from row y out of the strip.
  __device__ bool leaves(int i, int y) const { return (cy[i] > 0 && y == rows - 1) || (cy[i] < 0 && y == 0); }

  /// The place of the population that moves into a cell by direction i. In an odd step (`local`) it lies in the cell already,
  /// in the place of the opposite direction; in an even one in its own place in the neighbour, unless it came over an edge.
  /// What leaves by direction i goes to the place of direction turned[i], which this thread has read, and no other.
  template <bool local, bool edge>
  __device__ real& place(int i, Cell c) const {
    if (local || (edge && leaves(turned[i], c.y))) return at(turned[i], c.x, c.y);
    return at(i, c.to(turned[i]), c.y - cy[i]);
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

/// What crosses the edges of a strip, [3][nx] in shared memory: where what comes over the southern and the northern edge is
/// fetched from, and where what leaves goes, in the neighbours' blocks.
template <class real>
struct Halos {
  const real *from_south, *from_north;
  real *to_south, *to_north;

  /// Sends what leaves the cell of an edge row.
  __device__ void send(const real* s, const Strip<real>& strip, Cell c) const {
    for (int k = 0; k < 3; ++k) {
      if (c.y == 0) to_south[k * strip.nx + c.x] = s[southward[k]];
      if (c.y == strip.rows - 1) to_north[k * strip.nx + c.x] = s[northward[k]];
    }
  }

  /// Puts what comes over the edges where the cells of the edge rows look for it.
  __device__ void receive(const Strip<real>& strip) const {
    for (int x = threadIdx.x; x < strip.nx; x += blockDim.x) {
      const Cell c{x, 0, x > 0 ? x - 1 : strip.nx - 1, x < strip.nx - 1 ? x + 1 : 0};
      real south[3], north[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        south[k] = from_south[k * strip.nx + c.to(turned[northward[k]])];
        north[k] = from_north[k * strip.nx + c.to(turned[southward[k]])];
      }
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        strip.at(turned[northward[k]], x, 0) = south[k];
        strip.at(turned[southward[k]], x, strip.rows - 1) = north[k];
      }
    }
  }
};

/// The cells of a strip that a thread works on, always the same: call(k, cell) for the k-th of them.
template <class Call>
__device__ void for_own_cells(int nx, int rows, Call&& call) {
  const int dx = blockDim.x % nx, dy = blockDim.x / nx;
  int x = threadIdx.x % nx, y = threadIdx.x / nx;
#pragma unroll 1
  for (int k = 0; y < rows; ++k) {
    call(k, Cell{x, y, x > 0 ? x - 1 : nx - 1, x < nx - 1 ? x + 1 : 0});
    x += dx;
    y += dy;
    if (x >= nx) {
      x -= nx;
      ++y;
    }
  }
}

/// Advances a cell of a strip by one step and returns its |u|, 0 where solid. It is driven for the step to come where `driven`.
template <bool local, bool edge, class real>
__device__ real update(const Strip<real>& strip, const Halos<real>& halos, Cell cell, bool fluid, bool driven,
                       const Problem<real>& c) {
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = strip.template place<local, edge>(i, cell);
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const bool drive = driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    strip.template place<local, edge>(turned[i], cell) = s[i];
  if (edge) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip, whose cells of this thread are solid where their bit is set in `solid`; the row `driven` is driven.
/// Returns the sum of |u| over these cells.
template <bool local, class real>
__device__ real sweep(const Strip<real>& strip, const Halos<real>& halos, unsigned solid, int driven, const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    const bool fluid = (solid >> k & 1) == 0;
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    speed += edge ? update<local, true>(strip, halos, cell, fluid, cell.y == driven, c)
                  : update<local, false>(strip, halos, cell, fluid, cell.y == driven, c);
  });
  return speed;
}

/// First of the ny rows that block number `block` of so many keeps; they differ by one row at most.
__host__ __device__ constexpr int first_row(int block, int blocks, int ny) { return block * ny / blocks; }

/// Advances f by `steps` steps; speeds[step][block] = sum of |u| over the fluid cells of a block's strip. Every step but the
/// last drives the row ny - 2 for the step to come, and the last where there is `more` to come. Blocks write the halos of one
/// parity in their neighbours while these read those of the other.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1)
    timesteps(real* f, real* speeds, int steps, bool more, Problem<real> c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // on other devices it is never launched
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto cluster = cooperative_groups::this_cluster();
  const int block = blockIdx.x;
  const int blocks = gridDim.x;
  const int first = first_row(block, blocks, c.ny);
  real* const halos_here = reinterpret_cast<real*>(room);  // [2][2][3][nx]: by parity of the step, from south and from north
  real* const halos_south = cluster.map_shared_rank(halos_here, (block + blocks - 1) % blocks);
  real* const halos_north = cluster.map_shared_rank(halos_here, (block + 1) % blocks);
  const Strip<real> strip{halos_here + 12 * c.nx, c.nx, first_row(block + 1, blocks, c.ny) - first};
  const auto halos_of = [&](int step) {
    const int now = step % 2 * 6 * c.nx;
    const int next = (step + 1) % 2 * 6 * c.nx;
    return Halos<real>{halos_here + now, halos_here + now + 3 * c.nx, halos_south + next + 3 * c.nx, halos_north + next};
  };
  cluster.sync();  // the neighbours' shared memory is there

  // As after an odd step before the first.
  unsigned solid = 0;
  for_own_cells(c.nx, strip.rows, [&](int k, Cell cell) {
    const int y = first + cell.y;
    if (c.solid[at(0, cell.x, y, c.nx, c.ny)]) solid |= 1u << k;
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      strip.at(i, cell.x, cell.y) = s[i] = f[at(i, cell.x, y, c.nx, c.ny)];
    halos_of(1).send(s, strip, cell);
  });
  cluster.sync();

  for (int step = 0; step < steps; ++step) {
    const Halos<real> halos = halos_of(step);
    halos.receive(strip);
    __syncthreads();
    const int driven = step + 1 < steps || more ? c.ny - 2 - first : -1;
    real speed = step % 2 == 0 ? sweep<false>(strip, halos, solid, driven, c) : sweep<true>(strip, halos, solid, driven, c);
    auto arrived = cluster.barrier_arrive();
    speed = warp_sum(speed);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = speed;
    __syncthreads();
    if (threadIdx.x < 32) {
      const real sum = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : real{0});
      if (threadIdx.x == 0) speeds[static_cast<std::size_t>(step) * gridDim.x + block] = sum;
    }
    cluster.barrier_wait(std::move(arrived));
  }

  if (steps % 2 != 0) {
    for_own_cells(c.nx, strip.rows, [&](int, Cell cell) { strip.settle(cell); });
    __syncthreads();
  }
  for_own_cells(c.nx, strip.rows, [&](int, Cell cell) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[at(i, cell.x, first + cell.y, c.nx, c.ny)] = strip.at(i, cell.x, cell.y);
  });
#endif
}

/// The blocks of the cluster and the threads of a block, as tunables.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks of the cluster, each of which keeps a strip; no more than the grid has rows",
          .values = {1, 2, 4, 8, 16},
          .initial = 16};
}
ladder::Tunable threads_tunable() {
  return {.name = "threads",
          .meaning = "threads of a block at most; no more than a strip has cells",
          .values = {128, 256, 512, 1024},
          .initial = 512};
}

template <class real>
class Cluster final : public Solver {
 public:
  Cluster(const Case& c, const ladder::Tuning& tuning)
      : on_(c, {128, 1}, 0, 1),
        blocks_(std::min(static_cast<std::size_t>(tuning.at("blocks")), std::bit_floor(on_.grid.y))),
        threads_(threads(static_cast<std::size_t>(tuning.at("threads")))) {
    if (shared() + for_sums > on_.device.shared_memory())
      throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: strips of " + std::to_string(cells()) + " cells need " +
                               std::to_string(shared()) + " bytes of shared memory; " + on_.device.name() + " accepts up to " +
                               std::to_string(on_.device.shared_memory() - for_sums));
    require_cluster(all_, timesteps<real>);
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem());
    while (steps > 0) {
      const auto now = static_cast<int>(std::min<std::int64_t>(steps, static_cast<std::int64_t>(speeds_.left())));
      steps -= now;
      all_.as_cluster(timesteps<real>, f_.data(), speeds_.next(), now, steps > 0, on_.problem());
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  static constexpr std::size_t for_sums = 1024;  // and what CUDA keeps for itself
  static constexpr std::size_t most_bits = 32;   // a thread has a bit for each of its cells

  /// Cells of the largest strip.
  [[nodiscard]] std::size_t cells() const { return (on_.grid.y + blocks_ - 1) / blocks_ * on_.grid.x; }
  [[nodiscard]] std::size_t shared() const { return (cells() * 9 + 12 * on_.grid.x) * sizeof(real); }
  /// Whole warps: as many as are named, fewer where the cells are, more where they are too many for the bits of a thread.
  [[nodiscard]] std::size_t threads(std::size_t named) const {
    const auto warps = [](std::size_t items) { return (items + 31) / 32 * 32; };
    return std::max(std::min(warps(cells()), named), warps((cells() + most_bits - 1) / most_bits));
  }

  const DeviceCase<real> on_;
  const std::size_t blocks_;
  const std::size_t threads_;
  const ladder::cuda::Launch all_{on_.device, {blocks_, 1}, {threads_, 1}, shared()};
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  DeferredSums<real> speeds_{on_, all_.blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/13_resident",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::blocks_tunable(), d2q9::threads_tunable()},
    .make = ladder::make_solver<d2q9::Cluster, d2q9::Model>,
};
