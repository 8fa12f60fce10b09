#pragma once

#include <cuda_pipeline.h>

#include "variants/regularized/cuda/rows.hpp"

/// Planes of a block's rows that wait in shared memory until they are expanded.
namespace regularized {

/// A queue of `planes` planes of this warp's rows, as stored: [planes][rows of a warp][10][32]. The copies of a plane start
/// planes - 1 planes before it is taken.
template <class Tile, int planes, class real>
class Queue {
  static constexpr int row = numbers * Tile::lanes, plane = Tile::per_warp * row;

 public:
  static constexpr int ahead = planes - 1;
  /// Elements per block.
  static constexpr int size = planes * plane * (Tile::warps + Tile::ring_warps);

  /// `room` belongs to the block.
  __device__ Queue(real* room, const BlockedStep<real>& step, const Tile& tile)
      : warps_(room + tile.warp * planes * plane),
        lane_(tile.lane),
        has_pairs_(step.box.nx % 2 == 0),
        // Lane n of a half copies columns 2 n and 2 n + 1: the halves copy two rows, or alternate values of one row.
        from_(__shfl_sync(~0U, tile.own[0], 2 * (tile.lane % 16))),
        to_(2 * (tile.lane % 16)) {
    const bool is_second = tile.lane >= 16;
    if constexpr (Tile::per_warp == 2) {
      const unsigned other = __shfl_sync(~0U, tile.own[1], to_);
      if (is_second) from_ = other, to_ += row;
    } else if (is_second) {
      from_ += step.line;
      to_ += Tile::lanes;
    }
  }

  /// Starts to copy the plane at `place`, if it is wanted.
  __device__ __forceinline__ void fetch(const BlockedStep<real>& step, const Tile& tile, unsigned place, bool is_wanted) {
    real* const to = warps_ + put_;
    if (is_wanted && has_pairs_) {
#pragma unroll
      for (int n = 0; n < numbers; n += 2 / Tile::per_warp)
        __pipeline_memcpy_async(to + to_ + n * Tile::lanes, step.from + (place + from_) + n * step.line, 2 * sizeof(real));
    } else if (is_wanted) {
#pragma unroll
      for (int n = 0; n < Tile::per_warp * numbers; ++n)
        to[n * Tile::lanes + lane_] = step.from[place + tile.own[n / numbers] + n % numbers * step.line];
    }
    __pipeline_commit();
    put_ = next(put_);
  }
  /// Waits for the oldest plane and loads the coefficients of this thread's cells.
  template <class Number>
  __device__ __forceinline__ void take(Number (&k)[Tile::per_warp][numbers]) {
    __pipeline_wait_prior(ahead - 1);
    __syncwarp();
#pragma unroll
    for (int n = 0; n < Tile::per_warp * numbers; ++n)
      k[n / numbers][n % numbers] = lattice::Storage<real>::load(warps_[take_ + n * Tile::lanes + lane_]);
    take_ = next(take_);
  }

 private:
  static __device__ int next(int place) { return place == ahead * plane ? 0 : place + plane; }

  real* warps_;
  int lane_;
  bool has_pairs_;  ///< whether pairs of columns stay together at the end of the box
  unsigned from_;
  int to_, put_ = 0, take_ = 0;
};

}  // namespace regularized
