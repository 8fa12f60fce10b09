#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/d3q19/model.hpp"

namespace d3q19 {

/// Marks a case's plain tiles: 1 for a tile whose cells are all fluid and have only fluid neighbours, otherwise 0. Tiles are
/// numbered like cells, with x fastest.
///
/// The second step of a plain tile needs the first step of its cells and their neighbours, which are all fluid. A block also
/// computes the first step of the eight cells diagonally beyond the tile's corners. These may be of any kind, because no
/// population moves from them into the tile in one step.
/// @param sides of a tile, in cells along x, y and z; the last tile along an axis may be smaller, to end with the lattice
inline std::vector<std::uint8_t> plain_tiles(const Case& c, const ladder::Triple& sides) {
  const ladder::Box cells{{}, c.grid()};
  const auto parts = [&](std::size_t axis) { return (cells.extent[axis] + sides[axis] - 1) / sides[axis]; };
  const ladder::Box tiles{{}, {parts(0), parts(1), parts(2)}};
  std::vector<std::uint8_t> plain(static_cast<std::size_t>(tiles.cells()), 1);
  const std::vector<std::uint8_t> all = flags(c);
  for (std::int64_t n = 0; n < cells.cells(); ++n) {
    if (all[static_cast<std::size_t>(n)] == D3Q19_FLUID) continue;
    const auto [x, y, z] = cells.place(n);
    plain[static_cast<std::size_t>(tiles.number(x / sides[0], y / sides[1], z / sides[2]))] = 0;
  }
  return plain;
}

}  // namespace d3q19
