#include "variants/d3q19/cuda/26_plain_tiles/plain_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace d3q19 {
namespace {

/// A box in which about one cell in `apart` is a wall.
Case scattered(const ladder::Triple& sides, double apart, std::uint64_t seed) {
  Case c;
  c.nx = static_cast<int>(sides[0]);
  c.ny = static_cast<int>(sides[1]);
  c.nz = static_cast<int>(sides[2]);
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(c.cells()); ++n)
    c.solid.push_back(ladder::uniform(n + (seed << 32)) * apart < 1 ? D3Q19_WALL : 0);
  return c;
}

/// A reference for plain_tiles() that examines every cell of each tile.
std::vector<std::uint8_t> examined(const Case& c, const ladder::Triple& sides) {
  std::vector<std::uint8_t> plain;
  for (std::int64_t z = 0; z < c.nz; z += sides[2])
    for (std::int64_t y = 0; y < c.ny; y += sides[1])
      for (std::int64_t x = 0; x < c.nx; x += sides[0]) {
        const ladder::Box tile = ladder::Box{{x, y, z}, sides}.common({{}, c.grid()});
        bool is_plain = true;
        for (std::int64_t n = 0; n < tile.cells(); ++n) {
          const auto [tx, ty, tz] = tile.place(n);
          is_plain = is_plain && c.kind(tx, ty, tz) == 0 && !c.is_near(tx, ty, tz);
        }
        plain.push_back(is_plain ? 1 : 0);
      }
  return plain;
}

TEST(PlainTiles, HaveOnlyFluidCellsWithFluidNeighbours) {
  std::int64_t plain = 0, others = 0;
  std::uint64_t seed = 0;
  for (const ladder::Triple& box : {ladder::Triple{12, 12, 12}, {13, 9, 11}, {40, 5, 3}, {7, 5, 3}, {2, 1, 30}})
    for (const ladder::Triple& tile : {ladder::Triple{4, 3, 4}, {5, 2, 3}, {32, 2, 4}, {1, 1, 1}})
      for (const double apart : {10., 100., 400.}) {
        const Case c = scattered(box, apart, ++seed);
        const std::vector<std::uint8_t> all = plain_tiles(c, tile);
        ASSERT_EQ(all, examined(c, tile)) << seed;
        const auto count = std::ranges::count(all, 1);
        plain += count;
        others += std::ssize(all) - count;
      }
  EXPECT_GT(plain, 1000);
  EXPECT_GT(others, 1000);
}

TEST(PlainTiles, TouchBoundariesAcrossPeriodicBordersOnlyAtCorners) {
  Case c = scattered({8, 6, 6}, 1e9, 0);
  c.solid[0] = D3Q19_WALL;
  EXPECT_EQ(plain_tiles(c, {4, 3, 3}), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(PlainTiles, IncludeEveryTileOfABoxWithoutObstacles) {
  EXPECT_EQ(plain_tiles(Model::make_case("box-70x11x9"), {32, 3, 4}), std::vector<std::uint8_t>(3 * 4 * 3, 1));
}

/// The rung's tests use this case and these tiles. Without the sphere, 2 × 5 × 3 tiles would be plain; it touches two of them.
TEST(PlainTiles, AreThoseAwayFromATunnelsSidesAndSphere) {
  const std::vector<std::uint8_t> all = plain_tiles(Model::make_case("sphere20-101x20x20"), {32, 3, 4});
  EXPECT_EQ(all.size(), 4u * 7 * 5);
  EXPECT_EQ(std::ranges::count(all, 1), 2 * 5 * 3 - 2);
}

/// The rung's tests use this case and these tiles, too. A block computes the first step of the cell beyond a corner.
TEST(PlainTiles, MayHaveASphereBeyondACorner) {
  const Case c = Model::make_case("sphere100-70x40x24");
  const ladder::Triple sides{32, 2, 4};
  const std::vector<std::uint8_t> plain = plain_tiles(c, sides);
  const ladder::Box tiles{{}, {3, 20, 6}};
  ASSERT_EQ(std::ssize(plain), tiles.cells());
  int touched = 0;
  for (std::int64_t n = 0; n < tiles.cells(); ++n) {
    if (plain[static_cast<std::size_t>(n)] == 0) continue;
    const ladder::Triple tile = tiles.place(n);
    for (int corner = 0; corner < 8; ++corner) {
      ladder::Triple beyond{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        beyond[axis] = (corner >> axis & 1) != 0 ? (tile[axis] + 1) * sides[axis] : tile[axis] * sides[axis] - 1;
      touched += c.kind(beyond[0], beyond[1], beyond[2]) != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(touched, 0);
}

/// scripts/sanitize-gpu uses this case and these tiles: 7 rows in single precision, 5 in double.
TEST(PlainTiles, AreOnlySomeTilesOfALongerTunnel) {
  const Case c = Model::make_case("sphere20-130x24x16");
  for (const std::int64_t rows : {7, 5}) {
    const std::vector<std::uint8_t> all = plain_tiles(c, {64, rows, 4});
    EXPECT_EQ(std::ranges::count(all, 1), 2 * (rows == 7 ? 2 : 3));
  }
}

}  // namespace
}  // namespace d3q19
