#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "backends/cuda/shared.hpp"
#include "variants/d3q19/cuda/solver.hpp"
#include "variants/lattice/cuda/tiles.hpp"

/// Two steps per pass through memory, for tiles (variants/lattice/cuda/tiles.hpp). Boundary cells hold in memory the
/// populations that come back from them in the first step. In the second step, a fluid cell takes it from its own populations
/// of the first step.
namespace d3q19 {

using lattice::cuda::Tiles;

/// The cells by their flags: what a kernel reads of a cell, a byte, to know its kind and its neighbours.
struct FlaggedCells {
  static __device__ bool is_fluid(unsigned flags) { return (flags & D3Q19_FLUID) != 0; }
  static __device__ bool is_near(unsigned flags) { return (flags & D3Q19_NEAR) != 0; }

  /// The byte of a cell, which has this number.
  template <class real>
  [[nodiscard]] __device__ unsigned of(const Step<real>& step, unsigned cell) const {
    return step.flags[cell];
  }
  /// As the function of this name, for the near cell (x, y, z), which has that byte.
  template <class real, class Write>
  __device__ __forceinline__ void for_each_returned(const Step<real>& step, unsigned, const lattice::Compute<real> (&site)[19],
                                                    int x, int y, int z, Write write) const {
    d3q19::for_each_returned(step, site, x, y, z, write);
  }
};

/// Arguments of a kernel that takes two steps.
template <class real, class Cells>
struct Pass {
  Step<real> step;
  Cells cells;
  int rows, planes;  ///< of a tile
};

/// Where a cell's populations come from.
struct Sources {
  unsigned x[3], y[3], z[3];  ///< by 1 + c, for a population that moves by c: column; row and plane, in numbers

  /// Of the cell at (x, y, z), which may lie one cell beyond either end of the box.
  template <class real>
  __device__ Sources(int x_, int y_, int z_, const Step<real>& step) {
#pragma unroll
    for (int c = -1; c <= 1; ++c) {
      x[1 + c] = lattice::cuda::wrapped_twice(x_ - c, step.box.nx);
      y[1 + c] = lattice::cuda::wrapped_twice(y_ - c, step.box.ny) * step.pitch;
      z[1 + c] = lattice::cuda::wrapped_twice(z_ - c, step.box.nz) * step.box.ny * step.pitch;
    }
  }

  /// The place that population i comes from.
  __device__ unsigned operator()(int i) const { return z[1 + d3q19_cz[i]] + y[1 + d3q19_cy[i]] + x[1 + d3q19_cx[i]]; }

  /// The cell's own place in the plane at `plane`.
  __device__ unsigned own(unsigned plane) const { return plane + y[1] + x[1]; }

  /// Goes on to the cell in the next plane.
  template <class real>
  __device__ void move_up(const Step<real>& step) {
    const unsigned plane = step.box.ny * step.pitch;
    z[2] = z[1];
    z[1] = z[0];
    z[0] += plane;
    if (z[0] == step.box.nz * plane) z[0] = 0;
  }
};

/// The populations of the first step that cells keep in shared memory for the second step: 2 planes of the 5 that move down and
/// of the 9 that stay in their plane, 3 planes of the 5 that move up. Between two barriers, no place is both read by one thread
/// and written by another.
struct Kept {
  static constexpr int stay = 2 * 5, up = stay + 2 * 9;
  /// Numbers of a cell. The distance between cells in shared memory is an odd number of words, or of numbers of 8 bytes: the
  /// threads of a warp access different banks.
  template <class real>
  static constexpr int numbers = sizeof(real) == 2 ? 46 : up + 3 * 5;

  int even_odd = 0;  ///< plane modulo 2
  int third = 0;     ///< plane modulo 3

