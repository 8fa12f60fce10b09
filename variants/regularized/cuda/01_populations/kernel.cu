// Idea:    regularized collision: populations are projected on ten moments before they relax
// Layout:  structure of arrays with padded rows, f[q][z][y][pitch], two copies of the lattice; distances from rest
// Traffic: all q populations read and written
// Source:  Latt and Chopard, Math. Comput. Simul. 72 (2006) 165
// Bound:   memory bandwidth
#include "variants/regularized/cuda/solver.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {q * real, q * real}; }

/// Streams and collides, one thread per cell.
template <class real>
__global__ void update(Step<StoredPopulations, real> step) {
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  real f[q];
  for_each_direction(
      [&, x = x, y = y, z = z](auto c) { f[c.index] = step.load(c.index, step.place(x - c.x, y - c.y, z - c.z)); });
  collide_populations(f, step.relaxation);
  step.store(step.place(x, y, z), f);
}

template <class real>
struct PeriodicBox final : CellByCell<StoredPopulations, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox::CellByCell(c, tuning, update<real>) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = "",
    .traffic = regularized::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, 512)},
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
