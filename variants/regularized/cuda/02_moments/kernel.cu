// Idea:    ten moments per cell: each cell expands those of its neighbours into the populations that arrive
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; distances from rest
// Traffic: ten moments read and written; those of the neighbours come from caches
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   reads from the L1 cache: a cell needs up to ten values from each neighbour
#include "variants/regularized/cuda/solver.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {numbers * real, numbers * real}; }

/// Streams and collides, one thread per cell.
template <class real>
__global__ void update(Step<StoredMoments, real> step) {
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const auto arriving = [&, x = x, y = y, z = z](auto c) {
    real k[numbers];
    step.load(step.place(x - c.x, y - c.y, z - c.z), k);
    return population(k, c);
  };
  const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
  real k[numbers];
  add_planes(up, add_planes(level, up), down, k);
  step.relaxation(k, k);
  step.store(step.place(x, y, z), k);
}

template <class real>
struct PeriodicBox final : CellByCell<StoredMoments, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox::CellByCell(c, tuning, update<real>) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/01_populations"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {lattice::cuda::threads_tunable(128, 512)},
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
