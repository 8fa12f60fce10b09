// Idea:    every loop is a kernel: the lattice stays on the GPU, which sends back one sum of speeds a block
// Layout:  array of structures, f[y][x][9], two lattices
// Traffic: propagate and collide each read and write 9 numbers an update, the average speed reads them again; rebound,
//          collide and average read one flag: 27 numbers and 3 bytes read, 18 numbers written
// Source:  Waugh, section II and Table I, row "Kernels and Reductions"
// Bound:   memory bandwidth, badly used: neighbouring threads are 36 bytes apart; launches of small grids
#include "variants/d2q9/cuda/step_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real + 3, 18 * real}; }

constexpr Shape block{16, 16};
constexpr int threads = 16 * 16;

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int nx) { return 9 * (static_cast<std::size_t>(y) * nx + x) + i; }

/// Drives the row ny - 2, a thread a cell.
template <class real>
__global__ void accelerate(real* f, Problem<real> c) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c.nx)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx)] = s[i];
}

/// g = f moved by one cell, each population in its direction; both grids wrap around.
template <class real>
__global__ void propagate(const real* f, real* g, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  g[at(0, x, y, c.nx)] = f[at(0, x, y, c.nx)];
  g[at(1, x, y, c.nx)] = f[at(1, west, y, c.nx)];
  g[at(2, x, y, c.nx)] = f[at(2, x, south, c.nx)];
  g[at(3, x, y, c.nx)] = f[at(3, east, y, c.nx)];
  g[at(4, x, y, c.nx)] = f[at(4, x, north, c.nx)];
  g[at(5, x, y, c.nx)] = f[at(5, west, south, c.nx)];
  g[at(6, x, y, c.nx)] = f[at(6, east, south, c.nx)];
  g[at(7, x, y, c.nx)] = f[at(7, east, north, c.nx)];
  g[at(8, x, y, c.nx)] = f[at(8, west, north, c.nx)];
}

/// Solid cells: f = g with every direction turned round.
template <class real>
__global__ void rebound(const real* g, real* f, Problem<real> c) {
  constexpr int turned[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  if (!c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx)] = g[at(turned[i], x, y, c.nx)];
}

/// Fluid cells: f = g relaxed.
template <class real>
__global__ void collide(const real* g, real* f, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = g[at(i, x, y, c.nx)];
  d2q9_collide(s, c.omega);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx)] = s[i];
}

/// Sum of `value` over the block, for its first thread: a tree in shared memory, halved at each barrier.
template <class real>
__device__ real block_sum(real value) {
  __shared__ real sums[threads];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  sums[thread] = value;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  return sums[thread];
}

/// speeds[block] = sum of |u| over the fluid cells of a block.
template <class real>
__global__ void average(const real* f, real* speeds, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  real speed = 0;
  if (x < c.nx && y < c.ny && !c.solid[static_cast<std::size_t>(y) * c.nx + x]) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = f[at(i, x, y, c.nx)];
    real density = s[0];
    for (int i = 1; i < 9; ++i)
      density += s[i];
    const real mx = s[1] + s[5] + s[8] - (s[3] + s[6] + s[7]);
    const real my = s[2] + s[5] + s[6] - (s[4] + s[7] + s[8]);
    speed = sqrt(mx * mx + my * my) / density;
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class Kernels final : public Solver {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : on_(c, block) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      on_.over_row()(accelerate<real>, f_.data(), on_.problem());
      on_.over_grid()(propagate<real>, f_.data(), g_.data(), on_.problem());
      on_.over_grid()(rebound<real>, g_.data(), f_.data(), on_.problem());
      on_.over_grid()(collide<real>, g_.data(), f_.data(), on_.problem());
      on_.over_grid()(average<real>, f_.data(), speeds_.data(), on_.problem());
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> g_ = on_.lattice(strides_);
  StepSums<real> speeds_{on_, on_.over_grid().blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/01_offload",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
