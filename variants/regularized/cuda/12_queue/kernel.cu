// Idea:    queue: planes are copied to shared memory asynchronously, one plane before they are needed
// Layout:  k[z][y][block][10][cells of a block], two copies of the lattice; a block fills ten lines of 128 bytes; in shared
//          memory, a queue of planes, and for each step, two planes of what leaves a warp's rows along y, summed along x
// Traffic: ten moments read and written every two steps; a block also reads four more planes and the margin of its tile, mostly
//          from the L2 cache
// Source:  NVIDIA CUDA C++ Programming Guide, "Asynchronous Data Copies"
// Bound:   barriers: all warps of a block expand, then all wait for shared memory
#include "variants/regularized/cuda/queue.hpp"

namespace regularized {
namespace {

/// Planes in the queue.
inline constexpr int waiting = 2;

/// Streams and collides twice. Populations that leave plane z complete the first step of plane z - 1. Those that leave the
/// cells of plane z - 2 after their first step complete the second step of plane z - 3. Both steps pass on what leaves their
/// rows before the same barrier.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(BlockedStep<real> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  constexpr int cells = Tile::per_warp;
  const Tile tile(step);
  Queue<Tile, waiting, BlockedStep<real>> queue(reinterpret_cast<real*>(shared_memory<Number>() + 4 * Shared::size), step,
                                                tile);
  March at(step, 2, 4 + queue.ahead);
  Arrivals<Number> first[cells], second[cells];
  Number k[cells][numbers];
  Number once[cells][numbers] = {};  // this thread's cells after the first step, in plane z - 2
  for (int n = 0; n < queue.ahead; ++n, at.move_up())
    queue.fetch(step, tile, at.read, true);
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    Number* const plane = shared_memory<Number>() + (z & 1) * 2 * Shared::size + tile.lane;
    const Shared of_first{plane}, of_second{plane + Shared::size};
    queue.take(k);
    queue.fetch(step, tile, at.read, z + queue.ahead <= at.end + 2);
    at.move_up();
    const Leaving<cells, Number> leaving(k);
    if (tile.is_ring()) {
      leaving.pass_ring(tile, of_first);
      wait_for_block();
      continue;
    }
    leaving.pass(of_first, tile.warp);
    const Leaving<cells, Number> leaving_once(once);
    leaving_once.pass(of_second, tile.warp);
    wait_for_block();
    Number s[cells][numbers];
    leaving_once.arrive(of_second, tile.warp, second, s);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      if (z <= at.begin + 2 || !tile.writes[n]) continue;
      step.relaxation(s[n], s[n]);
      step.store(at.write + tile.own[n], s[n]);
    }
    leaving.arrive(of_first, tile.warp, first, s);
#pragma unroll
    for (int n = 0; n < cells; ++n)
      step.relaxation(s[n], once[n]);
  }
}

struct Shapes : TileShapes<TileShape<30, 14>, TileShape<30, 22>, TileShape<30, 18>, TileShape<30, q == 27 ? 8 : 10>> {
  static constexpr int half = q == 27 ? 0 : 1;
};

template <class real>
struct PeriodicBox final : MarchingRows<Shapes, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : MarchingRows<Shapes, real>(c, tuning, waiting, [](auto shape) { return march<shape.rows, real>; }) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/11_rows"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
