#pragma once

#include <cstddef>

#include "backends/cuda/launch.hpp"

/// Maps threads to the cells of a periodic box, and builds the matching launches.
namespace ladder::cuda {

/// Size of a box in cells along x, y and z.
struct Sides {
  int nx, ny, nz;

  [[nodiscard]] __host__ __device__ constexpr std::size_t cells() const { return static_cast<std::size_t>(nx) * ny * nz; }
};

/// Wraps `place` on a side of `size` cells; it may lie one cell beyond either end.
__host__ __device__ constexpr int wrapped(int place, int size) {
  return place < 0 ? place + size : place < size ? place : place - size;
}

/// The same for any distance.
__device__ inline int wrapped_far(int place, int size) {
  place %= size;
  return place < 0 ? place + size : place;
}

/// Index of cell (x, y, z) in a box, with x fastest and wrapping; each coordinate may lie one cell beyond either end.
__device__ inline std::size_t wrapped(int x, int y, int z, const Sides& box) {
  x = wrapped(x, box.nx);
  y = wrapped(y, box.ny);
  z = wrapped(z, box.nz);
  return (static_cast<std::size_t>(z) * box.ny + y) * box.nx + x;
}

/// One thread per cell; cells are numbered consecutively with x fastest. Some threads of the last block may have no cell.
inline Launch over_cells(const Device& device, Sides box, Shape block) {
  return {device, covering({box.cells(), 1}, {block.count(), 1}), block};
}

/// Index and coordinates of this thread's cell in such a launch; z >= nz if the thread has no cell.
struct Cell {
  unsigned number;
  int x, y, z;
};
__device__ inline Cell own_cell(Sides box) {
  const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
  return {number, static_cast<int>(number % box.nx), static_cast<int>(number / box.nx % box.ny),
          static_cast<int>(number / box.nx / box.ny)};
}

/// One block per piece of a row and one thread per cell. Blocks cover all pieces of one row, then those of the next. Each block
/// has `shared` bytes of shared memory.
inline Launch over_rows(const Device& device, Sides box, Shape block, std::size_t shared = 0) {
  const std::size_t pieces = (static_cast<std::size_t>(box.nx) + block.x - 1) / block.x;
  return {device, {pieces * box.ny * box.nz, 1}, block, shared};
}

/// This block's piece in such a launch: its first column, its length, and its row.
struct Piece {
  int first, width, y, z;
};
__device__ inline Piece own_piece(Sides box) {
  const unsigned pieces = (box.nx + blockDim.x - 1) / blockDim.x;
  const int row = blockIdx.x / pieces;
  const int first = blockIdx.x % pieces * blockDim.x;
  return {first, min(static_cast<int>(blockDim.x), box.nx - first), row % box.ny, row / box.ny};
}

}  // namespace ladder::cuda
