// Cases and their parts.
#include "variants/lattice/case.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace lattice {
namespace {

/// A 5 x 4 grid in which every third cell is solid.
Case<D2Q9> grid_with_obstacles() {
  Case<D2Q9> c{.name = "grid", .nx = 5, .ny = 4};
  for (int n = 0; n < 20; ++n)
    c.solid.push_back(n % 3 == 0 ? 1 : 0);
  return c;
}

TEST(Part, HoldsTheObstaclesOfItsBoxWhichWraps) {
  const auto c = grid_with_obstacles();
  const auto part = lattice::part(c, {{-2, 3, 0}, {4, 2, 1}});
  EXPECT_EQ(part.grid(), (ladder::Triple{4, 2, 1}));
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x)
      EXPECT_EQ(part.is_solid(x, y), c.is_solid((x + 3) % 5, (y + 3) % 4)) << x << ' ' << y;
}

TEST(Part, KnowsItsPlaceInTheWholeCase) {
  const Case<D3Q27> c{.name = "box", .nx = 5, .ny = 4, .nz = 7};
  EXPECT_EQ(c.whole(), c.grid());
  EXPECT_EQ(c.in_whole(4, 3, 6), (ladder::Triple{4, 3, 6}));
  const auto part = lattice::part(c, {{-1, 0, 5}, {3, 4, 4}});
  EXPECT_EQ(part.whole(), c.grid());
  EXPECT_EQ(part.in_whole(0, 2, 3), (ladder::Triple{4, 2, 1}));
  EXPECT_EQ(part.number_in_whole(0, 2, 3), c.number_in_whole(4, 2, 1));
  const auto part_of_part = lattice::part(part, {{1, 1, 1}, {2, 2, 2}});
  EXPECT_EQ(part_of_part.whole(), c.grid());
  EXPECT_EQ(part_of_part.in_whole(0, 0, 0), (ladder::Triple{0, 1, 6}));
  EXPECT_TRUE(part.solid.empty());
}

TEST(Numbered, RefusesACaseOfMoreCellsThanTheNumbersCount) {
  const Case<D2Q9> most{.name = "most", .nx = 127, .ny = 1};
  EXPECT_EQ(&numbered<std::int8_t>(most), &most);
  const Case<D2Q9> more{.name = "more", .nx = 64, .ny = 2};
  EXPECT_THROW(numbered<std::int8_t>(more), ladder::Refused);
}

}  // namespace
}  // namespace lattice
