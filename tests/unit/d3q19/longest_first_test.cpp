#include "variants/d3q19/cuda/27_longest_first/longest_first.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace d3q19 {
namespace {

TEST(LongestFirst, TilesWithMoreCellsNextToBoundariesComeEarlier) {
  // Four tiles along x and two along y. A wall at (7, 1) is next to five cells of its own tile and to three of the next.
  Case c;
  c.nx = 16;
  c.ny = 8;
  c.nz = 1;
  c.solid.assign(16 * 8, 0);
  c.solid[1 * 16 + 7] = D3Q19_WALL;
  EXPECT_EQ(longest_first(c, {4, 4, 1}), (std::vector<std::uint32_t>{1, 2, 0, 3, 4, 5, 6, 7}));
}

TEST(LongestFirst, EveryTileIsTakenOnce) {
  const Case c = Model::make_case("sphere20-101x20x20");
  std::vector<std::uint32_t> order = longest_first(c, {32, 3, 4});
  std::vector<std::uint32_t> all(4 * 7 * 5);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_NE(order, all);
  std::ranges::sort(order);
  EXPECT_EQ(order, all);
}

TEST(LongestFirst, ABoxWithoutObstaclesKeepsItsOrder) {
  const std::vector<std::uint32_t> order = longest_first(Model::make_case("box-70x11x9"), {32, 3, 4});
  EXPECT_EQ(order.size(), 3u * 4 * 3);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

}  // namespace
}  // namespace d3q19
