#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backends/cuda/box.hpp"
#include "harness/bench/rung.hpp"

/// Tiles for kernels that advance two steps in one pass through memory. A block computes the first step for a tile of a plane
/// plus a margin of one cell, then the second step for the tile alone, marching along z. Planes of the first step wait in
/// shared memory until the second step has used them.
namespace lattice::cuda {

/// The cells that a block writes: a tile of `columns` × `rows` cells in each of `planes` planes.
struct Tiles {
  int columns, rows, planes;

  /// Returns the number of cells of a tile and its margin.
  [[nodiscard]] __host__ __device__ constexpr int cells() const { return (columns + 2) * (rows + 2); }
  /// Returns the threads per block: whole warps, with one thread per cell of a tile and its margin.
  [[nodiscard]] constexpr int threads() const { return (cells() + 31) / 32 * 32; }
};

/// Returns the number of parts, of at most `size` cells each, into which a side of n cells is cut.
__host__ __device__ constexpr int parts_of(int n, int size) { return (n + size - 1) / size; }

/// Returns the grid of blocks that covers a box: the tiles of a plane, row by row, along x; the stacks of planes along y.
inline ladder::cuda::Shape covering(ladder::cuda::Sides box, const Tiles& tiles) {
  return {static_cast<std::size_t>(parts_of(box.nx, tiles.columns)) * parts_of(box.ny, tiles.rows),
          static_cast<std::size_t>(parts_of(box.nz, tiles.planes))};
}

/// This thread's cell in such a launch.
struct TileCell {
  int number;    ///< index among the cells of a tile and its margin, row by row; past the end if the thread has no cell
  bool in_tile;  ///< whether it is a cell of the box inside the tile, not in the margin
  int x, y;      ///< -1 to nx, -1 to ny: the margin of the last tile is at the end of the box; cells past it repeat it
};
/// Numbers threads row by row, then along the western and eastern columns of the margin: warps access whole lines of memory if
/// `columns` is a multiple of 32.
__device__ inline TileCell tile_cell(const Tiles& tiles, ladder::cuda::Sides box) {
  const int thread = threadIdx.x, across = parts_of(box.nx, tiles.columns);
  const int beside = thread - tiles.columns * (tiles.rows + 2);  // index within the two margin columns
  const int column = beside < 0 ? thread % tiles.columns : beside % 2 == 0 ? -1 : tiles.columns;
  const int row = beside < 0 ? thread / tiles.columns - 1 : min(beside / 2 - 1, tiles.rows);
  const int x = static_cast<int>(blockIdx.x) % across * tiles.columns + column;
  const int y = static_cast<int>(blockIdx.x) / across * tiles.rows + row;
  return {thread < tiles.cells() ? (row + 1) * (tiles.columns + 2) + column + 1 : thread,
          beside < 0 && row >= 0 && row < tiles.rows && x < box.nx && y < box.ny, min(x, box.nx), min(y, box.ny)};
}

/// Returns `place` wrapped to a side of `size` cells. It may lie up to two cells beyond either end, even if the side is shorter
/// than that.
__device__ inline int wrapped_twice(int place, int size) { return (place + 2 * size) % size; }

/// Returns the tiles that the tuning selects.
inline Tiles tiles_of(const ladder::Tuning& tuning) { return {tuning.at("columns"), tuning.at("rows"), tuning.at("planes")}; }

/// The tunables for the tiles.
inline std::vector<ladder::Tunable> tile_tunables(Tiles initial) {
  return {{.name = "columns", .meaning = "columns per tile", .values = {32, 64}, .initial = initial.columns},
          {.name = "rows",
           .meaning = "rows per tile",
           .values = {2, 3, 4, 5, 6, 8, 9, 11, 13, 16, 20, 24, 28},
           .initial = initial.rows},
          {.name = "planes",
           .meaning = "planes per block, with two more in the first step",
           .values = {4, 8, 16, 32, 64, 128, 256},
           .initial = initial.planes}};
}

/// Limits blocks to `most` threads.
inline std::vector<ladder::Constraint> tile_constraints(int most) {
  return {{"(columns + 2) * (rows + 2) <= " + std::to_string(most) + " (threads of a block, and the registers that they need)",
           [most](const ladder::Tuning& t) { return tiles_of(t).threads() <= most; }}};
}

/// Returns the traffic of an update if two steps read and write `numbers` populations of `real` bytes per cell once. In
/// addition, a block reads the margin: two planes from memory and, around each tile, two rows plus a 32-byte sector at each end
/// of a row from the L2 cache, because the blocks of neighbouring tiles run at the same time.
inline std::vector<ladder::Traffic> two_step_traffic(double numbers, double real, ladder::cuda::Sides box, const Tiles& tiles) {
  const auto with_margin = [](int n, int size, double margin) { return 1 + 2 * margin * parts_of(n, size) / n; };
  const double moved = numbers * real / 2;
  const double planes = with_margin(box.nz, tiles.planes, 1);
  const double tile = with_margin(box.nx, tiles.columns, 32 / real) * with_margin(box.ny, tiles.rows, 1);
  return {{moved * planes, moved}, {moved * planes * tile, moved, "l2"}};
}

}  // namespace lattice::cuda
