#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "backends/cuda/shared.hpp"
#include "variants/d2q9/cuda/pass.hpp"

/// Rows of a pass that wait in shared memory. Each lane reads only values that it wrote itself, so no lane waits for another.
namespace d2q9 {

/// The rows that a warp reads next, [2][9][32] groups of `width` elements.
template <int width, class real>
class Ahead {
 public:
  /// Shared-memory elements per warp.
  static constexpr int size = 2 * 9 * 32 * width;

  __device__ explicit Ahead(real* room) : room_(room) {}

  /// Starts copying the populations that arrive in a row, from the columns that they left.
  __device__ void fetch(const Pass<real>& pass, const Part<width>& part, const RowsAround& rows) {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      __pipeline_memcpy_async(cells(i, part), pass.f.of[i] + rows.from(d2q9_cy[i]) + part.x, width * sizeof(real));
    __pipeline_commit();
    turn_ = size / 2 - turn_;
  }
  /// Waits for the row fetched before the last one.
  __device__ void read(Cells<real, width> (&s)[9], const Part<width>& part) const {
    __pipeline_wait_prior(1);
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = load_cells<width>(cells(i, part));
  }

 private:
  __device__ real* cells(int i, const Part<width>& part) const { return room_ + turn_ + (i * 32 + part.lane) * width; }

  real* room_;
  int turn_ = 0;
};

/// A delay whose northward populations wait in shared memory, [2][3][32] groups of `width` elements; those of a row replace
/// those of the row two rows earlier.
template <int width, class real>
class SharedDelay {
 public:
  /// Shared-memory elements per warp.
  static constexpr int size = 2 * 3 * 32 * width;

  __device__ void pass(Cells<real, width> (&s)[9], real* waiting, bool odd) {
#pragma unroll
    for (int n = 0; n < 3; ++n) {
      exchange(s[in_row[n]], in_row_[n]);
      exchange(s[northward[n]],
               *reinterpret_cast<Cells<real, width>*>(waiting + odd * size / 2 + (n * 32 + threadIdx.x % 32) * width));
    }
  }

 private:
  Cells<real, width> in_row_[3] = {};
};

/// Obstacle bytes of a lane's cells, kept as they are in memory so that the warp does not wait for them when they are fetched.
/// They are converted to bits when they are needed.
template <int width>
class RawMarks {
 public:
  /// Loads them into a 32-bit register: with a 16-bit register, the compiler would combine its halves at once, and wait.
  template <class real>
  __device__ void fetch(const Problem<real>& c, unsigned cell) {
    const std::uint8_t* const from = c.solid + cell;
    if constexpr (width == 1) asm("ld.global.nc.u8 %0, [%1];" : "=r"(bytes_) : "l"(from));
    if constexpr (width == 2) asm("ld.global.nc.u16 %0, [%1];" : "=r"(bytes_) : "l"(from));
    if constexpr (width == 4) asm("ld.global.nc.u32 %0, [%1];" : "=r"(bytes_) : "l"(from));
  }
  /// Returns the bits; bit v marks cell v.
  __device__ unsigned bits() const {
    if constexpr (width == 4) return bytes_ * 0x01020408u >> 24 & 0xfu;  // moves byte v to bit 24 + v
    return width == 2 ? (bytes_ | bytes_ >> 7) & 3u : bytes_;
  }

 private:
  unsigned bytes_;
};

}  // namespace d2q9
