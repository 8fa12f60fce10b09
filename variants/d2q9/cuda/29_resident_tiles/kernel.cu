// Idea:    resident tiles: stay in shared memory over all steps; blocks exchange only halos, and wait for eight neighbours
// Layout:  f[9][row][column] of a tile in shared memory, f[9][y][x] in global memory, two copies each; sums[step][tile]
// Traffic: 9 values read, 9 written in shared memory; for every exchange, a halo of several cells read and as many layers of
//          the tile written, in the L2 cache
// Source:  L. Zhang et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", 2023;
//          C. Ding, Y. He, "A Ghost Cell Expansion Method for Reducing Communications", SC 2001
// Bound:   latency of a step within a block; the delay until neighbours see each other's halos
#include "variants/d2q9/cuda/resident_tile_solver.hpp"

namespace d2q9 {
namespace {

/// Advances the cells of a box that are at least `step` layers from its edge, f[9][plane]. Returns the sum of |u| over this
/// thread's cells of the tile.
template <int plane, class real>
__device__ real advance(const real* from, real* to, int step, const Tile& tile, const Marks& marks, bool drive,
                        const Problem<real>& c) {
  real speed = 0;
  tile.for_own_cells([&](int k, int column, int row) {
    const int depth = tile.depth(column, row);
    if (depth < step) return;
    const int cell = row * tile.width + column;
    const real* const rows[3] = {from + cell - tile.width, from + cell, from + cell + tile.width};
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = rows[1 - d2q9_cy[i]][i * plane - d2q9_cx[i]];
    const bool fluid = (marks.solid >> k & 1) == 0;
    const real speed_of_cell = update_masked(s, fluid, false, c);
    if (drive && fluid && (marks.driven >> k & 1) != 0) d2q9_accelerate(s, c.w1, c.w2);
    if (depth >= tile.halo) speed += speed_of_cell;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      to[i * plane + cell] = s[i];
  });
  return speed;
}

/// Advances the lattice by `steps` steps, one block per tile.
///
/// A block reads its halo, advances by as many steps as the halo has layers, writes the outer layers of its tile, and records
/// this in its flag. It reads a halo when all neighbours have recorded at least as many passes. A halo has thus been read
/// before it is overwritten: a neighbour records pass n after it has read its halo of pass n.
template <int plane, class real>
__global__ void __launch_bounds__(most_tile_threads<real>, 1) advance_tile(TileSteps<real> all) {
  __shared__ real parts[most_tile_steps][32];
  const auto& c = all.c;
  const Tile tile(all.tiles, c);
  const Marks marks(tile, all.driven, c);
  const TileSpeeds<real> speeds{parts};
  const std::size_t grid = static_cast<std::size_t>(c.ny) * c.pitch;
  real *from = shared_memory<real>(), *to = from + 9 * plane;
  for (int done = 0, pass = 0; done < all.steps; ++pass) {
    const int steps = min(all.tiles.steps, all.steps - done);
    if (pass > 0) wait_for_neighbours(all, pass);
    const auto read = [&](int column, int row) {
#pragma unroll
      for (int i = 0; i < 9; ++i)
        from[i * plane + row * tile.width + column] = __ldcg(all.f + i * grid + place(tile, column, row, c));
    };
    if (pass > 0)
      for_ring(0, 0, tile.width, tile.height, tile.halo, read);
    else
      tile.for_own_cells([&](int, int column, int row) { read(column, row); });
    for (int step = 1; step <= steps; ++step) {
      __syncthreads();
      speeds.put(step - 1, advance<plane>(from, to, step, tile, marks, done + step < all.steps || all.more, c));
      swap(from, to);
    }
    __syncthreads();
    const bool last = done + steps == all.steps;
    for_ring(tile.halo, tile.halo, tile.width - 2 * tile.halo, tile.height - 2 * tile.halo, last ? tile.height : tile.halo,
             [&](int column, int row) {
#pragma unroll
               for (int i = 0; i < 9; ++i)
                 __stcg(all.g + i * grid + place(tile, column, row, c), from[i * plane + row * tile.width + column]);
             });
    __syncthreads();
    all.flags.tell(pass + 1);
    speeds.store(all.speeds + static_cast<std::size_t>(done) * all.tiles.count() + blockIdx.x, steps, all.tiles.count());
    done += steps;
    swap(all.f, all.g);
  }
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return tile_traffic(real, c, resident_tiles(c, tuning.at("steps"), multiprocessors()), false);
}

template <class real>
class Tiled final : public ResidentTileSolver<real> {
 public:
  Tiled(const Case& c, const ladder::Tuning& tuning)
      : ResidentTileSolver<real>(c, tuning, [](auto plane) { return advance_tile<plane, real>; }) {}
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/38_waiting_tiles",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::tile_steps_tunable(), d2q9::tile_threads_tunable()},
    .make = ladder::make_solver<d2q9::Tiled, d2q9::Model>,
};
