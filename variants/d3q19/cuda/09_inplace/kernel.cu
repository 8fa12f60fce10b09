// Idea:    in place (AA pattern): the same thread reads and writes each value; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[19][z][y][x], a single copy of the lattice, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {
namespace {

constexpr int most_threads = 512;  // per block

/// Advances f by one step, one thread per cell. An even step fetches from the neighbours; a population that leaves in direction
/// i goes to the location from which the opposite direction came. An odd step (`local`) finds it in its own cell, and writes
/// each population to the slot of its direction. A returned population goes where the next step reads it: after an even step to
/// this cell, in the slot of the direction that leads to the boundary, which no other cell reads or writes.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) update(Step<real> step) {
  const auto [cell, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const int flag = step.flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  const auto place = [&, cell = cell, x = x, y = y, z = z](int i) -> real& {
    return local ? step.f.of[d3q19_opposite[i]][cell] : step.f.of[i][step.from(i, x, y, z)];
  };
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = place(i);
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    place(d3q19_opposite[i]) = site[i];
  if ((flag & D3Q19_NEAR) == 0) return;
  for_each_returned(Neighbours(step, x, y, z), site, step.speed, [&, cell = cell, x = x, y = y, z = z](int i, real returned) {
    (local ? step.f.of[d3q19_opposite[i]][step.to(i, x, y, z)] : step.f.of[i][cell]) = returned;
  });
}

template <class real>
class Tunnel final : public ObstacleSolver<real, lattice::AA> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::ObstacleSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(this->phase_ == 1 ? update<true, real> : update<false, real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/04_fused",
    .traffic = d3q19::fused_traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_threads)},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
