#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/d3q19/model.hpp"

namespace d3q19 {

/// The neighbourhood of each cell as a byte. For the most frequent neighbourhoods, a table holds the kinds of the neighbours,
/// so that a kernel reads one table entry instead of 18 flags.
struct Neighbourhoods {
  /// Codes of cells. Codes in [first, other) have an entry in the table.
  static constexpr std::uint8_t solid = 0;    ///< not fluid
  static constexpr std::uint8_t plain = 1;    ///< fluid, as are all neighbours
  static constexpr std::uint8_t first = 2;    ///< the most frequent neighbourhood of near cells
  static constexpr std::uint8_t other = 255;  ///< a neighbourhood that is not in the table

  /// Kinds of the neighbours in directions 1 to 18, 3 bits each: direction i is in word i / 10, starting at bit 3 * (i % 10). 0
  /// means fluid.
  using Kinds = std::array<std::uint32_t, 2>;

  std::vector<std::uint8_t> codes;  ///< [(z * ny + y) * nx + x]
  std::vector<Kinds> table;         ///< [code], with `other` entries

  explicit Neighbourhoods(const Case& c);
};

}  // namespace d3q19
