#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/d3q19/model.hpp"

namespace d3q19 {

/// The numbers of a lattice's tiles, those with the most cells next to boundaries first. Tiles with equally many keep their
/// order. `sides`: of a tile, in cells along x, y and z; the last tile along an axis ends with the lattice. Tiles are numbered
/// like cells, with x fastest.
inline std::vector<std::uint32_t> longest_first(const Case& c, const ladder::Triple& sides) {
  const ladder::Box cells{{}, c.grid()};
  const auto parts = [&](std::size_t axis) { return (cells.extent[axis] + sides[axis] - 1) / sides[axis]; };
  const ladder::Box tiles{{}, {parts(0), parts(1), parts(2)}};
  std::vector<std::uint32_t> near(static_cast<std::size_t>(tiles.cells())), order(near.size());
  const std::vector<std::uint8_t> all = flags(c);
  for (std::int64_t n = 0; n < cells.cells(); ++n) {
    const auto [x, y, z] = cells.place(n);
    if ((all[static_cast<std::size_t>(n)] & D3Q19_NEAR) != 0)
      ++near[static_cast<std::size_t>(tiles.number(x / sides[0], y / sides[1], z / sides[2]))];
  }
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::uint32_t tile) { return near[tile]; });
  return order;
}

}  // namespace d3q19
