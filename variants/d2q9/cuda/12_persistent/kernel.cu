// Idea:    one persistent kernel: blocks stay for all steps, and wait for each other between two steps
// Layout:  structure of arrays, f[9][y][x], two lattices; sums[step][block] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  NVIDIA CUDA C++ Programming Guide, "Cooperative Groups", grid synchronization
// Bound:   memory bandwidth; the barrier of all blocks on small grids
#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // of a block: in f64 each needs more than 64 registers

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

/// Sum of `value` over the block, for its first thread: warps add up in registers, and the first of them adds up their sums.
template <class real>
__device__ real block_sum(real value) {
  __shared__ real sums[32];
  const int threads = blockDim.x * blockDim.y;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  value = warp_sum(value, min(threads, 32));
  if (threads <= 32) return value;
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  return thread < 32 ? warp_sum(thread < threads / 32 ? sums[thread] : real{0}) : real{0};
}

/// Advances cell (x, y) from f to g and returns its |u|, 0 where solid. The row `driven` (-1: none) is driven for the step to
/// come.
template <class real>
__device__ real update(const real* f, real* g, int x, int y, int driven, const Problem<real>& c) {
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  real s[9];
  s[0] = f[at(0, x, y, c.nx, c.ny)];
  s[1] = f[at(1, west, y, c.nx, c.ny)];
  s[2] = f[at(2, x, south, c.nx, c.ny)];
  s[3] = f[at(3, east, y, c.nx, c.ny)];
  s[4] = f[at(4, x, north, c.nx, c.ny)];
  s[5] = f[at(5, west, south, c.nx, c.ny)];
  s[6] = f[at(6, east, south, c.nx, c.ny)];
  s[7] = f[at(7, east, north, c.nx, c.ny)];
  s[8] = f[at(8, west, north, c.nx, c.ny)];

  const bool fluid = !c.solid[static_cast<std::size_t>(y) * c.nx + x];
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const real speed = fluid ? sqrt(u2) : real{0};
  const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, c.nx, c.ny)] = s[i];
  return speed;
}

/// Advances f by `steps` steps, from f to g and back; speeds[step][block] = sum of |u| over the fluid cells of a block. Every
/// step but the last drives the row ny - 2 for the step to come, and the last where there is `more` to come. Blocks take turns
/// at tiles of their own shape. f and g are read and written: neither may be read through the cache for constants.
template <class real>
__global__ void timesteps(real* f, real* g, real* speeds, int steps, bool more, Problem<real> c) {
  const unsigned tiles_x = (c.nx + blockDim.x - 1) / blockDim.x;
  const unsigned tiles_y = (c.ny + blockDim.y - 1) / blockDim.y;
  for (int step = 0; step < steps; ++step) {
    const int driven = step + 1 < steps || more ? c.ny - 2 : -1;
    real speed = 0;
    for (unsigned tile = blockIdx.x; tile < tiles_x * tiles_y; tile += gridDim.x) {
      const int x = tile % tiles_x * blockDim.x + threadIdx.x;
      const int y = tile / tiles_x * blockDim.y + threadIdx.y;
      if (x < c.nx && y < c.ny) speed += update(f, g, x, y, driven, c);
    }
    const real sum = block_sum(speed);
    if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(step) * gridDim.x + blockIdx.x] = sum;
    real* const swapped = f;
    f = g;
    g = swapped;
    cooperative_groups::this_grid().sync();
  }
}

template <class real>
class Persistent final : public Solver {
 public:
  Persistent(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem());
    while (steps > 0) {
      const auto now = static_cast<int>(std::min<std::int64_t>(steps, static_cast<std::int64_t>(speeds_.left())));
      steps -= now;
      all_.together(timesteps<real>, f_.data(), g_.data(), speeds_.next(), now, steps > 0, on_.problem());
      if (now % 2 != 0) std::swap(f_, g_);
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  /// As many blocks as run at the same time, and no more than there are tiles.
  static Shape blocks(const DeviceCase<real>& on) {
    on.device.require_cooperative_launch();
    const int resident = resident_blocks(on.device, timesteps<real>, on.block);
    if (resident == 0) throw ladder::InputError("no block of this shape fits on " + on.device.name());
    return {std::min(static_cast<std::size_t>(resident * on.device.multiprocessors()), on.over_grid().blocks.count()), 1};
  }

  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> g_ = on_.lattice(strides_);
  const ladder::cuda::Launch all_{on_.device, blocks(on_), on_.block};
  DeferredSums<real> speeds_{on_, all_.blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/09_graph",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Persistent, d2q9::Model>,
};
