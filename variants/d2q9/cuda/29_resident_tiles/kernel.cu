// Idea:    tiles stay in shared memory over all steps: blocks exchange only halos, and wait for their eight neighbours
// Layout:  f[9][row][column] of a tile in shared memory, f[9][y][x] in global memory, two copies each; sums[step][tile]
// Traffic: 9 numbers read, 9 written in shared memory; a halo of several cells read, and as many layers of the tile
//          written, every so many steps, in the L2 cache
// Source:  L. Zhang et al., "PERKS: a Locality-Optimized Execution Model for Iterative Memory-bound GPU Applications", 2023;
//          C. Ding, Y. He, "A Ghost Cell Expansion Method for Reducing Communications", SC 2001
// Bound:   latency of a step in a block; the time until neighbours see each other's halos
#include <string>

#include "backends/cuda/block_flags.hpp"
#include "variants/d2q9/cuda/tile.hpp"

namespace d2q9 {
namespace {

/// Arguments of the kernel.
template <class real>
struct Steps {
  /// The lattice before the first step, f[9][ny][nx], and another one. Passes read halos from one and write them to the other
  /// alternately; the last pass writes all cells.
  real* f;
  real* g;
  BlockFlags flags;
  /// [step][tile]: the sum of |u| over the fluid cells of a tile.
  real* speeds;
  Tiles tiles;
  int steps;
  /// The row to accelerate for the next step, if there is one: one of these `steps` steps, or a later one (`more`); -1: none.
  int driven;
  bool more;
  Problem<real> c;
};

/// Neighbour number n of this block's tile, 0 to 7.
__device__ int neighbour(const Tiles& tiles, int n) {
  const int direction = n < 4 ? n : n + 1;  // of 9, without the tile itself
  const int x = wrapped(static_cast<int>(blockIdx.x) % tiles.x + direction % 3 - 1, tiles.x);
  const int y = wrapped(static_cast<int>(blockIdx.x) / tiles.x + direction / 3 - 1, tiles.y);
  return y * tiles.x + x;
}

/// Advances the lattice by `steps` steps, one block per tile.
///
/// A block reads its halo, makes as many steps as the halo has layers, writes the outer layers of its tile, and counts this in
/// its flag. It reads a halo when all neighbours have counted at least as far. So a halo has been read before it is
/// overwritten: a neighbour counts pass n after it has read its halo of pass n.
template <int plane, class real>
__global__ void __launch_bounds__(most_tile_threads<real>, 1) advance_tile(Steps<real> all) {
  __shared__ real parts[most_tile_steps][32];
  const auto& c = all.c;
  const Tile tile(all.tiles, c);
  const Marks marks(tile, all.driven, c);
  const TileSpeeds<real> speeds{parts};
  const std::size_t grid = static_cast<std::size_t>(c.ny) * c.pitch;
  real *from = shared_memory<real>(), *to = from + 9 * plane;
  for (int done = 0, pass = 0; done < all.steps; ++pass) {
    const int steps = min(all.tiles.steps, all.steps - done);
    if (pass > 0) {
      if (threadIdx.x < 8) all.flags.wait(pass, neighbour(all.tiles, threadIdx.x));
      __syncthreads();
    }
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

/// One tile per multiprocessor, at most.
Tiles tiles_of(const Case& c, const ladder::Tuning& tuning, int multiprocessors) {
  return Tiles::fewest_cells(c, tuning.at("steps"), multiprocessors, true);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return tile_traffic(real, c, tiles_of(c, tuning, multiprocessors()), false);
}

template <class real>
class Resident final : public CudaSolver<real> {
 public:
  Resident(const Case& c, const ladder::Tuning& tuning)
      : CudaSolver<real>(c, {128, 1}, structure_of_arrays(c)),
        tiles_(tiles_of(c, tuning, this->device_.multiprocessors())),
        all_(tiles_.launch<real>(this->device_, c, tuning.at("threads"))) {
    this->device_.require_cooperative_launch();
    if (tiles_.cells(c) > most_tile_cells<real>())
      throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: a tile and its halo have up to " +
                                                              std::to_string(tiles_.cells(c)) + " cells; " +
                                                              this->device_.name() + " accepts up to " +
                                                              std::to_string(most_tile_cells<real>()));
    resident_blocks(all_, kernel_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) {
      flags_.zero();
      const Steps<real> now{
          .f = this->f(),
          .g = this->g(),
          .flags = {flags_.data()},
          .speeds = speeds_.next(),
          .tiles = tiles_,
          .steps = count,
          .driven = this->driven_row(),
          .more = more,
          .c = this->problem(),
      };
      all_.together(kernel_, now);
      if ((count + tiles_.steps - 1) / tiles_.steps % 2 != 0) this->turn();
    });
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  using Kernel = void (*)(Steps<real>);

  const Tiles tiles_;
  const Kernel kernel_ =
      with_tile_plane(tiles_.plane(this->case_), [](auto plane) -> Kernel { return advance_tile<plane, real>; });
  const Launch all_;
  Buffer<unsigned> flags_{this->device_, BlockFlags::apart* all_.blocks.x};
  DeferredSums<real> speeds_{this->device_, all_.blocks, this->fluid_cells_};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/28_tiles",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::tile_steps_tunable(), d2q9::tile_threads_tunable()},
    .make = ladder::make_solver<d2q9::Resident, d2q9::Model>,
};
