// Idea:    structure of arrays: the threads of a warp read and write consecutive elements
// Layout:  structure of arrays, f[27][z][y][x], two copies of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* __restrict__ const f = step.f;
  const real* __restrict__ const f_temp = step.f_temp;
  const Sides box = step.box;
  const auto [cell, x, y, z] = own_cell(box);
  if (z >= box.nz) return;
  const std::size_t cells = box.cells();
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  d3q27_collide(site, step.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[i * cells + cell] = site[i];
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::BoxSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(run_lbm<real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/05_swap",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