  __device__ void move_up() {
    even_odd ^= 1;
    third = third == 2 ? 0 : third + 1;
  }
  /// Place of population i, which left a cell `before` planes (0 to 2) below the one that the first step works on.
  [[nodiscard]] __device__ int place(int i, int before) const {
    const int number = d3q19_cz[i] == 0 ? (i < 5 ? i : i - 2) : i < 7 ? 0 : 1 + (i - 11) / 2;  // among those with this c_z
    if (d3q19_cz[i] > 0) return up + number + 5 * (third < before ? third - before + 3 : third - before);
    const int turn = before == 1 ? 1 - even_odd : even_odd;
    return d3q19_cz[i] < 0 ? number + 5 * turn : stay + number + 9 * turn;
  }
};

/// Threads per block at most: a thread takes 96 registers in single precision, 128 for numbers of 8 bytes.
constexpr int most_tile_threads(std::size_t bytes) { return bytes == 8 ? 512 : 640; }

/// The tiles that the tuning names, with fewer rows if a block of threads with numbers of so many bytes is smaller.
inline Tiles tiles_of(const ladder::Tuning& tuning, std::size_t bytes) {
  Tiles tiles = lattice::cuda::tiles_of(tuning);
  while (tiles.threads() > most_tile_threads(bytes))
    --tiles.rows;
  return tiles;
}

/// Streams from f_temp and collides twice, and writes f. A thread takes the first step of its cell in plane z, then the second
/// one of its cell in plane z - 1, if it is in the tile: populations that move up left the first step two planes before, those
/// that stay in their plane one plane before. In between it loads the populations that the first step needs in the next plane.
template <int columns, class real, class Cells>
__global__ void __launch_bounds__(most_tile_threads(sizeof(real))) two_steps(Pass<real, Cells> pass) {
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  const auto weight = [](int i) { return static_cast<Compute>(D3Q19_WEIGHT(i)); };
  const Step<real>& step = pass.step;
  const auto tile = tile_cell(Tiles{columns, pass.rows, pass.planes}, step.box);
  const int begin = blockIdx.y * pass.planes, end = min(begin + pass.planes, step.box.nz);
  constexpr int numbers = Kept::numbers<real>, next_row = columns + 2;  // in cells
  real* const own = shared_memory<real>() + tile.number * numbers;
  Sources from(tile.x, tile.y, begin - 1, step);
  // Bytes of the cells in the planes z - 1 to z + 2, the first in the lowest byte: those that a load depends on come early.
  const auto byte_of = [&](int z) {
    return pass.cells.of(step, from.own(lattice::cuda::wrapped_twice(z, step.box.nz) * step.box.ny * step.pitch));
  };
  unsigned bytes = byte_of(begin - 1) << 8 | byte_of(begin) << 16 | byte_of(begin + 1) << 24;
  const auto byte = [&](int plane) { return bytes >> 8 * (plane + 1) & 0xffu; };
  real ahead[19];  // the populations that arrive in the cell in plane z
  const auto load = [&] {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      ahead[i] = step.f_temp.of[i][from(i)];
  };
  if (Cells::is_fluid(byte(0))) load();
  Kept kept;
#pragma unroll 1
  for (int z = begin - 1; z <= end; ++z) {
    Compute site[19];
    if (Cells::is_fluid(byte(0))) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        site[i] = Storage::load(ahead[i], weight(i));
      d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
      for (int i = 0; i < 19; ++i)
        own[kept.place(i, 0)] = Storage::store(site[i], weight(i));
    }
    const unsigned cell = from.own(from.z[2]);
    from.move_up(step);
    if (z < end && Cells::is_fluid(byte(1))) load();
    const unsigned below = byte(-1);
    const bool second = tile.in_tile && z > begin && Cells::is_fluid(below), near = Cells::is_near(below);
    bytes = bytes >> 8 | byte_of(z + 3) << 24;
    const auto arrive = [&](int i) {
      const real* const neighbour = own - (d3q19_cy[i] * next_row + d3q19_cx[i]) * numbers;
      site[i] = Storage::load(neighbour[kept.place(i, 1 + d3q19_cz[i])], weight(i));
    };
    if (second) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (d3q19_cz[i] >= 0) arrive(i);
    }
    __syncthreads();
    if (second) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (d3q19_cz[i] < 0) arrive(i);
      const auto stored = [&](int i, Compute f) { return Storage::load(Storage::store(f, weight(i)), weight(i)); };
      if (near) {
        Compute left[19];  // this cell after the first step
#pragma unroll
        for (int i = 0; i < 19; ++i)
          left[i] = Storage::load(own[kept.place(i, 1)], weight(i));
        pass.cells.for_each_returned(step, below, left, tile.x, tile.y, z - 1,
                                     [&](int i, Compute returned) { site[d3q19_opposite[i]] = stored(i, returned); });
      }
      d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
      for (int i = 0; i < 19; ++i)
        step.f.of[i][cell] = Storage::store(site[i], weight(i));
      if (near) {
#pragma unroll
        for (int i = 0; i < 19; ++i)
          site[i] = stored(i, site[i]);
        pass.cells.for_each_returned(step, below, site, tile.x, tile.y, z - 1, [&](int i, Compute returned) {
          step.f.of[d3q19_opposite[i]][step.to(i, tile.x, tile.y, z - 1)] = Storage::store(returned, weight(i));
        });
      }
    }
    kept.move_up();
  }
}

