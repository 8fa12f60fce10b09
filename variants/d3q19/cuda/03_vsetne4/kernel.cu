// Idea:    __vsetne4: compares a flag as one byte of a word
// Layout:  structure of arrays, f[19][z][y][x], two copies of the lattice, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written; cells near a boundary are read again
// Source:  Zheng, section 4.3
// Bound:   memory bandwidth, as before; the byte comparison takes four integer instructions, the `if` on a single flag only one
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {
namespace {

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) update(Step<real> step) {
  const auto [cell, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  if (__vsetne4(step.flags[cell] & D3Q19_FLUID, D3Q19_FLUID) != 0) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f_temp.of[i][step.from(i, x, y, z)];
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = site[i];
}

/// Writes the returned populations of the fluid cells listed in `near` into the boundary cells, one thread per near cell.
template <class real>
__global__ void sweep(Step<real> step, const std::uint32_t* near, unsigned count) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const auto [x, y, z] = place_of(near[k], step.box);
  const unsigned cell = step.cell(x, y, z);
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f.of[i][cell];
  for_each_returned(Neighbours(step, x, y, z), site, step.speed, [&, x = x, y = y, z = z](int i, real returned) {
    step.f.of[d3q19_opposite[i]][step.to(i, x, y, z)] = returned;
  });
}

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::ObstacleSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(update<real>, this->step());
      this->over_near(sweep<real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/02_flag",
    .traffic = d3q19::swept_traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_threads)},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
