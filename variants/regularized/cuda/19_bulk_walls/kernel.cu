// Idea:    walls with bulk copies: what comes back is computed once a cell's moments are known, in closed form at flat walls
// Layout:  as in cuda/18_bulk; 4 bytes per cell to tell which populations come back, one byte per tile and plane; in shared
//          memory, also the sums over what comes back in the second step
// Traffic: ten moments read and written every two steps; a thread block also reads four more planes and the margin of its
//          tile, mostly from the L2 cache
// Source:  cuda/16_rows_walls and cuda/18_bulk
// Bound:   bandwidth of the L2 cache and of memory; near boundaries, waits for the warps that add what returns
#include "variants/regularized/cuda/bounded_rows.hpp"
#include "variants/regularized/cuda/bulk_rows.hpp"

namespace regularized {
namespace {

template <class real>
using BoundedStep = Bounded<CellStep<real>, FlatCodes>;

/// Streams and collides once, one thread per cell.
template <class real>
__global__ void update_once(BoundedStep<real> step) {
  using Number = lattice::Compute<real>;
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const unsigned place = step.place(x, y, z), code = step.codes != nullptr ? step.code(place) : Neighbourhoods::plain;
  const auto arriving = [&, x = x, y = y, z = z](auto c) {
    Number k[numbers];
    step.load(step.place(x - c.x, y - c.y, z - c.z), k);
    return population(k, c);
  };
  const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
  Number s[numbers], k[numbers];
  add_planes(up, add_planes(level, up), down, s);
  step.load(place, k);
  if (code > Neighbourhoods::solid) add_coded(code, step.links, k, step.speed, s);
  step.relaxation(s, k);
#pragma unroll
  for (int n = 0; n < numbers; ++n)
    if (code == Neighbourhoods::solid) k[n] = 0;
  step.store(place, k);
}

/// Streams and collides twice, with the plane offsets of cuda/18_bulk. Populations that return to plane z in the first step
/// are added after those that leave the plane. The second step does the same for plane z - 2.
template <int rows, class real>
__global__ void __launch_bounds__(RowTile<rows, lattice::Compute<real>>::threads) march(BoundedStep<real> step) {
  using Number = lattice::Compute<real>;
  using Tile = RowTile<rows, Number>;
  using Shared = Borders<Tile::warps, Number>;
  using Rows = BulkRows<Tile, real>;
  constexpr int cells = Tile::per_warp, loads = (Tile::warps + Tile::ring_warps) * Rows::planes;
  const Tile tile(step);
  alignas(16) __shared__ std::uint64_t states[BorderBarriers<Tile>::count], loaded[loads];
  // For each plane that the block reads: whether the tile is near boundaries. The size is a multiple of 16 bytes, so what
  // follows stays aligned.
  constexpr int most_planes = 256 + 16;
  alignas(16) __shared__ std::uint8_t near_planes[most_planes];
  if (threadIdx.x == 0) BorderBarriers<Tile>::initialize(states);
  for (int n = 0; threadIdx.x == 0 && n < loads; ++n)
    initialize_bulk(&loaded[n], cells);
  March at(step, 2, 4 + Rows::ahead);
  for (int n = static_cast<int>(threadIdx.x); n < at.end - at.begin + 5; n += Tile::threads)
    near_planes[n] = step.is_near(at.begin - 2 + n);
  __syncthreads();
  BorderBarriers<Tile> neighbours(states, tile);
  // This thread's sums of the populations that return in the second step: [cells][numbers][threads].
  constexpr int threads = Tile::warps * Tile::lanes;
  Number* const returned = shared_memory<Number>() + 4 * Shared::size + threadIdx.x;
  Rows stored(reinterpret_cast<real*>(shared_memory<Number>() + 4 * Shared::size + cells * numbers * threads),
              loaded + tile.warp * Rows::planes, step, tile);
  OpenArrivals<Number> first[cells], second[cells];
  Number k[cells][numbers];
  Number once[cells][numbers] = {};  // this thread's cells after the first step, in plane z - 2
  unsigned solid = 0;                // bit n: whether this thread's cell n in plane z - 3 is solid
  unsigned near = 0;                 // bit n: whether the tile is near boundaries in plane z - n
  for (int n = 0; n < stored.ahead; ++n, at.move_up())
    stored.fetch(step, tile, at.read, true);
  // `bounded` is false if the tile is not near boundaries in planes z, z - 2 and z - 3.
  const auto iterate = [&](int z, auto bounded) {
    constexpr bool is_bounded = decltype(bounded)::value;
    Number* const plane = shared_memory<Number>() + (z & 1) * 2 * Shared::size + tile.lane;
    const Shared of_first{plane}, of_second{plane + Shared::size};
    stored.take(k);
    stored.fetch(step, tile, at.read, z + stored.ahead <= at.end + 2);
    at.move_up();
    unsigned code[cells], code_once[cells];  // of the thread's cells in planes z and z - 2
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      code[n] = code_once[n] = Neighbourhoods::plain;
      if (is_bounded && (near & 1) != 0) code[n] = step.code(step.plane_at(z) + tile.own[n]);
      if (is_bounded && (near & 4) != 0) code_once[n] = step.code(step.plane_at(z - 2) + tile.own[n]);
    }
    const Leaving<cells, Number> leaving(k);
    if (tile.is_ring()) {
      leaving.pass_ring(tile, of_first);
      neighbours.meet();
      return;
    }
    leaving.pass(of_first, tile.warp);
    if constexpr (is_bounded) {
#pragma unroll
      for (int n = 0; n < cells; ++n) {
        if (code_once[n] == Neighbourhoods::plain) continue;
        Number sums[numbers] = {};
        if (code_once[n] != Neighbourhoods::solid) add_coded(code_once[n], step.links, once[n], step.speed, sums);
#pragma unroll
        for (int i = 0; i < numbers; ++i) {
          if (code_once[n] == Neighbourhoods::solid) once[n][i] = 0;
          returned[(n * numbers + i) * threads] = sums[i];
        }
      }
    }
    const Leaving<cells, Number> leaving_once(once);
    leaving_once.pass(of_second, tile.warp);
    neighbours.meet();
    Number s[cells][numbers];
    leaving.arrive(of_first, tile.warp, first, s);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      step.relaxation(s[n], once[n]);
      if constexpr (is_bounded) {
        if (code[n] <= Neighbourhoods::solid) continue;
        Number own[numbers], sums[numbers] = {};
        stored.reload(n, own);
        add_coded(code[n], step.links, own, step.speed, sums);
        first[n].add_returned(sums);
      }
    }
    leaving_once.arrive(of_second, tile.warp, second, s);
    if (z > at.begin + 2) {
#pragma unroll
      for (int n = 0; n < cells; ++n) {
        step.relaxation(s[n], s[n]);
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          if (is_bounded && (solid >> n & 1) != 0) s[n][i] = 0;
      }
      stored.store(step, tile, at.write, s);
    }
    if constexpr (is_bounded) {
      __syncwarp();  // all lanes have reloaded their cells before the next copy overwrites the plane
      solid = 0;
#pragma unroll
      for (int n = 0; n < cells; ++n) {
        if (code_once[n] == Neighbourhoods::plain) continue;
        if (code_once[n] == Neighbourhoods::solid) solid |= 1U << n;
        Number sums[numbers];
#pragma unroll
        for (int i = 0; i < numbers; ++i)
          sums[i] = returned[(n * numbers + i) * threads];
        second[n].add_returned(sums);
      }
    }
  };
#pragma unroll 1
  for (int z = at.begin - 2; z <= at.end + 2; ++z) {
    near = near << 1 | near_planes[z + 2 - at.begin];
    if ((near & 13) != 0)
      iterate(z, std::true_type{});
    else
      iterate(z, std::false_type{});
  }
  stored.finish();
}

