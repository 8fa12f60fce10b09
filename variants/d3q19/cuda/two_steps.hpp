#pragma once

#include <cstddef>
#include <vector>

#include "backends/cuda/shared.hpp"
#include "variants/d3q19/cuda/solver.hpp"
#include "variants/lattice/cuda/tiles.hpp"

/// Two steps per pass through memory, on tiles (variants/lattice/cuda/tiles.hpp): what kernels keep, where they read it, and
/// their launch. In memory, boundary cells hold the populations that come back from them in the first step. In the second step,
/// a fluid cell takes them from its own first-step populations.
namespace d3q19 {

using lattice::cuda::Tiles;

/// Source locations of a cell's populations.
struct Sources {
  unsigned x[3], y[3], z[3];  ///< indexed by 1 + c, for a population that moves by c: column; row and plane, in elements

  /// For the cell at (x, y, z), which may lie one cell beyond either end of the box.
  template <class real>
  __device__ Sources(int x_, int y_, int z_, const Step<real>& step) {
#pragma unroll
    for (int c = -1; c <= 1; ++c) {
      x[1 + c] = lattice::cuda::wrapped_twice(x_ - c, step.box.nx);
      y[1 + c] = lattice::cuda::wrapped_twice(y_ - c, step.box.ny) * step.pitch;
      z[1 + c] = lattice::cuda::wrapped_twice(z_ - c, step.box.nz) * step.box.ny * step.pitch;
    }
  }

  /// The location from which population i comes.
  __device__ unsigned operator()(int i) const { return z[1 + d3q19_cz[i]] + y[1 + d3q19_cy[i]] + x[1 + d3q19_cx[i]]; }

  /// The cell's own location in the plane at `plane`.
  __device__ unsigned own(unsigned plane) const { return plane + y[1] + x[1]; }

  /// Advances to the cell in the next plane.
  template <class real>
  __device__ void move_up(const Step<real>& step) {
    const unsigned plane = step.box.ny * step.pitch;
    z[2] = z[1];
    z[1] = z[0];
    z[0] += plane;
    if (z[0] == step.box.nz * plane) z[0] = 0;
  }
};

/// The first-step populations that cells keep in shared memory for the second step: 2 planes of the 5 that move down and of the
/// 9 that stay in their plane, 3 planes of the 5 that move up. Between two barriers, no location is both read by one thread and
/// written by another.
struct Kept {
  static constexpr int stay = 2 * 5, up = stay + 2 * 9;
  /// Elements per cell. The distance between cells in shared memory is an odd number of words, or of 8-byte elements, so that
  /// the threads of a warp access different banks.
  template <class real>
  static constexpr int numbers = sizeof(real) == 2 ? 46 : up + 3 * 5;

  int even_odd = 0;  ///< plane modulo 2
  int third = 0;     ///< plane modulo 3

  __device__ void move_up() {
    even_odd ^= 1;
    third = third == 2 ? 0 : third + 1;
  }
  /// Location of population i, which left a cell `before` planes (0 to 2) below the plane of the first step.
  [[nodiscard]] __device__ int place(int i, int before) const {
    const int number = d3q19_cz[i] == 0 ? (i < 5 ? i : i - 2) : i < 7 ? 0 : 1 + (i - 11) / 2;  // among those with this c_z
    if (d3q19_cz[i] > 0) return up + number + 5 * (third < before ? third - before + 3 : third - before);
    const int turn = before == 1 ? 1 - even_odd : even_odd;
    return d3q19_cz[i] < 0 ? number + 5 * turn : stay + number + 9 * turn;
  }
};

/// Maximum threads per block: a thread takes 96 registers in single precision, 128 for 8-byte values.
constexpr int most_tile_threads(std::size_t bytes) { return bytes == 8 ? 512 : 640; }

/// The tiles given by the tuning, with fewer rows if a block would exceed most_tile_threads(bytes).
inline Tiles tiles_of(const ladder::Tuning& tuning, std::size_t bytes) {
  Tiles tiles = lattice::cuda::tiles_of(tuning);
  while (tiles.threads() > most_tile_threads(bytes))
    --tiles.rows;
  return tiles;
}

/// Base of solvers that take two steps per launch. Base: ObstacleSolver, or a class derived from it. The tunables are
/// two_step_tunables().
template <class real, class Base = ObstacleSolver<real>>
class TwoStepSolver : public Base {
 protected:
  TwoStepSolver(const Case& c, const ladder::Tuning& tuning)
      : Base(c, {static_cast<std::size_t>(tiles_of(tuning, sizeof(real)).threads()), 1}, padded_rows<real>(c)),
        tiles_(tiles_of(tuning, sizeof(real))) {}

  /// Selects the kernel for the tiles' columns, and lets it use the shared memory that over_tiles_ requests.
  template <class Kernel>
  Kernel kernel(Kernel of_32, Kernel of_64, Kernel of_128) const {
    const Kernel kernel = tiles_.columns == 32 ? of_32 : tiles_.columns == 64 ? of_64 : of_128;
    resident_blocks(this->device_, kernel, this->block_, over_tiles_.shared);
    return kernel;
  }

  const Tiles tiles_;
  const Launch over_tiles_{this->device_, covering(this->box_, tiles_), this->block_,
                           this->block_.count() * Kept::numbers<real> * sizeof(real)};
  const Launch over_ = over_cells(this->device_, this->box_, {128, 1});
};

/// Tunables for the tiles.
inline std::vector<ladder::Tunable> two_step_tunables(Tiles initial) {
  std::vector<ladder::Tunable> tunables = lattice::cuda::tile_tunables(initial);
  tunables[0].values = {32, 64, 128};
  tunables[1].meaning += "; fewer in double precision if a block would have more than 512 threads";
  tunables[1].values = {2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16};
  return tunables;
}

inline std::vector<ladder::Constraint> two_step_constraints() {
  return lattice::cuda::tile_constraints(most_tile_threads(sizeof(float)));
}

/// Traffic of these rungs: 19 values of each fluid cell read and written once every two steps, and the returned populations
/// written; flags of every cell read.
inline std::vector<ladder::Traffic> two_step_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Shares of = shares(c);
  const Sides box{c.nx, c.ny, c.nz};
  const Tiles tiles = tiles_of(tuning, static_cast<std::size_t>(real));
  std::vector<ladder::Traffic> traffic = lattice::cuda::two_step_traffic(19 * of.fluid, real, box, tiles);
  const std::vector<ladder::Traffic> flags = lattice::cuda::two_step_traffic(1, 1, box, tiles);
  for (std::size_t level = 0; level < traffic.size(); ++level) {
    traffic[level].read += flags[level].read;
    traffic[level].write += of.returned * real / 2;
  }
  return traffic;
}

}  // namespace d3q19
