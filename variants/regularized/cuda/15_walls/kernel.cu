// Idea:    walls: what comes back from boundaries is added to a cell's sums, but only in planes of a tile near boundaries
// Layout:  structure of arrays with padded rows, k[10][z][y][pitch], two copies of the lattice; 4 bytes per cell to tell
//          which populations come back, one byte per tile and plane; shared memory as in cuda/05_pairs
// Traffic: ten moments read and written; a block also reads two more planes and a halo ring, mostly from the L2 cache
// Source:  A. Ladd, J. Fluid Mech. 271 (1994) 285, on populations expanded from a cell's own moments; this project
// Bound:   memory bandwidth, or the latency of barriers
#include "variants/regularized/cuda/bounded.hpp"

namespace regularized {
namespace {

template <class real>
using BoundedStep = Bounded<Step<StoredMoments, real>>;

/// Minimum number of threads that must fit on a multiprocessor with their registers: as many as in cuda/05_pairs.
template <class real>
constexpr int resident_threads = sizeof(real) > sizeof(float) ? (q == 19 ? 512 : 256) : (q == 19 ? 768 : 512);

/// Streams and collides, one thread per column of cells. Populations that leave plane z complete the cells of plane z - 1. Two
/// planes are used alternately, so one barrier per plane is enough. The moments of plane z + 1 arrive in the meantime.
template <int columns, int rows, class real>
__global__ void __launch_bounds__(columns* rows, resident_threads<real> / (columns * rows)) march(BoundedStep<real> step) {
  using Number = lattice::Compute<real>;
  using Shared = Plane<columns + 2, rows + 2, Number>;
  const Tile<columns, rows, 0> tile(step);
  March at(step, 1, 2);
  Arrivals<Number> arrivals;
  Number k[numbers], beside[numbers];  // of the own cell and of the ring's cell, in the next plane
  bool is_near = false;                // whether the tile is near boundaries in plane z - 1
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
    expand(k, [&](auto c, Number f) { put(c, f, own, column); });
    if (tile.has_ring()) expand(beside, [&](auto c, Number f) { put(c, f, ring); });
    at.move_up();
    load();
    const unsigned place = at.write + tile.own;  // of the own cell in plane z - 1
    const unsigned code = is_near ? step.code(place) : Neighbourhoods::plain;
    is_near = step.is_near(z);
    __syncthreads();
    const auto arriving = [&](auto c) { return arrived(c, own, column); };
    Number s[numbers];
    arrivals.add(sum_plane<-1>(arriving), sum_plane<0>(arriving), sum_plane<1>(arriving), s);
    if (z > at.begin && tile.writes) {
      step.template complete<q == 19>(code, s, [&](Number* before) { step.load(place, before); });
      step.relaxation(s, s);
      step.store(place, s);
    }
  }
}

/// The best shape for single precision comes first, the best one for double precision last.
using Shapes = std::conditional_t<q == 27, TileShapes<TileShape<64, 8>, TileShape<32, 16>, TileShape<32, 8>, TileShape<64, 4>>,
                                  TileShapes<TileShape<64, 4>, TileShape<64, 8>, TileShape<32, 16>, TileShape<32, 8>>>;

template <class real>
using Base = Marching<1, Shapes, real, BoundedPair<LatticePair<StoredMoments, real>>>;

template <class real>
struct Tunnel final : Base<real> {
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Base<real>(c, tuning, [](auto shape) { return march<shape.columns, shape.rows, real>; }) {
    with_shape<Shapes>(tuning, sizeof(real), [&](auto shape) {
      using OneTile = Tile<shape.columns, shape.rows, 0>;
      this->mark_tiles(mark<OneTile, Step<StoredMoments, real>>, OneTile::threads, shape.columns, shape.rows);
    });
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      this->pass();
  }
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/05_pairs"),
    .traffic = regularized::march_traffic<1, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(32),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::Tunnel, regularized::Model>,
};
