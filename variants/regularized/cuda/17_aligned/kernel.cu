// Idea:    aligned: each block of the lattice holds exactly the columns that one tile writes, so tiles copy contiguous memory
// Layout:  k[z][y][block][10][28 cells per block], two copies of the lattice; in shared memory, a queue of planes, and for
//          each step, two planes of what leaves a warp's rows along y, summed along x
// Traffic: ten moments read and written every two steps; a thread block also reads four more planes and the margin of its
//          tile, mostly from the L2 cache
// Source:  A. Shet et al., "On vectorization for lattice based simulations", Int. J. Mod. Phys. C 24 (2013) 1340011
// Bound:   bandwidth of the L2 cache and of memory
#include "variants/regularized/cuda/copy_async.hpp"
#include "variants/regularized/cuda/queue.hpp"
#include "variants/regularized/cuda/split_barrier.hpp"

namespace regularized {
namespace {

inline constexpr int waiting = 2;     ///< planes in the queue
inline constexpr unsigned line = 28;  ///< cells per block of the lattice

/// A plane queue for lattices in which each block holds the columns that one tile writes. In shared memory, these columns come
/// first, followed by two from the block to the west and two from the block to the east.
template <class Tile, int planes, class real>
class BlockQueue : public Queue<Tile, planes, BlockedStep<real, line>> {
  using Step = BlockedStep<real, line>;
  using Base = Queue<Tile, planes, Step>;
  static_assert(Tile::columns - 2 == line);
  /// Cells per copy, copies per coefficient of a block, and lanes per row.
  static constexpr int part = sizeof(real) > sizeof(float) ? 2 : 4, parts = line / part, lanes = Tile::lanes / Tile::per_warp;

 public:
  __device__ BlockQueue(real* room, const Step& step, const Tile& tile) : Base(room, step, tile, column_of) {
    const int row = tile.lane / lanes, lane = tile.lane % lanes;
    const auto place_of = [&](int column) {
      const unsigned first = __shfl_sync(~0U, tile.own[0], column),
                     second = __shfl_sync(~0U, tile.own[Tile::per_warp - 1], column);
      return row == 0 ? first : second;
    };
    const unsigned block = place_of(2), west = place_of(0), east = place_of(Tile::lanes - 2);
    is_whole_ = step.box.nx % 2 == 0 && tile.first_column + static_cast<int>(line) <= step.box.nx;
    block_from_ = block + lane * part;
    block_to_ = row * Base::row + lane / parts * Tile::lanes + lane % parts * part;
    margin_from_ = (lane % 2 == 0 ? west : east) + lane / 2 * line;
    margin_to_ = row * Base::row + lane / 2 * Tile::lanes + line + lane % 2 * 2;
  }

  /// Starts copying the plane at `place` if `is_wanted`.
  __device__ __forceinline__ void fetch(const Step& step, const Tile& tile, unsigned place, bool is_wanted) {
    if (is_wanted && is_whole_) {
      real* const to = this->put();
      const real* const from = step.from + place;
      const int lane = tile.lane % lanes;
      // Each iteration copies two coefficients of the block.
      if (lane < 2 * parts) {
#pragma unroll
        for (int n = 0; n < numbers; n += 2)
          copy_async<part * sizeof(real)>(to + block_to_ + n * Tile::lanes, from + block_from_ + n * line);
      }
      // Each iteration copies both margins of lanes / 2 coefficients.
#pragma unroll
      for (int n = 0; n < numbers; n += lanes / 2)
        if (n + lane / 2 < numbers)
          copy_async<2 * sizeof(real)>(to + margin_to_ + n * Tile::lanes, from + margin_from_ + n * line);
    } else if (is_wanted) {
      this->copy(step, tile, place);
    }
    this->advance();
  }

 private:
  /// Maps a lane to the column of its cell in shared memory.
  __device__ static int column_of(int lane) {
    return lane < 2 ? static_cast<int>(line) + lane : lane < Tile::lanes - 2 ? lane - 2 : lane;
  }

  bool is_whole_;  ///< whether the tile's columns fill a block, and pairs of columns stay together at the end of the box
  unsigned block_from_, margin_from_;
  int block_to_, margin_to_;
};

/// Streams and collides twice. Populations that leave plane z complete the first step of plane z - 1. Those that leave the
/// cells of plane z - 2 after their first step complete the second step of plane z - 3. Both steps pass on what leaves their
/// rows before the same barrier.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(BlockedStep<real, line> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  constexpr int cells = Tile::per_warp;
  const Tile tile(step);
  // Barriers at the borders of rows. The warps with the rows around the tile meet others at the first and last border.
  __shared__ std::uint64_t states[Tile::warps + 1];
  for (int border = 0; threadIdx.x == 0 && border <= Tile::warps; ++border)
    SplitBarrier::initialize(&states[border], border == 0 || border == Tile::warps ? 1 + Tile::ring_warps : 2);
  __syncthreads();
  SplitBarrier south(&states[tile.is_ring() ? 0 : tile.warp]), north(&states[tile.is_ring() ? Tile::warps : tile.warp + 1]);
  const auto meet_neighbours = [&] {
    south.arrive();
    north.arrive();
    south.wait();
    north.wait();
  };
  BlockQueue<Tile, waiting, real> queue(reinterpret_cast<real*>(shared_memory<Number>() + 4 * Shared::size), step, tile);
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
      meet_neighbours();
      continue;
    }
    leaving.pass(of_first, tile.warp);
    const Leaving<cells, Number> leaving_once(once);
    leaving_once.pass(of_second, tile.warp);
    meet_neighbours();
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

struct Shapes : TileShapes<TileShape<30, q == 27 ? 18 : 22>, TileShape<30, q == 27 ? 22 : 18>, TileShape<30, 14>,
                           TileShape<30, q == 27 ? 8 : 10>> {
  static constexpr int half = q == 27 ? 1 : 0;
};

template <class real>
struct PeriodicBox final : MarchingRows<Shapes, real, BlockedStep<real, line>> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : MarchingRows<Shapes, real, BlockedStep<real, line>>(c, tuning, waiting,
                                                            [](auto shape) { return march<shape.rows, real>; }) {}
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/13_neighbours"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
