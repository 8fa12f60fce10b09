#pragma once

#include <array>
#include <cstdint>

#include "variants/lattice/lattice.hpp"
#include "variants/lattice/pattern.hpp"
#include "variants/lattice/storage.hpp"

namespace lattice {

/// The size of a lattice in cells.
struct Extents {
  std::int64_t x = 1, y = 1, z = 1;

  [[nodiscard]] LBM_ANYWHERE constexpr std::int64_t cells() const { return x * y * z; }
};

/// Returns the size of a case.
template <class Case>
Extents extents(const Case& c) {
  const auto [x, y, z] = c.grid();
  return {x, y, z};
}

/// Wraps a coordinate that is less than one side beyond either end.
template <class Int>
LBM_ANYWHERE constexpr Int wrapped(Int n, Int side) {
  return n < 0 ? n + side : n < side ? n : n - side;
}

/// A layout as strides, in elements: slot i of cell (x, y, z) is element origin + i * q + x * this->x + ….
struct Strides {
  std::int64_t origin = 0, x = 0, y = 0, z = 0, q = 0;

  LBM_ANYWHERE constexpr std::int64_t operator()(int i, std::int64_t cell_x, std::int64_t cell_y, std::int64_t cell_z) const {
    return origin + i * q + cell_x * x + cell_y * y + cell_z * z;
  }
};

/// Where a state's populations are in memory: a layout, seen through a pattern before one of its phases.
struct Places {
  static constexpr int most_q = D2Q37_Q;

  int q = 0;
  Extents extents;
  Strides strides;
  Access access[most_q];  ///< where population i is after it left a cell, relative to that cell
  /// The row at the bottom wall of the lattice; the row before it is at the top wall. -1 if there are no walls. A population
  /// that would cross a wall turns around: it returns to its column, in the slot of the opposite direction.
  int bottom = -1;
  int opposite[most_q] = {};  ///< of each slot
  /// [x + extents.x * (y + extents.y * z)], in the same memory as the state: nonzero cells have no state and count as at rest.
  /// If null, all cells have a state.
  const std::uint8_t* solid = nullptr;
  double density = 1;  ///< at rest
  double rest[most_q] =
      {};  ///< population i is stored as its distance from density * rest[i], divided by density (storage.hpp)

  /// Returns population i of a cell, given what a lattice of `real` stores.
  template <class real>
  [[nodiscard]] LBM_ANYWHERE double population(int i, real stored) const {
    return density * (rest[i] + Storage<real>::template load<double>(stored));
  }
  /// The inverse of population().
  template <class real>
  [[nodiscard]] LBM_ANYWHERE real stored(int i, double population) const {
    return Storage<real>::store(population / density - rest[i]);
  }

  /// Returns whether a cell has a state.
  [[nodiscard]] LBM_ANYWHERE constexpr bool has_state(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return solid == nullptr || solid[x + extents.x * (y + extents.y * z)] == 0;
  }

  /// Returns the index of population i that left cell (x, y, z).
  LBM_ANYWHERE constexpr std::int64_t operator()(int i, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto& [slot, offset] = access[i];
    if (bottom >= 0) {
      const std::int64_t row = wrapped(y - bottom, extents.y) + offset.y;
      const std::int64_t back = row < 0 ? -1 - row : 2 * extents.y - 1 - row;
      if (row < 0 || row >= extents.y) return strides(opposite[slot], x, wrapped(back + bottom, extents.y), z);
    }
    return strides(slot, wrapped(x + offset.x, extents.x), wrapped(y + offset.y, extents.y), wrapped(z + offset.z, extents.z));
  }
};

/// Returns the places of a state with this density at rest before phase `phase` of a pattern.
template <Lattice L, class Pattern>
constexpr Places places(const Extents& extents, const Strides& strides, int phase, double density = 1) {
  Places all{.q = L::q, .extents = extents, .strides = strides, .access = {}, .density = density};
  for (int i = 0; i < L::q; ++i) {
    const Access read = Pattern::template read<L>(phase, i);
    all.access[i] = {read.slot, L::c(i) + read.offset};
    all.opposite[i] = L::opposite(i);
    all.rest[i] = L::rest(i);
  }
  return all;
}

}  // namespace lattice
