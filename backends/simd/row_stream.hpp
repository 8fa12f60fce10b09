#pragma once

#include <cstdint>

#include "backends/simd/vector.hpp"

namespace ladder {

/// Writes one row of each of `Rows` arrays with streaming stores, from west to east, each cache line at once.
///
/// A core combines the streaming stores to a line in one of ten to twelve buffers, which its cache misses need, too. If it
/// writes half a line to each row in turn, nine or more buffers stay in use, lines go to memory in parts, and the speed halves.
/// So vectors that are narrower than a line wait in the first-level cache until the line is whole. Vectors as wide as a line
/// are written at once.
template <class T, int Rows>
class RowStream {
  using V = Vector<T>;

 public:
  /// Row i starts at `first + i * stride`, the start of a cache line.
  LADDER_INLINE RowStream(T* first, std::int64_t stride) : first_(first), stride_(stride) {}

  /// Writes `vector(i)` to the numbers from x on of each row i. x is 0 in the first call, and V::size more in each further one.
  template <class VectorOfRow>
  LADDER_INLINE void write(std::int64_t x, VectorOfRow vector) {
    if constexpr (V::size == line) {
      unroll<Rows>([&](auto i) LADDER_INLINE_LAMBDA { stream(first_ + i * stride_ + x, vector(i)); });
    } else {
      for (int i = 0; i < Rows; ++i)
        vector(i).store_aligned(waiting_[i] + x % line);
      end_ = x + V::size;
      if (end_ % line == 0) write_waiting(end_ - line, line);
    }
  }

  /// Writes the vectors that still wait, and makes all visible to other threads before later stores of this one.
  LADDER_INLINE void finish() {
    if constexpr (V::size != line)
      if (end_ % line != 0) write_waiting(end_ / line * line, end_ % line);
    stream_fence();
  }

 private:
  static constexpr std::int64_t line = cache_line_bytes / sizeof(T);  ///< numbers

  LADDER_INLINE void write_waiting(std::int64_t x, std::int64_t count) {
    for (int i = 0; i < Rows; ++i)
      for (std::int64_t k = 0; k < count; k += V::size)
        stream(first_ + i * stride_ + x + k, V::load_aligned(waiting_[i] + k));
  }

  T* first_;
  std::int64_t stride_;
  std::int64_t end_ = 0;  ///< of the numbers written or waiting
  alignas(cache_line_bytes) T waiting_[Rows][line];
};

}  // namespace ladder
