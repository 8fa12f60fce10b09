#pragma once

#include <cmath>

#include "variants/d2q9/cuda/tile.hpp"

/// Solvers whose launches advance tiles by a few steps.
namespace d2q9 {

/// Arguments of a pass, a launch that advances each tile by `steps` steps.
template <class real>
struct TilePass {
  /// The lattice before and after the pass, f[9][ny][nx].
  const real* f;
  real* g;
  /// [step][tile]: the sum of |u| over the fluid cells of a tile.
  real* speeds;
  Tiles tiles;
  int steps;
  /// The row to accelerate for the next step, or -1 for none. After the last step of the pass, only if `more` is set.
  int driven;
  bool more;
  Problem<real> c;
};

/// Returns one tile per multiprocessor, or the smallest multiple of that for which every tile fits in shared memory; tiles of
/// one cell if none fits.
template <class real>
Tiles tiles_of_passes(const Case& c, int steps) {
  const int multiprocessors = d2q9::multiprocessors();
  const int cells = most_tile_cells<real>();
  const int side = static_cast<int>(std::sqrt(cells)) - 2 * steps;
  if (side < 1) return {c.nx, c.ny, steps};
  const int fewest = static_cast<int>(static_cast<std::int64_t>(c.nx) * c.ny / (static_cast<std::int64_t>(side) * side));
  for (int blocks = std::max(fewest / multiprocessors, 1) * multiprocessors;; blocks += multiprocessors) {
    const Tiles tiles = Tiles::fewest_cells(c, steps, blocks, false);
    if (tiles.cells(c) <= cells) return tiles;
  }
}

inline std::vector<ladder::Traffic> tile_pass_traffic(double real, const Case& c, int steps) {
  const bool single = real == sizeof(float);
  return tile_traffic(real, c, single ? tiles_of_passes<float>(c, steps) : tiles_of_passes<double>(c, steps), true);
}

/// Base of the solvers: passes with as many steps as a halo has layers, and shorter ones for the remainder.
template <class real>
class TileSolver : public CudaSolver<real> {
 public:
  using Kernel = void (*)(TilePass<real>);

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

 protected:
  /// `kernel_of(plane)` returns the kernel for one of the constants `tile_planes`. @throws ladder::Unavailable without a GPU;
  /// ladder::InputError beyond its limits
  template <class KernelOf>
  TileSolver(const Case& c, const ladder::Tuning& tuning, KernelOf&& kernel_of)
      : CudaSolver<real>(c, {128, 1}, structure_of_arrays(c)),
        tiles_(tiles_of_passes<real>(c, tuning.at("steps"))),
        kernel_(with_tile_plane(tiles_.plane(c), [&](auto plane) -> Kernel { return kernel_of(plane); })),
        over_(tiles_.launch<real>(this->device_, c, tuning.at("threads"))) {
    resident_blocks(over_, kernel_);
  }

 private:
  /// Queues a pass; accelerates the driven row after its last step if `more` is set.
  void queue(int steps, bool more) {
    const TilePass<real> pass{
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
    this->swap_lattices();
  }

  const Tiles tiles_;
  const Kernel kernel_;
  const Launch over_;
  DeferredSums<real> speeds_{this->device_, over_.blocks, this->fluid_cells_, static_cast<std::size_t>(tiles_.steps)};
};

}  // namespace d2q9
