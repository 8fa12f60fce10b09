#pragma once

#include "variants/regularized/cuda/copy_bulk.hpp"
#include "variants/regularized/cuda/rows.hpp"
#include "variants/regularized/cuda/split_barrier.hpp"

/// Moves the rows of a tile, with margins, to shared memory and back by bulk copies.
namespace regularized {

/// Barriers between warps with adjacent rows. There is one between each two adjacent warps, and one at each end of the tile,
/// shared with the ring's warps.
template <class Tile>
class BorderBarriers {
 public:
  static constexpr int count = (Tile::warps + 2) / 2 * 2;  ///< even, so that what follows stays aligned to 16 bytes

  /// Initializes states[count], which are in shared memory. Call from one thread, followed by __syncthreads().
  __device__ static void initialize(std::uint64_t* states) {
    for (int border = 0; border <= Tile::warps; ++border)
      SplitBarrier::initialize(&states[border], border == 0 || border == Tile::warps ? 1 + Tile::ring_warps : 2);
  }
  /// Warps of the ring use the first and the last barrier.
  __device__ BorderBarriers(std::uint64_t* states, const Tile& tile)
      : south_(&states[tile.is_ring() ? 0 : tile.warp]), north_(&states[tile.is_ring() ? Tile::warps : tile.warp + 1]) {}

  /// Waits for the warps with adjacent rows.
  __device__ void meet() {
    south_.arrive();
    north_.arrive();
    south_.wait();
    north_.wait();
  }

 private:
  SplitBarrier south_, north_;
};

/// Step for a lattice in which the coefficients of a cell are adjacent.
template <class real>
using CellStep = BlockedStep<real, 1>;

/// Two planes of this warp's rows and their margins in shared memory, in the storage format: [planes][rows of a
/// warp][columns][10]. One plane is copied in while the other is in use. Results overwrite the plane that is no longer needed
/// and are copied out from there. One lane per row starts that row's copies.
template <class Tile, class real>
class BulkRows {
  using Step = CellStep<real>;
  struct alignas(2 * sizeof(real)) Pair {
    real of[2];
  };

 public:
  static constexpr int planes = 2, ahead = planes - 1;
  /// Columns that a tile writes, of one margin, and of a row with both margins. With this margin, copies start at multiples of
  /// 32 bytes (16 in 16-bit storage). A tile uses only the two columns next to it.
  static constexpr int written = Tile::columns - 2,
                       margin = sizeof(real) > sizeof(float) ? 2 : 4, columns = written + 2 * margin;

  /// `room` is the block's buffer. `loaded` points to this warp's barriers, one per plane; one lane per row arrives at each.
  __device__ BulkRows(real* room, std::uint64_t* loaded, const Step& step, const Tile& tile)
      : warps_(room + tile.warp * planes * plane), loaded_(loaded), cell_((tile.lane - 2 + margin) * numbers) {
    const int nx = step.box.nx, x = tile.first_column;
    is_aligned_ = nx % margin == 0;
    is_inner_ = x >= margin && x + written + margin <= nx;
    // Lane n copies the warp's row n. Lane 2 owns the first column that the tile writes.
    const unsigned first = __shfl_sync(~0U, tile.own[0], 2), last = __shfl_sync(~0U, tile.own[Tile::per_warp - 1], 2);
    const bool writes_first = __shfl_sync(~0U, tile.writes[0], 2),
               writes_last = __shfl_sync(~0U, tile.writes[Tile::per_warp - 1], 2);
    copies_ = is_aligned_ && tile.lane < Tile::per_warp;
    writes_ = copies_ && (tile.lane == 0 ? writes_first : writes_last);
    own_ = tile.lane == 0 ? first : last;
    west_ = own_ + ((x >= margin ? x : nx) - margin - x) * numbers;
    east_ = own_ + ((x + written < nx ? x + written : 0) - x) * numbers;
    size_ = min(written, nx - x) * numbers;
    row_ = tile.lane * row;
  }

