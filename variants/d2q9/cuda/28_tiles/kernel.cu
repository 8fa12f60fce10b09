// Idea:    a block keeps a tile and a halo of several cells in shared memory, and advances it by as many steps per launch
// Layout:  f[9][row][column] of a tile in shared memory, f[9][y][x] in global memory, two copies each; sums[step][tile]
// Traffic: 9 numbers read, 9 written in shared memory; a tile with its halo read and a tile written per pass, in the L2 cache
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, "3.5-D Blocking Optimization for Stencil Computations", SC 2010
// Bound:   latency of a step in a block; launches
#include <cmath>

#include "variants/d2q9/cuda/tile.hpp"

namespace d2q9 {
namespace {

/// Arguments of a pass.
template <class real>
struct Pass {
  /// The lattice before and after the pass, f[9][ny][nx].
  const real* f;
  real* g;
  /// [step][tile]: the sum of |u| over the fluid cells of a tile.
  real* speeds;
  Tiles tiles;
  int steps;
  /// The row to accelerate for the next step, -1: none. After the last step of the pass it is accelerated if there are `more`.
  int driven;
  bool more;
  Problem<real> c;
};

/// Advances the lattice by `steps` steps, one block per tile.
template <int plane, class real>
__global__ void __launch_bounds__(most_tile_threads<real>) advance_tile(Pass<real> pass) {
  __shared__ real parts[most_tile_steps][32];
  const auto& c = pass.c;
  const Tile tile(pass.tiles, c);
  const Marks marks(tile, pass.driven, c);
  const TileSpeeds<real> speeds{parts};
  const std::size_t grid = static_cast<std::size_t>(c.ny) * c.pitch;
  real *from = shared_memory<real>(), *to = from + 9 * plane;
  tile.for_own_cells([&](int, int column, int row) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      from[i * plane + row * tile.width + column] = pass.f[i * grid + place(tile, column, row, c)];
  });
  for (int step = 1; step <= pass.steps; ++step) {
    __syncthreads();
    speeds.put(step - 1, advance<plane>(from, to, step, tile, marks, step < pass.steps || pass.more, c));
    swap(from, to);
  }
  __syncthreads();
  speeds.store(pass.speeds + blockIdx.x, pass.steps, pass.tiles.count());
  tile.for_own_cells([&](int, int column, int row) {
    if (tile.depth(column, row) < tile.halo) return;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      pass.g[i * grid + place(tile, column, row, c)] = from[i * plane + row * tile.width + column];
  });
}

/// One tile per multiprocessor, or the smallest multiple of that number for which every tile fits in shared memory; tiles of
/// one cell if none fits.
template <class real>
Tiles tiles_of(const Case& c, const ladder::Tuning& tuning) {
  const int multiprocessors = d2q9::multiprocessors();
  const int steps = tuning.at("steps");
  const int cells = most_tile_cells<real>();
  const int side = static_cast<int>(std::sqrt(cells)) - 2 * steps;
  if (side < 1) return {c.nx, c.ny, steps};
  const int fewest = static_cast<int>(static_cast<std::int64_t>(c.nx) * c.ny / (static_cast<std::int64_t>(side) * side));
  for (int blocks = std::max(fewest / multiprocessors, 1) * multiprocessors;; blocks += multiprocessors) {
    const Tiles tiles = Tiles::fewest_cells(c, steps, blocks, false);
    if (tiles.cells(c) <= cells) return tiles;
  }
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Tiles tiles = real == sizeof(float) ? tiles_of<float>(c, tuning) : tiles_of<double>(c, tuning);
  return tile_traffic(real, c, tiles, true);
}

template <class real>
class Tiled final : public CudaSolver<real> {
 public:
  Tiled(const Case& c, const ladder::Tuning& tuning)
      : CudaSolver<real>(c, {128, 1}, structure_of_arrays(c)),
        tiles_(tiles_of<real>(c, tuning)),
        over_(tiles_.launch<real>(this->device_, c, tuning.at("threads"))) {
    resident_blocks(over_, kernel_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    while (steps > 0) {
      const int now = static_cast<int>(std::min<std::int64_t>(steps, tiles_.steps));
      steps -= now;
      queue(now, steps > 0);
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  /// Queues a pass, after whose last step the driven row is accelerated if there are `more`.
  void queue(int steps, bool more) {
    const Pass<real> pass{
        .f = this->f(),
        .g = this->g(),
        .speeds = speeds_.next(),
        .tiles = tiles_,
        .steps = steps,
        .driven = this->driven_row(),
        .more = more,
        .c = this->problem(),
    };
    over_(kernel_, pass);
    this->turn();
  }

  using Kernel = void (*)(Pass<real>);

  const Tiles tiles_;
  const Kernel kernel_ =
      with_tile_plane(tiles_.plane(this->case_), [](auto plane) -> Kernel { return advance_tile<plane, real>; });
  const Launch over_;
  DeferredSums<real> speeds_{this->device_, over_.blocks, this->fluid_cells_, static_cast<std::size_t>(tiles_.steps)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::tile_steps_tunable(), d2q9::tile_threads_tunable()},
    .make = ladder::make_solver<d2q9::Tiled, d2q9::Model>,
};
