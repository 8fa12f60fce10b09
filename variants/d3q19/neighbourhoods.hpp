#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/d3q19/model.hpp"

namespace d3q19 {

/// What is around each cell, in a byte: a table has the kinds of the neighbours for each of the most frequent neighbourhoods,
/// so that a kernel reads one entry of it instead of 18 flags.
struct Neighbourhoods {
  /// Codes of cells. Those from `first` to before `other` are entries of the table.
  static constexpr std::uint8_t solid = 0;    ///< not fluid
  static constexpr std::uint8_t plain = 1;    ///< fluid, as all neighbours are
  static constexpr std::uint8_t first = 2;    ///< the most frequent neighbourhood of near cells
  static constexpr std::uint8_t other = 255;  ///< a neighbourhood that the table lacks

  /// Kinds of the neighbours in the directions 1 to 18, 3 bits for each: of direction i in word i / 10, from bit 3 * (i % 10)
  /// on. 0: fluid.
  using Kinds = std::array<std::uint32_t, 2>;

  std::vector<std::uint8_t> codes;  ///< [(z * ny + y) * nx + x]
  std::vector<Kinds> table;         ///< [code], of `other` entries

  explicit Neighbourhoods(const Case& c);
};

}  // namespace d3q19
