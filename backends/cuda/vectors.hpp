#pragma once

#include <cstddef>

#include "backends/cuda/box.hpp"

/// One thread per vector of neighbouring cells in a row, moved by a single access.
namespace ladder::cuda {

/// Pointers to `count` arrays that are `apart` elements apart, computed on the host. An address then takes one multiply-add of
/// a pointer in the kernel's parameters and an index that several arrays share. Indices have 32 bits, because no GPU has enough
/// memory for 27 longer arrays.
template <int count, class T>
struct Arrays {
  T* of[count];

  static Arrays from(T* first, std::size_t apart) {
    Arrays arrays{};
    for (std::size_t i = 0; i < count; ++i)
      arrays.of[i] = first + i * apart;
    return arrays;
  }
};

/// Number of vectors in a box: each row starts with a whole vector, and its last vector holds the remaining cells.
__host__ __device__ constexpr unsigned vectors(Sides box, int width) {
  return static_cast<unsigned>((box.nx + width - 1) / width) * box.ny * box.nz;
}

/// The first cell of vector `number` of a box; z >= nz beyond the last vector.
struct FirstCell {
  int x, y, z;
};
__device__ inline FirstCell first_cell(unsigned number, Sides box, int width) {
  const unsigned row_vectors = (box.nx + width - 1) / width;
  const unsigned row = number / row_vectors;
  return {static_cast<int>(width * (number % row_vectors)), static_cast<int>(row % box.ny), static_cast<int>(row / box.ny)};
}

/// The rows around the vector of `width` cells at `first`, in arrays [z][y][pitch].
struct VectorRows {
  Sides box;
  unsigned pitch;
  int x, width;
  int from_y[3], from_z[3];  ///< indexed by 1 + c: the row and plane that populations moving by c come from
  unsigned west, east;       ///< offsets of the first cell's western neighbour and of the last cell's eastern neighbour

  __device__ VectorRows(FirstCell first, int width_, Sides box_, unsigned pitch_)
      : box(box_),
        pitch(pitch_),
        x(first.x),
        width(width_),
        from_y{first.y < box.ny - 1 ? first.y + 1 : 0, first.y, first.y > 0 ? first.y - 1 : box.ny - 1},
        from_z{first.z < box.nz - 1 ? first.z + 1 : 0, first.z, first.z > 0 ? first.z - 1 : box.nz - 1},
        west(x > 0 ? -1 : box.nx - 1),
        east(x + width < box.nx ? width : -x) {}

  /// Index of the cell at x in the row that populations moving by cy and cz come from.
  [[nodiscard]] __device__ unsigned operator()(int cy, int cz) const {
    return static_cast<unsigned>(from_z[1 + cz] * box.ny + from_y[1 + cy]) * pitch + x;
  }
  /// Index of the vector's last cell inside the box.
  [[nodiscard]] __device__ int last_cell() const { return min(width, box.nx - x) - 1; }
};

/// One thread per vector, numbered consecutively. Each block has `shared` bytes of shared memory.
inline Launch over_vectors(const Device& device, Sides box, int width, Shape block, std::size_t shared = 0) {
  return {device, covering({vectors(box, width), 1}, {block.count(), 1}), block, shared};
}

}  // namespace ladder::cuda
