#pragma once

#include <cstdint>

#include "backends/simd/vector.hpp"

namespace ladder {

/// Writes one row of each of `Rows` arrays with streaming stores, from west to east, one whole cache line at a time.
///
/// A core combines streaming stores to the same line in one of ten to twelve fill buffers, which its cache misses need, too.
/// Writing half a line to each row in turn keeps nine or more buffers in use, so lines go to memory in pieces and the speed
/// halves. Vectors narrower than a line are therefore held in the L1 cache until the line is complete. Vectors as wide as a
/// line are written immediately.
template <class T, int Rows>
class RowStream {
  using V = Vector<T>;

 public:
  /// Row i starts at `first + i * stride`, which must be the start of a cache line.
  LADDER_INLINE RowStream(T* first, std::int64_t stride) : first_(first), stride_(stride) {}

  /// Writes `vector(i)` to each row i, starting at element x. x is 0 in the first call and grows by V::size with each call.
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

  /// Writes the vectors still held back, and makes all of them visible to other threads before later stores of this one.
  LADDER_INLINE void finish() {
    if constexpr (V::size != line)
      if (end_ % line != 0) write_waiting(end_ / line * line, end_ % line);
    stream_fence();
  }

 private:
  static constexpr std::int64_t line = cache_line_bytes / sizeof(T);  ///< in elements

  LADDER_INLINE void write_waiting(std::int64_t x, std::int64_t count) {
    for (int i = 0; i < Rows; ++i)
      for (std::int64_t k = 0; k < count; k += V::size)
        stream(first_ + i * stride_ + x + k, V::load_aligned(waiting_[i] + k));
  }

  T* first_;
  std::int64_t stride_;
  std::int64_t end_ = 0;  ///< end of the elements written or held back
  alignas(cache_line_bytes) T waiting_[Rows][line];
};

}  // namespace ladder
