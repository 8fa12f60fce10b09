// Idea:    acceleration of the next step: the kernel that updates the driven row also accelerates it
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: propagate and collide each read and write 9 values; collide reads one flag: 18 values and a byte read, 18 written
// Source:  Waugh, section III, which accelerates at the end of the kernel
// Bound:   memory bandwidth, poorly used: neighbouring threads access memory 36 bytes apart; launches on small grids
#include "variants/d2q9/cuda/step_solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 18 * real}; }

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
  /// The row to accelerate for the next step, or -1 for none.
  int driven;
  Problem<real> c;
};

/// Returns the index of population i of cell (x, y).
template <class real>
__device__ std::size_t at(int i, int x, int y, const Problem<real>& c) {
  return 9 * (static_cast<std::size_t>(y) * c.nx + x) + i;
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

/// Updates cell (x, y), from g to f with every direction reversed or relaxed, and returns its |u|, or 0 if it is solid.
template <class real>
__device__ real update(const Step<real>& step, int x, int y) {
  const auto& c = step.c;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = step.g[at(i, x, y, c)];

  real speed = 0;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) {
    const real t[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    for (int i = 0; i < 9; ++i)
      s[i] = t[i];
  } else {
    speed = sqrt(d2q9_collide(s, c.omega));
    if (y == step.driven) d2q9_accelerate(s, c.w1, c.w2);
  }
#pragma unroll
  for (int i = 0; i < 9; ++i)
    step.f[at(i, x, y, c)] = s[i];
  return speed;
}

/// Updates all cells, one thread per cell.
template <class real>
__global__ void collide(Step<real> step) {
  __shared__ real sums[threads];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const real speed = x < step.c.nx && y < step.c.ny ? update(step, x, y) : real{0};
  store_of_block(step.speeds, tree_sum(speed, sums, threads));
}

template <class real>
class Kernels final : public StepSolver<real, StepSums> {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : StepSolver<real, StepSums>(c, block, array_of_structures(c)) {}

 private:
  void queue(real* speeds, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds,
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(propagate<real>, now);
    this->over_(collide<real>, now);
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/34_cellwise",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
