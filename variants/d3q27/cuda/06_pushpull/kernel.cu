// Idea:    push and pull in turn: one step fetches and pushes populations, the next updates each cell in place; nothing is
//          copied
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Chintapalli and Goh, notebook entry 4 (section 7), after Mawson and Revell, Comput. Phys. Commun. 185 (2014) 2566
// Bound:   memory bandwidth, used only partly by scattered accesses; launch overhead for small boxes
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // per block: in f64 a thread takes more than 128 registers

/// Collides, one thread per cell. An even step reads populations from the cells of f_temp that they leave, and writes them to
/// the cells of f that they move to; an odd step (`local`) finds them there. Each element of f is written once; f_temp is only
/// read.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* __restrict__ const f = step.f;
  const real* __restrict__ const f_temp = step.f_temp;
  const Sides box = step.box;
  const auto [cell, x, y, z] = own_cell(box);
  if (z >= box.nz) return;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[27 * (local ? cell : wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)) + i];
  d3q27_collide(site, step.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[27 * (local ? cell : wrapped(x + d3q27_cx[i], y + d3q27_cy[i], z + d3q27_cz[i], box)) + i] = site[i];
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real, lattice::PullPush> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::BoxSolver(c, row_block(tuning), array_of_structures(c)) {}

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
    .follows = "d3q27/cuda/05_swap",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
