// Idea:    interleaved sums: every loop is a kernel; every second thread adds its neighbour's speed, then every fourth one
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: propagate and collide each read and write 9 values per update, the average speed reads them again; rebound, collide
//          and average each read one flag: 27 values and 3 bytes read, 18 values written
// Source:  Waugh, section II and Table I, row "Kernels and Reductions"
// Bound:   memory bandwidth, poorly used: neighbouring threads access memory 36 bytes apart; launches on small grids
#include "variants/d2q9/cuda/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real + 3, 18 * real}; }

constexpr Shape block{16, 16};
constexpr int threads = 16 * 16;

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  real* f;
  /// The lattice after propagation.
  real* g;
  /// [block]: the sum of |u| over the fluid cells of a block.
  real* speeds;
  /// The row to accelerate.
  int driven;
  Problem<real> c;
};

/// Returns the index of population i of cell (x, y).
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return 9 * (static_cast<std::size_t>(y) * c.nx + x) + i;
}

/// Accelerates the row `driven`, one thread per cell.
template <class real>
__global__ void accelerate(Step<real> step) {
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(step.driven) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = step.f[at(i, x, step.driven, c)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    step.f[at(i, x, step.driven, c)] = s[i];
}

/// g = f with each population moved by one cell in its direction; both axes wrap around.
template <class real>
__global__ void propagate(Step<real> step) {
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny) return;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    step.g[at(i, x, y, c)] = step.f[at(i, from_x[i], from_y[i], c)];
}

/// Solid cells: f = g with every direction reversed.
template <class real>
__global__ void rebound(Step<real> step) {
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny || !c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    step.f[at(i, x, y, c)] = step.g[at(d2q9_opposite[i], x, y, c)];
}

/// Fluid cells: f = g after relaxation.
template <class real>
__global__ void collide(Step<real> step) {
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.nx || y >= c.ny || c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = step.g[at(i, x, y, c)];
  d2q9_collide(s, c.omega);
  for (int i = 0; i < 9; ++i)
    step.f[at(i, x, y, c)] = s[i];
}

/// Sum of `value` over the block, returned to thread 0: a tree in shared memory. The distance between the addends doubles after
/// each barrier.
template <class real>
__device__ real interleaved_sum(real value, real* sums) {
  const int thread = thread_of_block();
  sums[thread] = value;
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    if (thread % (2 * distance) == 0) sums[thread] += sums[thread + distance];
  }
  return sums[thread];
}

/// Adds up |u| over a block's fluid cells.
template <class real>
__global__ void average(Step<real> step) {
  __shared__ real sums[threads];
  const auto& c = step.c;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  real speed = 0;
  if (x < c.nx && y < c.ny && !c.solid[static_cast<std::size_t>(y) * c.nx + x]) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = step.f[at(i, x, y, c)];
    speed = speed_of(s);
  }
  store_of_block(step.speeds, interleaved_sum(speed, sums));
}

template <class real>
class Kernels final : public CudaSolver<real> {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : CudaSolver<real>(c, block, array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      const Step<real> step{
          .f = this->f(), .g = this->g(), .speeds = speeds_.next(), .driven = this->driven_row(), .c = this->problem()};
      if (step.driven >= 0) this->over_row()(accelerate<real>, step);
      this->over_grid()(propagate<real>, step);
      this->over_grid()(rebound<real>, step);
      this->over_grid()(collide<real>, step);
      this->over_grid()(average<real>, step);
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  StepSums<real> speeds_{this->device_, this->over_grid().blocks, this->fluid_cells_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/33_collide",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
