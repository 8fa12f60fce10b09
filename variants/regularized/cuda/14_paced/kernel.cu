// Idea:    pace: resident blocks wait for those that are behind, so the L2 cache still holds what adjacent tiles share
// Layout:  k[z][y][block][10][cells of a block], two copies of the lattice; a block fills ten lines of 128 bytes; in shared
//          memory, a queue of planes, and for each step, two planes of what leaves a warp's rows along y, summed along x
// Traffic: ten moments read and written every two steps; a block also reads four more planes and the margin of its tile, mostly
//          from the L2 cache
// Source:  V. Volkov, J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC 2008, for barriers between blocks
// Bound:   bandwidth of the L2 cache or of memory
#include <algorithm>
#include <cuda/atomic>

#include "variants/regularized/cuda/queue.hpp"
#include "variants/regularized/cuda/split_barrier.hpp"

namespace regularized {
namespace {

/// Planes in the queue.
inline constexpr int waiting = 2;

/// Step for blocks that keep pace with each other.
template <class real>
struct PacedStep : BlockedStep<real> {
  unsigned* planes_done = nullptr;  ///< of all blocks, in all launches; wraps
  unsigned begin = 0;               ///< its value before this launch
};

/// How many planes a block may be ahead of the average, and how often it checks this at most before it goes on.
inline constexpr unsigned most_ahead = 2;
inline constexpr int most_looks = 100;

using Count = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

/// Planes counted for a block, even if it advances fewer.
template <class real>
__host__ __device__ unsigned planes_per_block(const PacedStep<real>& step, int parts, unsigned blocks) {
  return (static_cast<unsigned>(parts) + blocks - 1) / blocks * (static_cast<unsigned>(step.planes) + 5);
}

/// Counts the planes that a block finishes, and waits if the block gets too far ahead. Waiting reduces memory traffic; results
/// do not depend on it.
template <class real>
class Pace {
 public:
  __device__ explicit Pace(const PacedStep<real>& step) : all_done_(*step.planes_done), begin_(step.begin), seen_(begin_) {}

  /// Call from one warp after the block's `done`-th plane. Waits if the block was too far ahead of the others at the previous
  /// call. The updated count arrives while the warp works on the next plane.
  __device__ void keep(unsigned done) {
    if (threadIdx.x % 32 == 0) {
      const unsigned wanted = begin_ + gridDim.x * (done - min(done, most_ahead + 1));
      for (int look = 0; look < most_looks && static_cast<int>(seen_ - wanted) < 0; ++look)
        seen_ = all_done_.load(::cuda::memory_order_relaxed);
      seen_ = all_done_.fetch_add(1, ::cuda::memory_order_relaxed);
    }
    __syncwarp();
  }

 private:
  Count all_done_;
  unsigned begin_, seen_;
};

/// The march through segment `number`.
struct SegmentMarch : March {
  template <class Step>
  __device__ SegmentMarch(const Step& step, int number, int below, int lag) : March(step, below, lag) {
    begin = number * step.planes;
    end = min(begin + step.planes, step.box.nz);
    read = plane * wrapped_far(begin - below, step.box.nz);
    write = plane * wrapped_far(begin - below - lag, step.box.nz);
  }
};

/// Streams and collides twice. Populations that leave plane z complete the first step of plane z - 1. Those that leave the
/// cells of plane z - 2 after their first step complete the second step of plane z - 3. Both steps pass on what leaves their
/// rows before the same barrier.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(PacedStep<real> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  constexpr int cells = Tile::per_warp;
  const int tiles = lattice::cuda::parts_of(step.box.nx, Tile::columns - 2) * lattice::cuda::parts_of(step.box.ny, rows - 2);
  const int parts = tiles * lattice::cuda::parts_of(step.box.nz, step.planes);
  const int warp = static_cast<int>(threadIdx.x) / Tile::lanes;
  // Barriers at the borders of rows. The warps with the rows around the tile meet others at the first and last border.
  __shared__ std::uint64_t states[Tile::warps + 1];
  for (int border = 0; threadIdx.x == 0 && border <= Tile::warps; ++border)
    SplitBarrier::initialize(&states[border], border == 0 || border == Tile::warps ? 1 + Tile::ring_warps : 2);
  __syncthreads();
  SplitBarrier south(&states[warp < Tile::warps ? warp : 0]), north(&states[warp < Tile::warps ? warp + 1 : Tile::warps]);
  const auto meet_neighbours = [&] {
    south.arrive();
    north.arrive();
    south.wait();
    north.wait();
  };
  Arrivals<Number> first[cells], second[cells];
  Number k[cells][numbers];
  Number once[cells][numbers] = {};  // this thread's cells after the first step, in plane z - 2
  unsigned done = 0;                 // planes
  Pace<real> pace(step);
#pragma unroll 1
  for (int part = static_cast<int>(blockIdx.x); part < parts; part += gridDim.x) {
    const Tile tile(step, part % tiles);
    Queue<Tile, waiting, PacedStep<real>> queue(reinterpret_cast<real*>(shared_memory<Number>() + 4 * Shared::size), step,
                                                tile);
    SegmentMarch at(step, part / tiles, 2, 4 + queue.ahead);
    for (int n = 0; n < queue.ahead; ++n, at.move_up())
      queue.fetch(step, tile, at.read, true);
#pragma unroll 1
    for (int z = at.begin - 2; z <= at.end + 2; ++z) {
      Number* const plane = shared_memory<Number>() + (done & 1) * 2 * Shared::size + tile.lane;
      const Shared of_first{plane}, of_second{plane + Shared::size};
      ++done;
      queue.take(k);
      queue.fetch(step, tile, at.read, z + queue.ahead <= at.end + 2);
      at.move_up();
      const Leaving<cells, Number> leaving(k);
      if (tile.is_ring()) {
        leaving.pass_ring(tile, of_first);
        meet_neighbours();
        if (tile.row(0) < 0) pace.keep(done);
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
  // Nobody waits for this block any more.
  if (threadIdx.x == 0)
    Count(*step.planes_done).fetch_add(planes_per_block(step, parts, gridDim.x) - done, ::cuda::memory_order_relaxed);
}

struct Shapes : TileShapes<TileShape<30, 14>, TileShape<30, q == 27 ? 22 : 18>, TileShape<30, q == 27 ? 18 : 22>,
                           TileShape<30, q == 27 ? 8 : 10>> {
  static constexpr int half = 1;
};

template <class real>
struct PeriodicBox final : MarchingRows<Shapes, real, PacedStep<real>> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : MarchingRows<Shapes, real, PacedStep<real>>(c, tuning, waiting, [](auto shape) { return march<shape.rows, real>; }),
        parts_(static_cast<int>(this->twice_.blocks.count())) {
    this->twice_.blocks = {std::min(this->resident_, this->twice_.blocks.count()), 1};
    planes_done_.zero();
  }

 private:
  [[nodiscard]] PacedStep<real> arguments() override {
    const auto blocks = static_cast<unsigned>(this->twice_.blocks.x);
    const PacedStep<real> step{this->step(this->planes_), planes_done_.data(), counted_};
    counted_ += blocks * planes_per_block(step, parts_, blocks);
    return step;
  }

  const int parts_;  ///< of the box, each advanced by one block
  Buffer<unsigned> planes_done_{this->device_, 1};
  unsigned counted_ = 0;
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
