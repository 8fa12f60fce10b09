// Idea:    tiles: a block keeps one, and a halo of several cells, in shared memory and advances it by as many steps per launch
// Layout:  f[9][row][column] of a tile in shared memory, f[9][y][x] in global memory, two copies each; sums[step][tile]
// Traffic: 9 values read, 9 written in shared memory; per pass, a tile with its halo read and a tile written, in the L2 cache
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, "3.5-D Blocking Optimization for Stencil Computations", SC 2010
// Bound:   latency of a step within a block; launches
#include "variants/d2q9/cuda/tile_solver.hpp"

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
template <int plane, class real>
__global__ void __launch_bounds__(most_tile_threads<real>) advance_tile(TilePass<real> all) {
  __shared__ real parts[most_tile_steps][32];
  const auto& c = all.c;
  const Tile tile(all.tiles, c);
  const Marks marks(tile, all.driven, c);
  const TileSpeeds<real> speeds{parts};
  const std::size_t grid = static_cast<std::size_t>(c.ny) * c.pitch;
  real *from = shared_memory<real>(), *to = from + 9 * plane;
  tile.for_own_cells([&](int, int column, int row) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      from[i * plane + row * tile.width + column] = all.f[i * grid + place(tile, column, row, c)];
  });
  for (int step = 1; step <= all.steps; ++step) {
    __syncthreads();
    speeds.put(step - 1, advance<plane>(from, to, step, tile, marks, step < all.steps || all.more, c));
    swap(from, to);
  }
  __syncthreads();
  speeds.store(all.speeds + blockIdx.x, all.steps, all.tiles.count());
  tile.for_own_cells([&](int, int column, int row) {
    if (tile.depth(column, row) < tile.halo) return;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      all.g[i * grid + place(tile, column, row, c)] = from[i * plane + row * tile.width + column];
  });
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return tile_pass_traffic(real, c, tuning.at("steps"));
}

template <class real>
class Tiled final : public TileSolver<real> {
 public:
  Tiled(const Case& c, const ladder::Tuning& tuning)
      : TileSolver<real>(c, tuning, [](auto plane) { return advance_tile<plane, real>; }) {}
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::tile_steps_tunable(), d2q9::tile_threads_tunable()},
    .make = ladder::make_solver<d2q9::Tiled, d2q9::Model>,
};
