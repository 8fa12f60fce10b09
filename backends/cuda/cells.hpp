#pragma once

#include "backends/cuda/read_only.hpp"

namespace ladder::cuda {

/// Values of `width` neighbouring cells in a row (`width` is a power of two), moved by accesses of at most 16 bytes.
template <class T, int width>
struct alignas(sizeof(T) * width < 16 ? sizeof(T) * width : 16) Cells {
  T v[width];
};

/// Number of values that one 16-byte access moves.
template <class T>
inline constexpr int cells_of_16_bytes = 16 / sizeof(T);

/// The cells that start at `row`, which must be aligned for them.
template <int width, class T>
__device__ Cells<T, width> load_cells(const T* row) {
  return *reinterpret_cast<const Cells<T, width>*>(row);
}
/// Loads 16 bytes of read-only values.
template <class T>
__device__ Cells<T, cells_of_16_bytes<T>> load_cells(ReadOnly<T> row) {
  const int4 bytes = __ldg(reinterpret_cast<const int4*>(row.data));
  return reinterpret_cast<const Cells<T, cells_of_16_bytes<T>>&>(bytes);
}
template <class T, int width>
__device__ void store_cells(T* row, const Cells<T, width>& cells) {
  *reinterpret_cast<Cells<T, width>*>(row) = cells;
}

/// Shifts cells one column to the east; `before` becomes the first.
template <class T, int width>
__device__ Cells<T, width> moved_east(T before, const Cells<T, width>& cells) {
  Cells<T, width> moved;
  moved.v[0] = before;
#pragma unroll
  for (int k = 1; k < width; ++k)
    moved.v[k] = cells.v[k - 1];
  return moved;
}
/// Shifts cells one column to the west; `after` becomes the last.
template <class T, int width>
__device__ Cells<T, width> moved_west(const Cells<T, width>& cells, T after) {
  Cells<T, width> moved;
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    moved.v[k] = cells.v[k + 1];
  moved.v[width - 1] = after;
  return moved;
}

/// Threads of a warp that hold neighbouring parts of a row: there are `lanes`, this one is `lane`, and `all` is the mask of the
/// warp.
struct Lanes {
  int lanes = min(static_cast<int>(blockDim.x), 32);
  int lane = static_cast<int>(threadIdx.x) % lanes;
  unsigned all = blockDim.x * blockDim.y < 32 ? (1u << blockDim.x * blockDim.y) - 1 : 0xffffffffu;
};

/// The western neighbours of cells x, x + 1, … in a periodic row of nx cells. The first comes from the previous thread, or else
/// from memory.
template <class T>
__device__ Cells<T, cells_of_16_bytes<T>> from_west(ReadOnly<T> row, int x, int nx, Lanes warp = Lanes{}) {
  constexpr int width = cells_of_16_bytes<T>;
  const auto own = load_cells(row + x);
  T before = __shfl_up_sync(warp.all, own.v[width - 1], 1, warp.lanes);
  if (warp.lane == 0) before = row[x > 0 ? x - 1 : nx - 1];
  return moved_east(before, own);
}

/// The eastern neighbours of cells x, x + 1, …. The last comes from the next thread, or else from memory. The neighbour of the
/// row's last cell, wherever it is in the vector, is cell 0.
template <class T>
__device__ Cells<T, cells_of_16_bytes<T>> from_east(ReadOnly<T> row, int x, int nx, Lanes warp = Lanes{}) {
  constexpr int width = cells_of_16_bytes<T>;
  const auto own = load_cells(row + x);
  Cells<T, width> east;
  east.v[width - 1] = __shfl_down_sync(warp.all, own.v[0], 1, warp.lanes);
  const bool ends = x + width >= nx;
  if (warp.lane == warp.lanes - 1 || ends) {
    const T next = row[ends ? 0 : x + width];
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == (ends ? nx - 1 - x : width - 1)) east.v[k] = next;
  }
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    if (!(ends && k == nx - 1 - x)) east.v[k] = own.v[k + 1];
  return east;
}

/// The neighbours to the west (`dx` -1) or east (1) of cells x, x + 1, … in such a row, or the cells themselves (0).
template <class T>
__device__ Cells<T, cells_of_16_bytes<T>> beside(ReadOnly<T> row, int x, int nx, int dx) {
  if (dx == 0) return load_cells(row + x);
  return dx < 0 ? from_west(row, x, nx) : from_east(row, x, nx);
}

}  // namespace ladder::cuda
