#pragma once

#include "backends/cuda/cells.hpp"
#include "variants/d2q9/cuda/step_solver.hpp"

namespace d2q9 {

/// Whether the population of direction i comes from the west or from the east.
__device__ constexpr bool from_west(int i) { return i == 1 || i == 5 || i == 8; }
__device__ constexpr bool from_east(int i) { return i == 3 || i == 6 || i == 7; }

/// A thread's `width` cells, starting at column x of a row; those of a last block may lie outside the grid.
template <int width>
struct Span {
  int x, nx;
  bool inside, first, last;  ///< within the grid; the first or the last thread of the block that is

  __device__ Span(int nx_)
      : x(width * (blockIdx.x * blockDim.x + threadIdx.x)),
        nx(nx_),
        inside(x < nx),
        first(threadIdx.x == 0),
        last(inside && (threadIdx.x == blockDim.x - 1 || x + width == nx)) {}
  __device__ int west() const { return x > 0 ? x - 1 : nx - 1; }          ///< of the first cell
  __device__ int east() const { return x + width < nx ? x + width : 0; }  ///< of the last cell

  /// Reads the thread's own columns, optionally without the first or the last one.
  template <class real>
  __device__ Cells<real, width> load(const real* row, bool but_first = false, bool but_last = false) const {
    Cells<real, width> cells{};
    if (!but_first && !but_last && inside) cells = load_cells<width>(row + x);
    if (but_first || but_last)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (!(but_first && k == 0) && !(but_last && k == width - 1)) cells.v[k] = row[x + k];
    return cells;
  }
  template <class real>
  __device__ void store(const Cells<real, width>& cells, real* row, bool but_first = false, bool but_last = false) const {
    if (!but_first && !but_last && inside) store_cells(row + x, cells);
    if (but_first || but_last)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (!(but_first && k == 0) && !(but_last && k == width - 1)) row[x + k] = cells.v[k];
  }
};

/// The tunable for the cells per thread, and its value for the rows of a case.
inline ladder::Tunable span_tunable() {
  return {.name = "width",
          .meaning =
              "cells of a row per thread; 1 if the row length is not a multiple of it; 0: 4 in single precision, otherwise 1",
          .values = {0, 1, 2, 4},
          .initial = 0};
}
template <class real>
int span_width(const Case& c, const ladder::Tuning& tuning) {
  const int width = tuning.at("width") > 0 ? tuning.at("width") : sizeof(real) == 4 ? 4 : 1;
  return c.nx % width == 0 ? width : 1;
}

/// The tunable for the threads of a block, which form a single row.
inline ladder::Tunable length_tunable() {
  return {.name = "wx", .meaning = "threads per block, along x", .values = {32, 64, 128, 256}, .initial = 128};
}
inline Shape row_block(const ladder::Tuning& tuning) { return {static_cast<std::size_t>(tuning.at("wx")), 1}; }

}  // namespace d2q9
