// Idea:    open boundaries: inflow at the density of the fluid, and outflow cells filled by the cell upstream of them
// Layout:  structure of arrays, f[19][z][y][x], two copies of the lattice, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  Ladd, J. Fluid Mech. 271 (1994) 285 (inflow); Yang, Comput. Math. Appl. 65 (2013) 160 (outflow)
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q19/cuda/open.hpp"

namespace d3q19 {
namespace {

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) update(Step<real> step) {
  const auto [cell, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const int flag = step.flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f_temp.of[i][step.from(i, x, y, z)];
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = site[i];
  if ((flag & D3Q19_NEAR) == 0) return;
  return_open_populations(step, site, x, y, z);
}

template <class real>
class Tunnel final : public OpenSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::OpenSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(update<real>, this->step());
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
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_threads)},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
