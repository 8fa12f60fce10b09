#pragma once

#include <cstdint>

#include "backends/cuda/cells.hpp"
#include "base/half.hpp"

namespace d3q19 {

/// Values of `width` neighbouring cells in a row; same functions as ladder::cuda::Cells.
template <class real, int width>
struct RowCells {
  ladder::cuda::Cells<real, width> cells;

  static __device__ RowCells of(const real* row) { return {ladder::cuda::load_cells<width>(row)}; }
  __device__ void store(real* row) const { ladder::cuda::store_cells(row, cells); }
  [[nodiscard]] __device__ real get(int k) const { return cells.v[k]; }
  __device__ void set(int k, real number) { cells.v[k] = number; }

  /// Shifts the cells by one column to the east, among the threads in `awake`: the first value comes from the previous thread,
  /// or is `beyond`.
  [[nodiscard]] __device__ RowCells moved_east(unsigned awake, bool first, real beyond) const {
    const real before = __shfl_up_sync(awake, cells.v[width - 1], 1);
    return {ladder::cuda::moved_east(first ? beyond : before, cells)};
  }
  /// Shifts the cells by one column to the west: the last value comes from the next thread; at index `end`, if in range, it is
  /// `beyond`.
  [[nodiscard]] __device__ RowCells moved_west(unsigned awake, int end, real beyond) const {
    RowCells moved{ladder::cuda::moved_west(cells, __shfl_down_sync(awake, cells.v[0], 1))};
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == end) moved.set(k, beyond);
    return moved;
  }
};

/// The same for half precision, keeping pairs in one register; the compiler would use a register for each value.
template <int width>
struct RowCells<ladder::Half, width> {
  static_assert(width % 2 == 0);
  using Words = ladder::cuda::Cells<std::uint32_t, width / 2>;

  Words words;

  static __device__ RowCells of(const ladder::Half* row) {
    return {ladder::cuda::load_cells<width / 2>(reinterpret_cast<const std::uint32_t*>(row))};
  }
  __device__ void store(ladder::Half* row) const { ladder::cuda::store_cells(reinterpret_cast<std::uint32_t*>(row), words); }
  [[nodiscard]] __device__ ladder::Half get(int k) const {
    return {static_cast<std::uint16_t>(words.v[k / 2] >> 16 * (k % 2))};
  }
  __device__ void set(int k, ladder::Half number) {
    words.v[k / 2] = __byte_perm(words.v[k / 2], number.bits, k % 2 == 0 ? 0x3254 : 0x5410);
  }

  [[nodiscard]] __device__ RowCells moved_east(unsigned awake, bool first, ladder::Half beyond) const {
    std::uint32_t before = __shfl_up_sync(awake, words.v[width / 2 - 1], 1);
    if (first) before = std::uint32_t{beyond.bits} << 16;
    RowCells moved;
#pragma unroll
    for (int k = 0; k < width / 2; ++k)
      moved.words.v[k] = __funnelshift_l(k == 0 ? before : words.v[k - 1], words.v[k], 16);
    return moved;
  }
  [[nodiscard]] __device__ RowCells moved_west(unsigned awake, int end, ladder::Half beyond) const {
    const std::uint32_t after = __shfl_down_sync(awake, words.v[0], 1);
    RowCells moved;
#pragma unroll
    for (int k = 0; k < width / 2; ++k)
      moved.words.v[k] = __funnelshift_r(words.v[k], k == width / 2 - 1 ? after : words.v[k + 1], 16);
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == end) moved.set(k, beyond);
    return moved;
  }
};

}  // namespace d3q19
