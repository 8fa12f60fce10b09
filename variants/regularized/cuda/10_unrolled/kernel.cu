// Idea:    two planes per iteration: the buffer of each plane is known at compile time, and sums stay in their registers
// Layout:  k[z][y][block][10][cells of a block], two copies of the lattice; a block fills ten lines of 128 bytes; in shared
//          memory, for each step, two planes of the populations that move along x or y
// Traffic: ten moments read and written every two steps; a block also reads four more planes and the margin of its tile, mostly
//          from the L2 cache
// Source:  V. Volkov, "Better Performance at Lower Occupancy", GPU Technology Conference 2010
// Bound:   instructions, or memory bandwidth
#include "variants/regularized/cuda/blocked.hpp"
#include "variants/regularized/cuda/split_barrier.hpp"

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

/// Calls plane(parity, z) for each plane of a march, plus one if their number is odd. `parity` is a compile-time constant.
template <class Plane>
__device__ __forceinline__ void for_each_plane(const March& at, const Plane& plane) {
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; z += 2) {
    plane(std::integral_constant<int, 0>{}, z);
    plane(std::integral_constant<int, 1>{}, z + 1);
  }
}

/// The work of a ring thread while the threads of the tile march.
template <class First, int stride, class Ring, class real>
__device__ void expand_ring(const BlockedStep<real>& step, const Ring& tile, March at, SplitBarrier first_step) {
  using Number = lattice::Compute<real>;
  Number k[numbers];
  if (tile.has_ring()) step.load(at.read + tile.beside, k);
  for_each_plane(at, [&](auto parity, int) {
    if (tile.has_ring()) {
      const First ring{shared_memory<Number>() + decltype(parity)::value * stride, tile.ring_cell()};
      expand(k, [&](auto c, Number f) { put(c, f, ring); });
      at.move_up();
      step.load(at.read + tile.beside, k);
    }
    first_step.arrive();
    first_step.wait();
  });
}

/// Streams and collides twice, one thread per column of cells. Populations that leave plane z complete the first step of plane
/// z - 1, whose cells then put their populations into shared memory for the second step. In the meantime, the populations put
/// there one plane earlier complete the second step of plane z - 3. The last warps only expand the halo ring.
template <int columns, int rows, class real>
__global__ void __launch_bounds__(columns* rows + TileShape<columns, rows>::ring_threads) march(BlockedStep<real> step) {
  using Number = lattice::Compute<real>;
  using First = Plane<columns + 2, rows + 2, Number>;
  using Second = Plane<columns, rows, Number>;
  constexpr int stride = First::size + Second::size;  // from one plane to the other
  const Tile<columns, rows, 1, columns * rows> tile(step);
  __shared__ std::uint64_t states[2];
  if (tile.thread == 0) {
    SplitBarrier::initialize(&states[0], blockDim.x / 32);
    SplitBarrier::initialize(&states[1], columns * rows / 32);
  }
  __syncthreads();
  SplitBarrier first_step(&states[0]), second_step(&states[1]);
  March at(step, 2, 4);
  if (tile.thread >= tile.threads) return expand_ring<First, stride>(step, tile, at, first_step);
  Arrivals<Number> first, second;
  Number k[numbers];  // of the own cell in the next plane
  Number column_once[3] = {};
  step.load(at.read + tile.own, k);
  second_step.arrive();
  for_each_plane(at, [&](auto parity, int z) {
    Number* const plane = shared_memory<Number>() + decltype(parity)::value * stride;
    Number* const last_plane = shared_memory<Number>() + (1 - decltype(parity)::value) * stride;
    const First own{plane, tile.own_cell()};
    Number column[3], s[numbers];  // column: the populations that stay in it, by 1 + cz
    expand(k, [&](auto c, Number f) { put(c, f, own, column); });
    first_step.arrive();
    at.move_up();
    step.load(at.read + tile.own, k);

    second_step.wait();
    const Second arriving{last_plane + First::size, tile.inner_cell()};
    const auto twice = [&](auto c) { return arrived(c, arriving, column_once); };
    second.add(sum_plane<-1>(twice), sum_plane<0>(twice), sum_plane<1>(twice), s);
    if (z > at.begin + 2 && z < at.end + 3 && tile.writes) {
      step.relaxation(s, s);
      step.store(at.write + tile.own, s);
    }

    first_step.wait();
    const auto once = [&](auto c) { return arrived(c, own, column); };
    first.add(sum_plane<-1>(once), sum_plane<0>(once), sum_plane<1>(once), s);
    step.relaxation(s, s);
    const Second leaving{plane + First::size, tile.thread};
    expand(s, [&](auto c, Number f) { put(c, f, leaving, column_once); });
    second_step.arrive();
  });
}

struct Shapes : TileShapes<TileShape<32, 12>, TileShape<32, 14>, TileShape<32, 16>, TileShape<32, 8>> {
  static constexpr int half = q == 27 ? 0 : 1;
};

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
    .follows = REGULARIZED_RUNG("cuda/09_split"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