/// The best shape for single precision comes first, the best one for double precision last.
using Shapes = std::conditional_t<
    q == 27, TileShapes<TileShape<30, 14>, TileShape<30, 18>, TileShape<30, 22>, TileShape<30, 6>>,
    TileShapes<TileShape<30, 22>, TileShape<30, 18>, TileShape<30, 14>, TileShape<30, 10>, TileShape<30, 6>>>;

/// The tunables are march_tunables().
template <class real>
class Tunnel final : public BoundedPair<BlockedPair<real, 1>, FlatCodes> {
  using Base = BoundedPair<BlockedPair<real, 1>, FlatCodes>;

 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Base(c), planes_(tuning.at("planes")) {
    using Number = lattice::Compute<real>;
    with_shape<Shapes>(tuning, sizeof(real), [&](auto shape) {
      using Tile = RowTile<shape.rows, Number>;
      using Rows = BulkRows<Tile, real>;
      if constexpr (sizeof(Number) > sizeof(float) && shape.rows > most_in_double)
        throw ladder::InputError("in double precision, a block has at most " + std::to_string(most_in_double) + " rows");
      else
        kernel_ = march<shape.rows, real>;
      constexpr int columns = Tile::columns - 2, rows = Tile::rows - 2;  // of the cells that a block writes
      twice_.block = {Tile::threads, 1};
      twice_.blocks = {static_cast<std::size_t>(lattice::cuda::parts_of(c.nx, columns)) * lattice::cuda::parts_of(c.ny, rows),
                       static_cast<std::size_t>(lattice::cuda::parts_of(c.nz, planes_))};
      twice_.shared =
          (4 * Borders<Tile::warps, Number>::size + Tile::warps * Tile::lanes * Tile::per_warp * numbers) * sizeof(Number) +
          Rows::planes * (Tile::rows + 2) * Rows::columns * numbers * sizeof(real);
      this->mark_tiles(mark<Tile, CellStep<real>, FlatCodes>, Tile::threads, columns, rows);
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
    .follows = REGULARIZED_RUNG("cuda/18_bulk"),
    .traffic = regularized::march_traffic<2, regularized::Shapes>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables<regularized::Shapes>(64),
    .constraints = regularized::march_constraints<regularized::Shapes>(),
    .make = ladder::make_solver<regularized::Tunnel, regularized::Model, ladder::Stored<float, double, ladder::Half>>,
};
