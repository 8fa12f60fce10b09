#include <gtest/gtest.h>

#include <set>

#include "variants/d3q27/textbook.hpp"

namespace d3q27 {
namespace {

TEST(SeededStart, GivesEachPopulationAValueOfItsOwnNearRest) {
  const Case c = Model::seeded(Model::make_case("tgv-5x4x3"));
  std::set<double> relative;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const auto f = c.initial(x, y, z);
        for (int i = 0; i < q; ++i) {
          relative.insert(f[i] / Lattice::weight(i));
          EXPECT_NEAR(f[i], Lattice::weight(i), 0.1001 * Lattice::weight(i));
        }
      }
  EXPECT_EQ(relative.size(), 60u * 27);
}

}  // namespace
}  // namespace d3q27
