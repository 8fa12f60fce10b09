// Idea:    the block's shape as a tunable: long in x, so that its threads share cache lines
// Layout:  structure of arrays, f[9][y][x], two lattices; sums[step][block] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Waugh, section VII, Fig. 3 and Table I, row "Optimized Work Size"
// Bound:   memory bandwidth; launches of small grids
#include <utility>

#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 1024;  // of a block

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

/// Sum of `value` over the block, for its first thread: a tree in shared memory, halved at each barrier.
template <class real>
__device__ real block_sum(real value) {
  extern __shared__ double room[];
  real* const sums = reinterpret_cast<real*>(room);
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  sums[thread] = value;
  for (int half = blockDim.x * blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  return sums[thread];
}

/// Advances f to g; speeds[block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven for the
/// step to come.
template <class real>
__global__ void __launch_bounds__(most_threads)
    timestep(const real* __restrict__ f, real* __restrict__ g, real* speeds, int driven, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  real speed = 0;
  if (x < c.nx && y < c.ny) {
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
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
    for (int i = 0; i < 9; ++i)
      g[at(i, x, y, c.nx, c.ny)] = s[i];
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class Fused final : public Solver {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem());
    for (std::int64_t step = 1; step <= steps; ++step) {
      const int driven = step < steps ? on_.driven_row : -1;
      on_.over_grid(on_.block.count() * sizeof(real))(timestep<real>, f_.data(), g_.data(), speeds_.next(), driven,
                                                      on_.problem());
      std::swap(f_, g_);
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> g_ = on_.lattice(strides_);
  DeferredSums<real> speeds_{on_, on_.over_grid().blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/06_deferred",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
