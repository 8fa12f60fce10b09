#include "variants/d3q19/neighbourhoods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace d3q19 {
namespace {

/// Kind of the neighbour in direction i, according to the table entry of a code.
unsigned kind_of(const Neighbourhoods& all, std::uint8_t code, int i) {
  return all.table[code][static_cast<std::size_t>(i / 10)] >> 3 * (i % 10) & 7u;
}

class NeighbourhoodsOf : public testing::TestWithParam<std::string> {};

TEST_P(NeighbourhoodsOf, CasesTellTheKindOfEveryNeighbour) {
  const Case c = Model::make_case(GetParam());
  const Neighbourhoods all(c);
  const ladder::Box box{{}, c.grid()};
  ASSERT_EQ(all.codes.size(), static_cast<std::size_t>(c.cells()));
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const auto [x, y, z] = box.place(n);
    const std::uint8_t code = all.codes[static_cast<std::size_t>(n)];
    if (c.kind(x, y, z) != 0) {
      ASSERT_EQ(code, Neighbourhoods::solid);
    } else if (!c.is_near(x, y, z)) {
      ASSERT_EQ(code, Neighbourhoods::plain);
    } else {
      ASSERT_GE(code, Neighbourhoods::first);
      for (int i = 1; code != Neighbourhoods::other && i < q; ++i)
        ASSERT_EQ(kind_of(all, code, i), static_cast<unsigned>(c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(D3Q19, NeighbourhoodsOf,
                         testing::Values("porous-13x9x11", "porous-64", "sphere20-24x40x40", "car-128x64x64", "couette-32",
                                         "duct-96x33x33", "box-64"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

std::int64_t cells_with(const Neighbourhoods& all, std::uint8_t code) { return std::ranges::count(all.codes, code); }

TEST(Neighbourhoods, HaveTheMostFrequentInTheTable) {
  const Neighbourhoods all(Model::make_case("porous-64"));
  for (std::uint8_t code = Neighbourhoods::first; code + 1 < Neighbourhoods::other; ++code)
    EXPECT_GE(cells_with(all, code), cells_with(all, code + 1)) << int{code};
  EXPECT_GT(cells_with(all, Neighbourhoods::other), 0);  // random obstacles have more neighbourhoods than a byte can encode
}

TEST(Neighbourhoods, OfACarInATunnelAreNearlyAllInTheTable) {
  const Case c = Model::make_case("car-128x64x64");
  const Neighbourhoods all(c);
  EXPECT_LT(20 * cells_with(all, Neighbourhoods::other), static_cast<std::int64_t>(near_cells(c).size()));
}

}  // namespace
}  // namespace d3q19