/// Streams from f_temp, collides, and writes f: one thread per cell.
template <class real>
__global__ void one_step(Step<real> step) {
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  const auto weight = [](int i) { return static_cast<Compute>(D3Q19_WEIGHT(i)); };
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const unsigned cell = step.cell(x, y, z);
  const int flag = step.flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  Compute site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = Storage::load(step.f_temp.of[i][step.from(i, x, y, z)], weight(i));
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = Storage::store(site[i], weight(i));
  if ((flag & D3Q19_NEAR) == 0) return;
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = Storage::load(Storage::store(site[i], weight(i)), weight(i));
  return_populations(step, site, x, y, z);
}

/// Solver that takes two steps per launch. Base: an ObstacleSolver whose cells() are what the kernel reads of cells. The
/// tunables are two_step_tunables().
template <class real, template <class> class Base>
class TwoStepSolver final : public Base<real> {
  using Cells = decltype(std::declval<const Base<real>&>().cells());

 public:
  TwoStepSolver(const Case& c, const ladder::Tuning& tuning)
      : Base<real>(c, {static_cast<std::size_t>(tiles_of(tuning, sizeof(real)).threads()), 1}, padded_rows<real>(c)),
        tiles_(tiles_of(tuning, sizeof(real))),
        two_steps_(tiles_.columns == 32   ? two_steps<32, real, Cells>
                   : tiles_.columns == 64 ? two_steps<64, real, Cells>
                                          : two_steps<128, real, Cells>),
        twice_{this->device_, covering(this->box_, tiles_), this->block_,
               this->block_.count() * Kept::numbers<real> * sizeof(real)} {
    resident_blocks(this->device_, two_steps_, this->block_, twice_.shared);
  }

  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2) {
      twice_(two_steps_, {this->step(), this->cells(), tiles_.rows, tiles_.planes});
      this->turn();
    }
    if (steps > 0) {
      once_(one_step<real>, this->step());
      this->turn();
    }
  }

 private:
  const Tiles tiles_;
  void (*const two_steps_)(Pass<real, Cells>);
  const Launch twice_;
  const Launch once_ = over_cells(this->device_, this->box_, {128, 1});
};

/// ObstacleSolver whose kernels read flags.
template <class real>
struct FlaggedSolver : ObstacleSolver<real> {
  using ObstacleSolver<real>::ObstacleSolver;
  [[nodiscard]] FlaggedCells cells() const { return {}; }
};

template <class real>
using TwoStepTunnel = TwoStepSolver<real, FlaggedSolver>;

/// The tiles as tunables.
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

/// Traffic of these rungs: 19 numbers of each fluid cell read and written once in two steps, and the returned
/// populations written; a flag of every cell read.
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
