#pragma once

#include <cuda_pipeline.h>

#include "variants/regularized/cuda/rows.hpp"

/// Planes of a block's rows that wait in shared memory until they are expanded.
namespace regularized {

/// A queue of `planes` planes of this warp's rows, as stored: [planes][rows of a warp][10][32]. The copies of a plane start
/// planes - 1 planes before it is taken.
template <class Tile, int planes, class Step>
class Queue {
  using real = typename Step::real;

 protected:
  static constexpr int row = numbers * Tile::lanes, plane = Tile::per_warp * row;

 public:
  static constexpr int ahead = planes - 1;
  /// Elements per block.
  static constexpr int size = planes * plane * (Tile::warps + Tile::ring_warps);

  /// `room` belongs to the block. In shared memory, a lane's cell is in column `column_of(lane)` of its row. Lanes 2 n and 2 n
  /// + 1 must have adjacent columns.
  template <class ColumnOf>
  __device__ Queue(real* room, const Step& step, const Tile& tile, const ColumnOf& column_of)
      : warps_(room + tile.warp * planes * plane),
        column_(column_of(tile.lane)),
        has_pairs_(step.box.nx % 2 == 0),
        // Lane n of each half-warp copies the cells of lanes 2 n and 2 n + 1. The two halves copy one row each, or alternate
        // values of a single row.
        from_(__shfl_sync(~0U, tile.own[0], 2 * (tile.lane % 16))),
        to_(column_of(2 * (tile.lane % 16))) {
    const bool is_second = tile.lane >= 16;
    if constexpr (Tile::per_warp == 2) {
      const unsigned other = __shfl_sync(~0U, tile.own[1], 2 * (tile.lane % 16));
      if (is_second) from_ = other, to_ += row;
    } else if (is_second) {
      from_ += Step::line;
      to_ += Tile::lanes;
    }
  }
  __device__ Queue(real* room, const Step& step, const Tile& tile) : Queue(room, step, tile, [](int lane) { return lane; }) {}

  /// Starts copying the plane at `place` if `is_wanted`.
  __device__ __forceinline__ void fetch(const Step& step, const Tile& tile, unsigned place, bool is_wanted) {
    if (is_wanted) copy(step, tile, place);
    advance();
  }
  /// Waits for the oldest plane and loads the coefficients of this thread's cells.
  template <class Number>
  __device__ __forceinline__ void take(Number (&k)[Tile::per_warp][numbers]) {
    __pipeline_wait_prior(ahead - 1);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < Tile::per_warp * numbers; ++n)
      k[n / numbers][n % numbers] = lattice::Storage<real>::load(warps_[take_ + n * Tile::lanes + column_]);
    take_ = next(take_);
  }

 protected:
  /// Where the next plane goes.
  __device__ real* put() const { return warps_ + put_; }
  __device__ __forceinline__ void copy(const Step& step, const Tile& tile, unsigned place) {
    if (has_pairs_) {
#pragma unroll
      for (int n = 0; n < numbers; n += 2 / Tile::per_warp)
        __pipeline_memcpy_async(put() + to_ + n * Tile::lanes, step.from + (place + from_) + n * Step::line, 2 * sizeof(real));
    } else {
#pragma unroll
      for (int n = 0; n < Tile::per_warp * numbers; ++n)
        put()[n * Tile::lanes + column_] = step.from[place + tile.own[n / numbers] + n % numbers * Step::line];
    }
  }
  __device__ void advance() {
    __pipeline_commit();
    put_ = next(put_);
  }

 private:
  static __device__ int next(int place) { return place == ahead * plane ? 0 : place + plane; }

  real* warps_;
  int column_;
  bool has_pairs_;  ///< whether pairs of columns stay together at the end of the box
  unsigned from_;
  int to_, put_ = 0, take_ = 0;
};

}  // namespace regularized
