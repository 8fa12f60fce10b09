// Idea:    a CUDA graph: 64 steps are recorded once and launched as one; a value on the GPU selects where their sums go
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice; sums[step][block] of the steps not yet added up
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  A. Gray, "Getting Started with CUDA Graphs", NVIDIA technical blog, 2019
// Bound:   memory bandwidth; starting and ending each kernel on small grids
#include "backends/cuda/device_number.hpp"
#include "backends/cuda/graph.hpp"
#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/lattice/cuda/block_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 1024;  // per block

/// Kernel arguments of one step.
template <class real>
struct Step {
  /// The lattice before and after the step.
  ReadOnly<real> f;
  real* g;
  /// [*first + block]: the sum of |u| over the fluid cells of a block.
  real* speeds;
  const std::size_t* first;
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
  const auto& [f, g, speeds, first, driven, c] = step;
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

/// Advances the lattice by one step, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) timestep(Step<real> step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const real speed = x < step.c.nx && y < step.c.ny ? update(step, x, y) : real{0};
  store_of_block(step.speeds + *step.first, shuffle_sum(speed));
}

template <class real>
class Fused final : public StepSolver<real, DeferredSums> {
  using StepSolver<real, DeferredSums>::over_, StepSolver<real, DeferredSums>::speeds_;

 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : StepSolver<real, DeferredSums>(c, lattice::cuda::block_shape(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      // The graph starts from the lattice that it was recorded with and accelerates in every step, so it cannot include the
      // last step.
      if (steps - step >= graph_steps && this->f() == home_ && speeds_.room() >= graph_steps) {
        if (speeds_.left() < graph_steps) speeds_.finish();
        first_.set(speeds_.first());
        graph_.launch();
        speeds_.record(graph_steps);
        step += graph_steps - 1;
        continue;
      }
      queue(speeds_.next(), step < steps);
      speeds_.record();
    }
  }

 private:
  static constexpr int graph_steps = 64;  // even, so that the graph ends in the lattice that it started from

  void queue(real* speeds, bool more) override { queue(speeds, none_, more); }

  void queue(real* speeds, const DeviceNumber<std::size_t>& first, bool more) {
    const Step<real> now{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds,
        .first = first.data(),
        .driven = this->driven_row(more),
        .c = this->problem(),
    };
    over_(timestep<real>, now);
    this->swap_lattices();
  }

  const real* const home_ = this->f();
  DeviceNumber<std::size_t> first_{this->device_};       // where the graph's sums begin
  const DeviceNumber<std::size_t> none_{this->device_};  // 0
  const Graph graph_{this->device_, [this] {
                       for (std::size_t step = 0; step < graph_steps; ++step)
                         queue(speeds_.data() + step * over_.blocks.count(), first_, true);
                     }};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .tunables = {lattice::cuda::wx_tunable(128), lattice::cuda::wy_tunable(1)},
    .constraints = lattice::cuda::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
