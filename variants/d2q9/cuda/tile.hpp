#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/cuda/parts.hpp"
#include "backends/cuda/shared.hpp"
#include "variants/d2q9/cuda/solver.hpp"

/// Blocks that keep a tile of the grid in shared memory for several steps. A block reads its tile and a halo with as many
/// layers as it advances steps; each step invalidates one more layer of the halo, and after the last one the tile itself is
/// still correct.
namespace d2q9 {

/// Maximum number of steps between two reads of a halo.
constexpr int most_tile_steps = 16;

/// Largest block size that leaves each thread enough registers for an update.
template <class real>
constexpr int most_tile_threads = sizeof(real) == 4 ? 1024 : 512;

/// Sizes, in cells, of a tile with its halo for which there are kernels.
constexpr int tile_planes[] = {512, 1024, 1568, 2048, 3136};

/// A grid cut into tiles whose sides differ by at most one cell.
struct Tiles {
  int x, y;   ///< number of tiles along each axis
  int steps;  ///< per pass, and hence layers per halo

  [[nodiscard]] __host__ __device__ int count() const { return x * y; }
  /// Returns the cells of the largest tile with its halo.
  [[nodiscard]] int cells(const Case& c) const { return ((c.nx + x - 1) / x + 2 * steps) * ((c.ny + y - 1) / y + 2 * steps); }
  /// Returns the distance between two directions' populations in shared memory, in elements. It is one of a few constants, so
  /// that their addresses need not be computed separately; 0 if there are too many cells.
  [[nodiscard]] int plane(const Case& c) const {
    int fitting = 0;
    for (const int plane : tile_planes)
      if (fitting == 0 && cells(c) <= plane) fitting = plane;
    return fitting;
  }
  /// Returns the bytes of shared memory per block: two copies of the populations.
  template <class real>
  [[nodiscard]] std::size_t shared(const Case& c) const {
    return 2 * 9 * sizeof(real) * static_cast<std::size_t>(plane(c));
  }
  /// Returns a launch of one block per tile: whole warps, one thread per cell up to `threads`.
  template <class real>
  [[nodiscard]] Launch launch(const ladder::cuda::Device& device, const Case& c, int threads) const {
    const int most = std::min(threads, most_tile_threads<real>);
    const auto block = static_cast<std::size_t>(std::min((cells(c) + 31) / 32 * 32, most));
    return {device, {static_cast<std::size_t>(count()), 1}, {block, 1}, shared<real>(c)};
  }

  /// Cuts the grid into at most `blocks` tiles so that the largest has as few cells as possible. If `apart`, no halo reaches
  /// beyond the neighbouring tiles.
  static Tiles fewest_cells(const Case& c, int steps, int blocks, bool apart) {
    const auto fits = [&](int n, int count) { return count == 1 || (apart ? n / count >= steps : count <= n); };
    Tiles best{1, 1, steps};
    for (int x = 1; fits(c.nx, x) && x <= blocks; ++x) {
      const int most = std::max(apart ? c.ny / steps : c.ny, 1);
      const Tiles tiles{x, std::min(blocks / x, most), steps};
      if (tiles.cells(c) < best.cells(c)) best = tiles;
    }
    return best;
  }
};

/// The tunables for tiles.
inline ladder::Tunable tile_steps_tunable() {
  return {.name = "steps",
          .meaning = "steps between two reads of a tile's halo",
          .values = {1, 2, 3, 4, 6, 8, 12, most_tile_steps},
          .initial = 4};
}
inline ladder::Tunable tile_threads_tunable() {
  return {.name = "threads",
          .meaning = "maximum threads per block; at most 512 in double precision",
          .values = {128, 256, 512, 768, 1024},
          .initial = 512};
}

/// A block's tile: the cells starting at (x, y) in a box of width × height cells, halo included.
struct Tile {
  int x, y;           ///< of the box's first cell; wraps around
  int width, height;  ///< of the box
  int halo;

  template <class real>
  __device__ Tile(const Tiles& tiles, const Problem<real>& c) : halo(tiles.steps) {
    const int column = blockIdx.x % tiles.x, row = blockIdx.x / tiles.x;
    x = first_of(column, tiles.x, c.nx) - halo;
    y = first_of(row, tiles.y, c.ny) - halo;
    width = first_of(column + 1, tiles.x, c.nx) + halo - x;
    height = first_of(row + 1, tiles.y, c.ny) + halo - y;
  }

  [[nodiscard]] __device__ int cells() const { return width * height; }
  /// Returns the number of cell layers between a cell of the box and the box's edge.
  [[nodiscard]] __device__ int depth(int column, int row) const {
    return min(min(column, width - 1 - column), min(row, height - 1 - row));
  }

