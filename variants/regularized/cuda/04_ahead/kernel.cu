// Idea:    loads ahead: the loads of the next plane are issued before the barrier
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; in shared memory, two planes of
//          the populations that move along x or y, [q - 3][rows + 2][columns + 2]
// Traffic: ten moments read and written; a block also reads two more planes and a halo ring, mostly from the L2 cache
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   the instructions that expand and sum populations
#include "variants/regularized/cuda/tile.hpp"

namespace regularized {
namespace {

/// Streams and collides, one thread per column of cells. Populations that leave plane z complete the cells of plane z - 1. Two
/// planes are used alternately, so one barrier per plane is enough. The moments of plane z + 1 arrive in the meantime.
template <int columns, int rows, class real>
__global__ void __launch_bounds__(columns* rows) march(Step<StoredMoments, real> step) {
  using Number = lattice::Compute<real>;
  using Shared = Plane<columns + 2, rows + 2, Number>;
  const Tile<columns, rows, 0> tile(step);
  March at(step, 1, 2);
  Arrivals<Number> arrivals;
  Number k[numbers], beside[numbers];  // of the own cell and of the ring's cell, in the next plane
  const auto load = [&] {
    step.load(at.read + tile.own, k);
    if (tile.has_ring()) step.load(at.read + tile.beside, beside);
  };
  load();
#pragma unroll 1
  for (int z = at.begin - 1; z <= at.end; ++z) {
    Number* const plane = shared_memory<Number>() + (z & 1) * Shared::size;
    const Shared own{plane, tile.own_cell()}, ring{plane, tile.ring_cell()};
    Number column[3];  // the populations that stay in it, by 1 + cz
    for_each_direction([&](auto c) { put(c, population(k, c), own, column); });
    if (tile.has_ring()) for_each_direction([&](auto c) { put(c, population(beside, c), ring); });
    at.move_up();
    load();
    __syncthreads();
    const auto arriving = [&](auto c) { return arrived(c, own, column); };
    Number s[numbers];
    arrivals.add(sum_plane<-1>(arriving), sum_plane<0>(arriving), sum_plane<1>(arriving), s);
    if (z > at.begin && tile.writes) {
      step.relaxation(s, s);
      step.store(at.write + tile.own, s);
    }
  }
}

/// The best shape for single precision comes first, the best one for double precision last.
using Shapes = std::conditional_t<q == 27, TileShapes<TileShape<64, 8>, TileShape<32, 16>, TileShape<32, 8>, TileShape<64, 4>>,
                                  TileShapes<TileShape<64, 4>, TileShape<64, 8>, TileShape<32, 16>, TileShape<32, 8>>>;

template <class real>
struct PeriodicBox final : MarchingStep<Shapes, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : MarchingStep<Shapes, real>(c, tuning, [](auto shape) { return march<shape.columns, shape.rows, real>; }) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/03_tile"),
    .traffic = regularized::march_traffic<1, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(32),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