  /// Starts copying the plane at `place` if `is_wanted`.
  __device__ __forceinline__ void fetch(const Step& step, const Tile& tile, unsigned place, bool is_wanted) {
    real* const to = warps_ + put_ * plane;
    if (is_wanted && copies_) {
      constexpr int side = margin * numbers;
      const real *const from = step.from + place, *const west = from + west_;
      std::uint64_t* const barrier = loaded_ + put_;
      wait_stored_bulk();
      if (is_inner_) {
        expect_bulk(barrier, row * sizeof(real));
        load_bulk(to + row_, west, row * sizeof(real), barrier);
      } else {
        expect_bulk(barrier, (size_ + 2 * side) * sizeof(real));
        load_bulk(to + row_, west, side * sizeof(real), barrier);
        load_bulk(to + row_ + side, from + own_, size_ * sizeof(real), barrier);
        load_bulk(to + row_ + side + size_, from + east_, side * sizeof(real), barrier);
      }
    } else if (is_wanted && !is_aligned_) {
#pragma unroll
      for (int n = 0; n < Tile::per_warp; ++n)
        for (int m = 0; m < numbers; ++m)
          to[cell_ + n * row + m] = step.from[place + tile.own[n] + m];
    }
    put_ ^= 1;
  }
  /// Waits for the next plane and loads the coefficients of this thread's cells into k.
  template <class Number>
  __device__ __forceinline__ void take(Number (&k)[Tile::per_warp][numbers]) {
    if (is_aligned_) wait_bulk(loaded_ + take_, parity_);
    taken_ = warps_ + take_ * plane;
    parity_ ^= static_cast<unsigned>(take_);
    take_ ^= 1;
    for_each_pair([&](int n, int m, Pair& pair) {
      k[n][m] = lattice::Storage<real>::load(pair.of[0]);
      k[n][m + 1] = lattice::Storage<real>::load(pair.of[1]);
    });
  }
  /// Loads the coefficients of this thread's cell n again, from the last plane taken. Call before store(), which overwrites
  /// them.
  template <class Number>
  __device__ __forceinline__ void reload(int n, Number (&k)[numbers]) const {
#pragma unroll
    for (int m = 0; m < numbers; ++m)
      k[m] = lattice::Storage<real>::load(taken_[cell_ + n * row + m]);
  }
  /// Stores k, the new coefficients of this thread's cells, in the plane at `place` of the other lattice. Overwrites the plane
  /// that was taken last, so call at most once per take().
  template <class Number>
  __device__ __forceinline__ void store(const Step& step, const Tile& tile, unsigned place,
                                        const Number (&k)[Tile::per_warp][numbers]) {
    if (!is_aligned_) {
#pragma unroll
      for (int n = 0; n < Tile::per_warp; ++n)
        if (tile.writes[n]) step.store(place + tile.own[n], k[n]);
      return;
    }
    for_each_pair([&](int n, int m, Pair& pair) {
      pair = {{lattice::Storage<real>::store(k[n][m]), lattice::Storage<real>::store(k[n][m + 1])}};
    });
    publish_bulk();
    __syncwarp();
    if (writes_) store_bulk(step.to + place + own_, taken_ + row_ + margin * numbers, size_ * sizeof(real));
  }
  /// Waits until this thread's copies no longer need shared memory. Call before the thread exits.
  __device__ void finish() { wait_stored_bulk(); }

 private:
  static constexpr int row = columns * numbers, plane = Tile::per_warp * row;

  /// Calls visit(n, m, pair) for coefficients m and m + 1 of this thread's cell n, in the plane that was taken last.
  template <class Visit>
  __device__ __forceinline__ void for_each_pair(const Visit& visit) {
#pragma unroll
    for (int n = 0; n < Tile::per_warp; ++n)
#pragma unroll
      for (int m = 0; m < numbers; m += 2)
        visit(n, m, *reinterpret_cast<Pair*>(taken_ + cell_ + n * row + m));
  }

  real *warps_, *taken_ = nullptr;
  std::uint64_t* loaded_;
  int cell_;                    ///< offset of this thread's first cell in a plane of the warp
  bool is_aligned_;             ///< whether the width of the box is a multiple of `margin`, as bulk copies require here
  bool is_inner_;               ///< whether the margins are next to the tile in memory
  bool copies_, writes_;        ///< whether this lane starts copies to shared memory; from shared memory
  unsigned own_, west_, east_;  ///< offsets in a plane of the box: of a row's written columns and of its margins
  int size_, row_;              ///< elements in a row's written columns; offset of this lane's row in the warp's plane
  int put_ = 0, take_ = 0;      ///< planes to fill next and to take next
  unsigned parity_ = 0;
};

}  // namespace regularized