  /// Calls call(k, column, row) for the k-th cell that this thread works on; the cells are the same in all steps.
  template <class Call>
  __device__ void for_own_cells(Call&& call) const {
    const int columns = blockDim.x % width, rows = blockDim.x / width;
    int column = threadIdx.x % width, row = threadIdx.x / width;
    for (int k = 0; row < height; ++k) {
      call(k, column, row);
      column += columns;
      row += rows;
      if (column >= width) {
        column -= width;
        ++row;
      }
    }
  }
};

/// Calls call(column, row) for the cells in the outer `layers` of a box, distributed over the threads of a block.
template <class Call>
__device__ void for_ring(int left, int south, int width, int height, int layers, Call&& call) {
  const int rows = min(2 * layers, height), columns = min(2 * layers, width);
  const int in_rows = rows * width;
  for (int n = threadIdx.x; n < in_rows + (height - rows) * columns; n += blockDim.x) {
    int column, row;
    if (n < in_rows) {
      column = n % width;
      row = n / width;
      if (row >= layers) row += height - rows;
    } else {
      column = (n - in_rows) % columns;
      row = (n - in_rows) / columns + layers;
      if (column >= layers) column += width - columns;
    }
    call(left + column, south + row);
  }
}

/// Returns the position of a tile's cell in the grid.
template <class real>
__device__ std::size_t place(const Tile& tile, int column, int row, const Problem<real>& c) {
  return static_cast<std::size_t>(wrapped_far(tile.y + row, c.ny)) * c.pitch + wrapped_far(tile.x + column, c.nx);
}

template <class T>
__device__ void swap(T& a, T& b) {
  const T c = a;
  a = b;
  b = c;
}

/// Flags of a thread's cells; bit k belongs to the k-th cell.
struct Marks {
  unsigned solid = 0, driven = 0;

  template <class real>
  __device__ Marks(const Tile& tile, int driven_row, const Problem<real>& c) {
    tile.for_own_cells([&](int k, int column, int row) {
      if (c.solid[place(tile, column, row, c)]) solid |= 1u << k;
      if (wrapped_far(tile.y + row, c.ny) == driven_row) driven |= 1u << k;
    });
  }
};

/// The sums of |u| over a tile, one per step of a pass; each warp stores its part.
template <class real>
struct TileSpeeds {
  real (&parts)[most_tile_steps][32];  ///< in shared memory

  /// Contributes this thread's part of a step.
  __device__ void put(int step, real speed) const {
    speed = warp_sum(speed);
    if (threadIdx.x % 32 == 0) parts[step][threadIdx.x / 32] = speed;
  }
  /// Stores the sums of the first `steps` steps: sums[step * tiles]. Must be called after a barrier.
  __device__ void store(real* sums, int steps, int tiles) const {
    const int warps = blockDim.x / 32, lane = threadIdx.x % 32;
    for (int step = threadIdx.x / 32; step < steps; step += warps) {
      const real sum = warp_sum(lane < warps ? parts[step][lane] : real{0});
      if (lane == 0) sums[static_cast<std::size_t>(step) * tiles] = sum;
    }
  }
};

/// Calls `use` with `plane` as a compile-time constant; returns null if `plane` is not one of `tile_planes`.
template <class Use>
auto with_tile_plane(int plane, Use&& use) {
  decltype(use(std::integral_constant<int, 512>{})) result = nullptr;
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    ((plane == tile_planes[n] ? void(result = use(std::integral_constant<int, tile_planes[n]>{})) : void()), ...);
  }
  (std::make_index_sequence<std::size(tile_planes)>{});
  return result;
}

/// Returns the bytes of shared memory available for populations, without a block's sums. Without a GPU, assumes 227 KiB,
/// because formulas need a value.
template <class real>
std::size_t room_for_tiles() {
  constexpr std::size_t others = most_tile_steps * 32 * sizeof(real);
  const auto gpu = ladder::cuda::Device::available();
  return (gpu ? gpu->shared_memory() : std::size_t{227} << 10) - others;
}

/// Returns the maximum number of cells of a tile with its halo, or 0 if there is no room for the smallest plane.
template <class real>
int most_tile_cells() {
  const std::size_t room = room_for_tiles<real>();
  int cells = 0;
  for (const int plane : tile_planes)
    if (2 * 9 * sizeof(real) * static_cast<std::size_t>(plane) <= room) cells = plane;
  return cells;
}

/// Returns whether two copies of the lattice fit in the L2 cache; without a GPU, assumes one of 50 MiB.
inline bool fits_in_l2(double real, const Case& c) {
  const auto gpu = ladder::cuda::Device::available();
  const double cache = gpu ? static_cast<double>(gpu->l2_cache()) : 50.0 * 1024 * 1024;
  return 2 * 9 * real * c.nx * c.ny <= cache;
}

/// Returns the traffic of an update in a tile: in shared memory, and in the L2 cache, or in DRAM if two copies of the lattice
/// do not fit in that cache. A pass reads and writes `whole` tiles there, or only halos.
inline std::vector<ladder::Traffic> tile_traffic(double real, const Case& c, const Tiles& tiles, bool whole) {
  const double width = static_cast<double>(c.nx) / tiles.x, height = static_cast<double>(c.ny) / tiles.y;
  const double owned = width * height * tiles.steps;
  double updated = 0;
  for (int halo = 0; halo < tiles.steps; ++halo)
    updated += (width + 2 * halo) * (height + 2 * halo);
  const double all = (width + 2 * tiles.steps) * (height + 2 * tiles.steps);
  const double inner = std::max(width - 2 * tiles.steps, 0.0) * std::max(height - 2 * tiles.steps, 0.0);
  const double read = whole ? all : all - width * height, written = width * height - (whole ? 0 : inner);
  return {{9 * real * updated / owned, 9 * real * updated / owned, "shared"},
          {9 * real * read / owned, 9 * real * written / owned, whole && !fits_in_l2(real, c) ? "dram" : "l2"}};
}

}  // namespace d2q9
