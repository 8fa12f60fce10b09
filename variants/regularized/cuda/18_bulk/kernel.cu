// Idea:    bulk: bulk copies move whole rows of a tile, with margins, to shared memory and back
// Layout:  array of structures, k[z][y][x][10], two copies of the lattice; in shared memory, two planes of the tile and, for
//          each step, two planes of sums along x of what leaves a warp's rows along y
// Traffic: ten moments read and written every two steps; a thread block also reads four more planes and the margin of its
//          tile, mostly from the L2 cache
// Source:  NVIDIA, PTX ISA, "cp.async.bulk"
// Bound:   bandwidth of the L2 cache and of memory
#include "variants/regularized/cuda/bulk_rows.hpp"

namespace regularized {
namespace {

/// Streams and collides twice. Populations that leave plane z complete the first step of plane z - 1. Those that leave the
/// cells of plane z - 2 after their first step complete the second step of plane z - 3. Both steps pass on what leaves their
/// rows before the same barrier.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(CellStep<real> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  using Rows = BulkRows<Tile, real>;
  constexpr int cells = Tile::per_warp, loads = (Tile::warps + Tile::ring_warps) * Rows::planes;
  const Tile tile(step);
  alignas(16) __shared__ std::uint64_t states[BorderBarriers<Tile>::count], loaded[loads];
  if (threadIdx.x == 0) BorderBarriers<Tile>::initialize(states);
  for (int n = 0; threadIdx.x == 0 && n < loads; ++n)
    initialize_bulk(&loaded[n], cells);
  __syncthreads();
  BorderBarriers<Tile> neighbours(states, tile);
  Rows stored(reinterpret_cast<real*>(shared_memory<Number>() + 4 * Shared::size), loaded + tile.warp * Rows::planes, step,
              tile);
  March at(step, 2, 4 + stored.ahead);
  Arrivals<Number> first[cells], second[cells];
  Number k[cells][numbers];
  Number once[cells][numbers] = {};  // this thread's cells after the first step, in plane z - 2
  for (int n = 0; n < stored.ahead; ++n, at.move_up())
    stored.fetch(step, tile, at.read, true);
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    Number* const plane = shared_memory<Number>() + (z & 1) * 2 * Shared::size + tile.lane;
    const Shared of_first{plane}, of_second{plane + Shared::size};
    stored.take(k);
    stored.fetch(step, tile, at.read, z + stored.ahead <= at.end + 2);
    at.move_up();
    const Leaving<cells, Number> leaving(k);
    if (tile.is_ring()) {
      leaving.pass_ring(tile, of_first);
      neighbours.meet();
      continue;
    }
    leaving.pass(of_first, tile.warp);
    const Leaving<cells, Number> leaving_once(once);
    leaving_once.pass(of_second, tile.warp);
    neighbours.meet();
    Number s[cells][numbers];
    leaving_once.arrive(of_second, tile.warp, second, s);
    if (z > at.begin + 2) {
#pragma unroll
      for (int n = 0; n < cells; ++n)
        step.relaxation(s[n], s[n]);
      stored.store(step, tile, at.write, s);
    }
    leaving.arrive(of_first, tile.warp, first, s);
#pragma unroll
    for (int n = 0; n < cells; ++n)
      step.relaxation(s[n], once[n]);
  }
  stored.finish();
}

inline constexpr int least = q == 27 ? 8 : 10;  ///< rows of the smallest tile
struct Shapes : TileShapes<TileShape<30, 22>, TileShape<30, 18>, TileShape<30, 14>, TileShape<30, least>> {};

template <class real>
struct PeriodicBox final : MarchingRows<Shapes, real, CellStep<real>> {
  using Rows = BulkRows<RowTile<least, lattice::Compute<real>>, real>;

  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : MarchingRows<Shapes, real, CellStep<real>>(
            c, tuning, Rows::planes, [](auto shape) { return march<shape.rows, real>; }, Rows::columns) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/17_aligned"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
