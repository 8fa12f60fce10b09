// Idea:    in place (AA pattern): each location is read and written by the same thread; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[9][y][x], a single copy; sums[step][block] of the steps not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launches on small grids
#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // per block: in f64 each thread needs more than 64 registers

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  real* f;
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
///
/// An even step finds populations in their own slots, and fetches them from the neighbours; an odd step (`local`) finds them
/// where they move to, in the slot of the opposite direction. The population that leaves a cell in direction i goes to the
/// location that d2q9_opposite[i] came from; no other thread touches it.
template <bool local, class real>
__device__ real update(const Step<real>& step, int x, int y) {
  const auto& [f, speeds, driven, c] = step;
  const int west = x > 0 ? x - 1 : c.nx - 1;
  const int east = x < c.nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  const auto place = [&](int i) { return local ? at(d2q9_opposite[i], x, y, c) : at(i, from_x[i], from_y[i], c); };
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[place(i)];

  const bool fluid = !c.solid[static_cast<std::size_t>(y) * c.nx + x];
  const real speed = update_masked(s, fluid, y == driven, c);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[place(d2q9_opposite[i])] = s[i];
  return speed;
}

/// Advances the lattice by one step, one thread per cell.
template <bool local, class real>
__global__ void timestep(Step<real> step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const real speed = x < step.c.nx && y < step.c.ny ? update<local>(step, x, y) : real{0};
  store_of_block(step.speeds, shuffle_sum(speed));
}

template <class real>
class Fused final : public StepSolver<real, DeferredSums, lattice::AA> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : StepSolver<real, DeferredSums, lattice::AA>(c, lattice::cuda::block_shape(tuning), structure_of_arrays(c)) {}

 private:
  void queue(real* speeds, bool more) override {
    const Step<real> now{
        .f = this->f(),
        .speeds = speeds,
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    this->over_(this->phase_ == 1 ? timestep<true, real> : timestep<false, real>, now);
    this->swap_lattices();
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
