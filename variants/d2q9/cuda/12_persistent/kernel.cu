// Idea:    one persistent kernel: blocks stay resident for all steps, and wait for each other between steps
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice; sums[step][block] of the steps not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  NVIDIA CUDA C++ Programming Guide, "Cooperative Groups", grid synchronization
// Bound:   memory bandwidth; the grid-wide barrier on small grids
#include <cooperative_groups.h>

#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // per block: in f64 each thread needs more than 64 registers

/// Kernel arguments.
template <class real>
struct Step {
  /// The lattice before and after the step.
  real* f;
  real* g;
  /// [step][block]: the sum of |u| over the fluid cells of a block.
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
  const real speed = update_masked(s, fluid, y == driven, c);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, c)] = s[i];
  return speed;
}

/// Advances the lattice by `steps` steps; more steps follow if `more` is set. Blocks take turns at tiles of the same shape as a
/// block.
template <class real>
__global__ void timesteps(Step<real> step, int steps, bool more) {
  const int row = step.driven;
  const unsigned tiles_x = (step.c.nx + blockDim.x - 1) / blockDim.x;
  const unsigned tiles_y = (step.c.ny + blockDim.y - 1) / blockDim.y;
  for (int n = 0; n < steps; ++n) {
    step.driven = n + 1 < steps || more ? row : -1;
    real speed = 0;
    for (unsigned tile = blockIdx.x; tile < tiles_x * tiles_y; tile += gridDim.x) {
      const int x = tile % tiles_x * blockDim.x + threadIdx.x;
      const int y = tile / tiles_x * blockDim.y + threadIdx.y;
      if (x < step.c.nx && y < step.c.ny) speed += update(step, x, y);
    }
    store_of_block(step.speeds + static_cast<std::size_t>(n) * gridDim.x, shuffle_sum(speed));
    real* const before = step.f;
    step.f = step.g;
    step.g = before;
    cooperative_groups::this_grid().sync();
  }
}

template <class real>
class Fused final : public PersistentSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : PersistentSolver<real>(c, lattice::cuda::block_shape(tuning), structure_of_arrays(c), [&](const Device& device) {
          device.require_cooperative_launch();
          return resident(device, timesteps<real>, grid_of(c), lattice::cuda::block_shape(tuning));
        }) {}

 private:
  void queue(real* speeds, int steps, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds,
        .driven = this->driven_row(),
        .c = this->problem(),
    };
    this->all_.together(timesteps<real>, now, steps, more);
    if (steps % 2 != 0) this->swap_lattices();
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/35_turns",
    .traffic = d2q9::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
