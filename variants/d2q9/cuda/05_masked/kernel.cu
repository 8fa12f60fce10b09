// Idea:    masks instead of branches: each cell computes both rebound and collision, and selects the result to keep
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section V and Table I, row "Branch Divergence"
// Bound:   memory bandwidth; waiting for the host to add up the sums after each step
#include "variants/d2q9/cuda/step_solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr Shape block{16, 16};
constexpr int threads = 16 * 16;

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  ReadOnly<real> f;
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
  return (static_cast<std::size_t>(i) * c.ny + y) * c.nx + x;
}

/// Advances cell (x, y) and returns its |u|, or 0 if it is solid.
template <class real>
__device__ real update(const Step<real>& step, int x, int y) {
  const auto& [f, g, speeds, driven, c] = step;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, from_x[i], from_y[i], c)];

  const bool fluid = !c.solid[static_cast<std::size_t>(y) * c.nx + x];
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const real speed = fluid ? sqrt(u2) : 0;
  const bool drive = y == driven && fluid && d2q9_can_drive(s, c.w1, c.w2);
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, c)] = s[i];
  return speed;
}

/// Advances the lattice by one step, one thread per cell.
template <class real>
__global__ void timestep(Step<real> step) {
  __shared__ real sums[threads];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const real speed = x < step.c.nx && y < step.c.ny ? update(step, x, y) : real{0};
  store_of_block(step.speeds, tree_sum(speed, sums, threads));
}

template <class real>
class Fused final : public StepSolver<real, StepSums> {
 public:
  Fused(const Case& c, const ladder::Tuning&) : StepSolver<real, StepSums>(c, block, structure_of_arrays(c)) {}

 private:
  void queue(real* speeds, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds,
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(timestep<real>, now);
    this->swap_lattices();
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/04_soa",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
