// Idea:    two steps per pass with walls: threads keep the moments between the steps, for what comes back in the second
// Layout:  k[z][y][block][10][cells of a block], two copies of the lattice; a block fills ten lines of 128 bytes; 4 bytes per
//          cell to tell which populations come back, one byte per tile and plane; shared memory as in cuda/11_rows
// Traffic: ten moments read and written every two steps; a block also reads four more planes and the margin of its tile, mostly
//          from the L2 cache
// Source:  cuda/11_rows and cuda/15_walls
// Bound:   latency of loads and barriers
#include "variants/regularized/cuda/bounded.hpp"
#include "variants/regularized/cuda/rows.hpp"

namespace regularized {
namespace {

template <class real>
using BoundedStep = Bounded<BlockedStep<real>>;

/// Streams and collides once, one thread per cell.
template <class real>
__global__ void update_once(BoundedStep<real> step) {
  using Number = lattice::Compute<real>;
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const auto arriving = [&, x = x, y = y, z = z](auto c) {
    Number k[numbers];
    step.load(step.place(x - c.x, y - c.y, z - c.z), k);
    return population(k, c);
  };
  const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
  Number s[numbers];
  add_planes(up, add_planes(level, up), down, s);
  const unsigned place = step.place(x, y, z);
  if (step.codes != nullptr)
    step.template complete<false>(step.code(place), s, [&](Number* before) { step.load(place, before); });
  step.relaxation(s, s);
  step.store(place, s);
}

/// Streams and collides twice. Populations that leave plane z complete the first step of plane z - 1. Those that leave the
/// cells of plane z - 2 after their first step complete the second step of plane z - 3. Both steps pass on what leaves their
/// rows before the same barrier.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(BoundedStep<real> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  constexpr int cells = Tile::per_warp;
  const Tile tile(step);
  March at(step, 2, 4);
  Arrivals<Number> first[cells], second[cells];
  Number k[cells][numbers];            // this thread's cells in the next plane
  Number once[cells][numbers] = {};    // this thread's cells after the first step, in plane z - 2
  Number before[cells][numbers] = {};  // the same in plane z - 3
  unsigned near = 0;                   // bit n: whether the tile is near boundaries in plane z - 1 - n
  const auto load = [&] {
#pragma unroll
    for (int n = 0; n < cells; ++n)
      step.load(at.read + tile.own[n], k[n]);
  };
  load();
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    Number* const plane = shared_memory<Number>() + (z & 1) * 2 * Shared::size + tile.lane;
    const Shared of_first{plane}, of_second{plane + Shared::size};
    const Leaving<cells, Number> leaving(k);
    at.move_up();
    load();
    const unsigned first_plane = two_planes_above(at, at.write);  // z - 1; the second step writes z - 3
    unsigned first_code[cells], second_code[cells];
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      first_code[n] = (near & 1) != 0 ? step.code(first_plane + tile.own[n]) : Neighbourhoods::plain;
      second_code[n] = (near & 4) != 0 ? step.code(at.write + tile.own[n]) : Neighbourhoods::plain;
    }
    near = near << 1 | (step.is_near(z) ? 1 : 0);
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
      step.template complete<false>(second_code[n], s[n], [&](Number* own) {
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          own[i] = before[n][i];
      });
      step.relaxation(s[n], s[n]);
      step.store(at.write + tile.own[n], s[n]);
    }
    leaving.arrive(of_first, tile.warp, first, s);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      step.template complete<false>(first_code[n], s[n], [&](Number* own) { step.load(first_plane + tile.own[n], own); });
      if ((near & 4) != 0)  // boundaries in plane z - 2
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          before[n][i] = once[n][i];
      step.relaxation(s[n], once[n]);
    }
  }
}

/// The best shape for single precision comes first, the best one for double precision last.
using Shapes = TileShapes<TileShape<30, 14>, TileShape<30, 22>, TileShape<30, 18>, TileShape<30, q == 27 ? 8 : 10>>;

/// The tunables are march_tunables().
template <class real>
class Tunnel final : public BoundedPair<BlockedPair<real>> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : BoundedPair<BlockedPair<real>>(c), planes_(tuning.at("planes")) {
    using Number = lattice::Compute<real>;
    with_shape<Shapes>(tuning, sizeof(Number), [&](auto shape) {
      using Tile = RowTile<shape.rows, Number>;
      if constexpr (sizeof(Number) > sizeof(float) && shape.rows > most_in_double)
        throw ladder::InputError("in double precision, a block has at most " + std::to_string(most_in_double) + " rows");
      else
        kernel_ = march<shape.rows, real>;
      constexpr int columns = Tile::columns - 2, rows = Tile::rows - 2;  // of the cells that a block writes
      twice_.block = {Tile::threads, 1};
      twice_.blocks = {static_cast<std::size_t>(lattice::cuda::parts_of(c.nx, columns)) * lattice::cuda::parts_of(c.ny, rows),
                       static_cast<std::size_t>(lattice::cuda::parts_of(c.nz, planes_))};
      twice_.shared = 4 * Borders<Tile::warps, Number>::size * sizeof(Number);
      this->mark_tiles(mark<Tile, BlockedStep<real>>, Tile::threads, columns, rows);
    });
    resident_blocks(twice_, kernel_);
  }

  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2) {
      twice_(kernel_, this->step(planes_));
      this->swap_lattices();
    }
    if (steps == 0) return;
    once_(update_once<real>, this->step());
    this->swap_lattices();
  }

 private:
  static constexpr int most_in_double = 10;  ///< more rows would run out of registers

  const int planes_;
  void (*kernel_)(BoundedStep<real>) = nullptr;
  Launch twice_{this->device_, {1, 1}, {1, 1}};
  const Launch once_ = over_cells(this->device_, this->box_, {128, 1});
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("cuda/11_rows"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::Tunnel, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
