#pragma once

#include "variants/d3q19/cuda/row_cells.hpp"
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {

/// The flags of a vector of cells, as the bytes of one or two words.
template <int width>
struct Flags {
  static_assert(width == 1 || width == 2 || width == 4 || width == 8);
  static constexpr int words = width == 8 ? 2 : 1;
  /// A flag bit, repeated in every byte of a word.
  static LBM_ANYWHERE constexpr unsigned all(unsigned bit) { return bit * (0x01010101u >> 8 * (width < 4 ? 4 - width : 0)); }

  unsigned word[words];

  /// Flags of the vector that starts at `flags`, which must be aligned.
  static __device__ Flags of(const std::uint8_t* flags) {
    if constexpr (width == 8) {
      const uint2 both = __ldg(reinterpret_cast<const uint2*>(flags));
      return {both.x, both.y};
    } else if constexpr (width == 4) {
      return {__ldg(reinterpret_cast<const unsigned*>(flags))};
    } else if constexpr (width == 2) {
      return {__ldg(reinterpret_cast<const unsigned short*>(flags))};
    } else {
      return {__ldg(flags)};
    }
  }
  /// The same flags for all cells.
  static __device__ Flags same(unsigned of_cell) {
    Flags flags;
#pragma unroll
    for (unsigned& word : flags.word)
      word = all(of_cell);
    return flags;
  }

  /// Whether all cells are fluid and far from boundaries.
  [[nodiscard]] __device__ bool plain() const {
    unsigned other = 0;  // byte k: cell k is not
#pragma unroll
    for (const unsigned flags : word)
      other |= __vsetne4(flags, all(D3Q19_FLUID));
    return other == 0;
  }
  /// Whether all cells are fluid.
  [[nodiscard]] __device__ bool full() const {
    unsigned solid = 0;
#pragma unroll
    for (const unsigned flags : word)
      solid |= __vsetne4(flags & all(D3Q19_FLUID), all(D3Q19_FLUID));
    return solid == 0;
  }
  /// Whether no cell is fluid.
  [[nodiscard]] __device__ bool empty() const {
    unsigned fluid = 0;
#pragma unroll
    for (const unsigned flags : word)
      fluid |= __vsetne4(flags & all(D3Q19_FLUID), 0);
    return fluid == 0;
  }
  /// Whether a bit is set for cell k.
  [[nodiscard]] __device__ bool has(int k, unsigned bit) const {
    return ((k < 4 ? word[0] : word[words - 1]) >> 8 * (k % 4) & bit) != 0;
  }
};

/// The rows around a thread's vector of `width` cells, which begins at `first`.
struct OwnRows : VectorRows {
  template <class real>
  __device__ OwnRows(const Step<real>& step, FirstCell first, int width) : VectorRows(first, width, step.box, step.pitch) {}

  /// Index of the cell at x in the row from which population i comes.
  [[nodiscard]] __device__ unsigned operator()(int i) const { return VectorRows::operator()(d3q19_cy[i], d3q19_cz[i]); }
};

/// Whether the value beyond the first or last cell of a thread's vector is not read by the neighbouring lane, because that lane
/// is in another warp, at the other end of the row, or not `awake`.
struct Ends {
  bool first, last;
};
__device__ inline Ends ends_of(unsigned awake, bool row_begins, bool row_ends) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return {lane == 0 || row_begins || (awake >> (lane - 1) & 1) == 0, lane == 31 || row_ends || (awake >> (lane + 1) & 1) == 0};
}

/// Maximum threads per block, for kernels that update one vector per thread.
constexpr int most_vector_threads = 256;

/// Launch bound of these kernels. The compiler assigns as many registers as a vector needs: 128 for 16 bytes in single and half
/// precision, about 140 in double precision.
template <int width, class real>
constexpr int vector_bound = sizeof(real) * width == 16 && sizeof(real) < 8 ? most_vector_threads : 384;

/// The tunable `width`, for rungs whose threads by default update as many cells as a word has flags.
inline ladder::Tunable quad_tunable() {
  ladder::Tunable width = lattice::cuda::width_tunable();
  width.initial = 4;
  return width;
}

}  // namespace d3q19
