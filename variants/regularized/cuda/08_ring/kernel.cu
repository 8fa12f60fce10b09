// Idea:    ring warps: additional warps expand the halo ring, so no warp of the tile has to do both
// Layout:  k[z][y][block][10][cells of a block], two copies of the lattice; a block fills ten lines of 128 bytes; in shared
//          memory, for each step, two planes of the populations that move along x or y
// Traffic: ten moments read and written every two steps; a block also reads four more planes and the margin of its tile, mostly
//          from the L2 cache
// Source:  M. Bauer, H. Cook, B. Khailany, "CudaDMA: Optimizing GPU Memory Bandwidth via Warp Specialization", SC 2011
// Bound:   instructions, and barriers: registers limit a multiprocessor to few threads
#include "variants/regularized/cuda/blocked.hpp"

namespace regularized {
namespace {

/// Streams and collides, one thread per cell.
template <class real>
__global__ void update(BlockedStep<real> step) {
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const auto arriving = [&, x = x, y = y, z = z](auto c) {
    lattice::Compute<real> k[numbers];
    step.load(step.place(x - c.x, y - c.y, z - c.z), k);
    return population(k, c);
  };
  const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
  lattice::Compute<real> k[numbers];
  add_planes(up, add_planes(level, up), down, k);
  step.relaxation(k, k);
  step.store(step.place(x, y, z), k);
}

/// The work of a ring thread while the threads of the tile march.
template <class First, int stride, class Ring, class real>
__device__ void expand_ring(const BlockedStep<real>& step, const Ring& tile, March at) {
  using Number = lattice::Compute<real>;
  Number k[numbers];
  if (tile.has_ring()) step.load(at.read + tile.beside, k);
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    if (tile.has_ring()) {
      const First ring{shared_memory<Number>() + (z & 1) * stride, tile.ring_cell()};
      expand(k, [&](auto c, Number f) { put(c, f, ring); });
      at.move_up();
      step.load(at.read + tile.beside, k);
    }
    __syncthreads();
  }
}

/// Streams and collides twice, one thread per column of cells. Populations that leave plane z complete the first step of plane
/// z - 1. Those that leave the cells of plane z - 2 after their first step complete the second step of plane z - 3. Both are
/// put into shared memory before the same barrier. The last warps do so only for the halo ring.
template <int columns, int rows, class real>
__global__ void __launch_bounds__(columns* rows + TileShape<columns, rows>::ring_threads) march(BlockedStep<real> step) {
  using Number = lattice::Compute<real>;
  using First = Plane<columns + 2, rows + 2, Number>;
  using Second = Plane<columns, rows, Number>;
  constexpr int stride = First::size + Second::size;  // from one plane to the other
  const Tile<columns, rows, 1, columns * rows> tile(step);
  March at(step, 2, 4);
  if (tile.thread >= tile.threads) return expand_ring<First, stride>(step, tile, at);
  Arrivals<Number> first, second;
  Number k[numbers];          // of the own cell in the next plane
  Number once[numbers] = {};  // of the own cell after the first step, in plane z - 2
  step.load(at.read + tile.own, k);
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    Number* const plane = shared_memory<Number>() + (z & 1) * stride;
    const First own{plane, tile.own_cell()};
    const Second leaving{plane + First::size, tile.thread}, arriving{plane + First::size, tile.inner_cell()};
    Number column[3], column_once[3], s[numbers];  // columns: the populations that stay in them, by 1 + cz
    expand(k, [&](auto c, Number f) { put(c, f, own, column); });
    expand(once, [&](auto c, Number f) { put(c, f, leaving, column_once); });
    at.move_up();
    step.load(at.read + tile.own, k);
    __syncthreads();
    const auto twice = [&](auto c) { return arrived(c, arriving, column_once); };
    second.add(sum_plane<-1>(twice), sum_plane<0>(twice), sum_plane<1>(twice), s);
    if (z > at.begin + 2 && tile.writes) {
      step.relaxation(s, s);
      step.store(at.write + tile.own, s);
    }
    const auto only = [&](auto c) { return arrived(c, own, column); };
    first.add(sum_plane<-1>(only), sum_plane<0>(only), sum_plane<1>(only), s);
    step.relaxation(s, once);
  }
}

using Shapes = TileShapes<TileShape<32, 12>, TileShape<32, 14>, TileShape<32, 16>, TileShape<32, 8>>;

template <class real>
using Base = Marching<2, Shapes, real, BlockedPair<real>, true>;

template <class real>
struct PeriodicBox final : Base<real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : Base<real>(c, tuning, [](auto shape) { return march<shape.columns, shape.rows, real>; }) {}

  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2)
      this->pass();
    if (steps == 0) return;
    once_(update<real>, this->step());
    this->swap_lattices();
  }

 private:
  const Launch once_ = over_cells(this->device_, this->box_, {128, 1});
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/07_blocks"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
