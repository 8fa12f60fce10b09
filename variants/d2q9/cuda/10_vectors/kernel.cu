// Idea:    vectors: a thread updates the 4 (f64: 2) cells of one 16-byte access; the next thread has the cells after them
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; sums[step][block] not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launches on small grids
#include "backends/cuda/cells.hpp"
#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // per block: in f64 each thread needs more than 64 registers

/// Cells per thread.
template <class real>
constexpr int width = cells_of_16_bytes<real>;

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
  return (static_cast<std::size_t>(i) * c.ny + y) * c.pitch + x;
}

/// Advances `width` cells starting at (x, y) and returns the sum of |u| over the fluid ones. All threads of a warp exchange
/// cells: those that are not `inside` the grid work on its first cells and store nothing.
template <class real>
__device__ real update(const Step<real>& step, int x, int y, bool inside) {
  const auto& [f, g, speeds, driven, c] = step;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  Cells<real, width<real>> cells[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    cells[i] = beside(f + at(i, 0, from_y[i], c), x, c.nx, -d2q9_cx[i]);

  const auto solid = load_cells<width<real>>(c.solid + at(0, x, y, c));
  real speed = 0;
#pragma unroll
  for (int k = 0; k < width<real>; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = inside && !solid.v[k];
    speed += update_masked(s, fluid, y == driven, c);
    for (int i = 0; i < 9; ++i)
      cells[i].v[k] = s[i];
  }
#pragma unroll
  for (int i = 0; i < 9; ++i)
    if (inside) store_cells(g + at(i, x, y, c), cells[i]);
  return speed;
}

/// Advances the lattice by one step, one thread per `width` cells.
template <class real>
__global__ void timestep(Step<real> step) {
  const int x = width<real> * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = x < step.c.nx && y < step.c.ny;
  const real speed = update(step, inside ? x : 0, inside ? y : 0, inside);
  store_of_block(step.speeds, shuffle_sum(speed));
}

template <class real>
class Fused final : public StepSolver<real, DeferredSums> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : StepSolver<real, DeferredSums>(c, lattice::cuda::block_shape(tuning), padded_rows<real>(c), width<real>) {}

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
    .follows = "d2q9/cuda/31_padded",
    .traffic = d2q9::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
