// Idea:    in place (AA pattern): the same thread reads and writes each value; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[27][z][y][x], a single copy of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // per block: in f64 a thread takes more than 128 registers

/// Advances f by one step, one thread per cell. An even step fetches from the neighbours; a population that leaves in direction
/// i goes to the location from which the opposite direction came. An odd step (`local`) finds it in its own cell, and writes
/// each population to the slot of its direction.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* const f = step.f;
  const Sides box = step.box;
  const auto [cell, x, y, z] = own_cell(box);
  if (z >= box.nz) return;
  const std::size_t cells = box.cells();
  const auto place = [&, cell = cell, x = x, y = y, z = z](int i) -> real& {
    if (local) return f[d3q27_opposite[i] * cells + cell];
    return f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  };
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = place(i);
  d3q27_collide(site, step.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    place(d3q27_opposite[i]) = site[i];
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real, lattice::AA> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::BoxSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(this->phase_ == 1 ? run_lbm<true, real> : run_lbm<false, real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
