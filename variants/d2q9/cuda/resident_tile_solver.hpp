#pragma once

#include <string>

#include "backends/cuda/block_flags.hpp"
#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/d2q9/cuda/tile.hpp"

/// Solvers whose blocks each keep a tile for many steps.
namespace d2q9 {

/// Arguments of a launch that advances each tile by many steps.
template <class real>
struct TileSteps {
  /// The lattice before the first pass, f[9][ny][nx], and the one that the pass writes. They swap roles after each pass.
  real* f;
  real* g;
  BlockFlags flags;
  /// [step][tile]: the sum of |u| over the fluid cells of a tile.
  real* speeds;
  Tiles tiles;
  int steps;
  /// The row to accelerate for the next step, if there is one, among these `steps` steps or later (`more`); -1 for none.
  int driven;
  bool more;
  Problem<real> c;
};

/// Returns at most one tile per multiprocessor.
inline Tiles resident_tiles(const Case& c, int steps, int multiprocessors) {
  return Tiles::fewest_cells(c, steps, multiprocessors, true);
}

/// Returns neighbour n of this block's tile, 0 to 7.
__device__ inline int neighbour(const Tiles& tiles, int n) {
  const int direction = n < 4 ? n : n + 1;  // of 9, without the tile itself
  const int x = wrapped(static_cast<int>(blockIdx.x) % tiles.x + direction % 3 - 1, tiles.x);
  const int y = wrapped(static_cast<int>(blockIdx.x) / tiles.x + direction / 3 - 1, tiles.y);
  return y * tiles.x + x;
}

/// Waits until the tiles around this block's have been written for the `count`-th time.
template <class real>
__device__ void wait_for_neighbours(const TileSteps<real>& all, unsigned count) {
  if (threadIdx.x < 8) all.flags.wait(count, neighbour(all.tiles, threadIdx.x));
  __syncthreads();
}

/// Base of solvers whose blocks are all resident and advance their tiles by many steps per launch.
template <class real>
class ResidentTileSolver : public PersistentSolver<real> {
 public:
  using Kernel = void (*)(TileSteps<real>);

 protected:
  /// `kernel_of(plane)` returns the kernel for one of the constants `tile_planes`. Rejects tiles that are too large.
  template <class KernelOf>
  ResidentTileSolver(const Case& c, const ladder::Tuning& tuning, KernelOf&& kernel_of)
      : PersistentSolver<real>(c, {128, 1}, structure_of_arrays(c),
                               [&](const Device& device) {
                                 return resident_tiles(c, tuning.at("steps"), device.multiprocessors())
                                     .template launch<real>(device, c, tuning.at("threads"));
                               }),
        tiles_(resident_tiles(c, tuning.at("steps"), this->device_.multiprocessors())),
        kernel_(with_tile_plane(tiles_.plane(c), [&](auto plane) -> Kernel { return kernel_of(plane); })) {
    this->device_.require_cooperative_launch();
    if (tiles_.cells(c) > most_tile_cells<real>())
      throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: a tile and its halo have up to " +
                                                              std::to_string(tiles_.cells(c)) + " cells; " +
                                                              this->device_.name() + " accepts up to " +
                                                              std::to_string(most_tile_cells<real>()));
    resident_blocks(this->all_, kernel_);
  }

 private:
  void queue(real* speeds, int steps, bool more) override {
    flags_.zero();
    const TileSteps<real> now{
        .f = this->f(),
        .g = this->g(),
        .flags = {flags_.data()},
        .speeds = speeds,
        .tiles = tiles_,
        .steps = steps,
        .driven = this->driven_row(),
        .more = more,
        .c = this->problem(),
    };
    this->all_.together(kernel_, now);
    if ((steps + tiles_.steps - 1) / tiles_.steps % 2 != 0) this->swap_lattices();
  }

  const Tiles tiles_;
  const Kernel kernel_;
  Buffer<unsigned> flags_{this->device_, BlockFlags::apart* this->all_.blocks.x};
};

}  // namespace d2q9
