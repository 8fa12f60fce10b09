// Idea:    one byte per cell for its neighbourhood: a single table entry holds the kinds of all neighbours, replacing 18 flags
// Layout:  structure of arrays, f[19][z][y][x], two copies of the lattice, one byte per cell, a table of 255 entries
// Traffic: a code for every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  this project
// Bound:   memory bandwidth
#include "variants/d3q19/cuda/coded.hpp"

namespace d3q19 {
namespace {

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) update(Step<real> step, CodedCells cells) {
  const auto [cell, x, y, z] = own_cell(step.box);
  const unsigned code = z < step.box.nz ? cells.of(step, cell) : Neighbourhoods::solid;  // all threads of a warp vote
  if (__ballot_sync(0xffffffffu, code != Neighbourhoods::solid) == 0) return;
  const bool plain = __all_sync(0xffffffffu, code == Neighbourhoods::plain) != 0;
  if (!plain && code == Neighbourhoods::solid) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f_temp.of[i][step.from(i, x, y, z)];
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = site[i];
  if (plain || code == Neighbourhoods::plain) return;
  cells.for_each_returned(step, code, site, x, y, z, [&, x = x, y = y, z = z](int i, real returned) {
    step.f.of[d3q19_opposite[i]][step.to(i, x, y, z)] = returned;
  });
}

template <class real>
class Tunnel final : public CodedSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::CodedSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(update<real>, this->step(), this->cells());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/06_vote",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_threads)},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
