#include <gtest/gtest.h>

#include <set>

#include "variants/regularized/moments.hpp"

namespace regularized {
namespace {

TEST(SeededStart, IsAStateOfTheModelThatDiffersInEveryCoefficient) {
  const Case c = Model::seeded(Model::make_case("tgv-5x4x3"));
  std::set<double> values;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const auto f = c.initial(x, y, z);
        double k[numbers], again[q];
        project(f.data(), k);
        values.insert(k, k + numbers);
        populations_of(k, again);
        for (int i = 0; i < q; ++i)
          EXPECT_NEAR(again[i], f[i], 1e-15);
      }
  EXPECT_EQ(values.size(), 60u * numbers);
}

}  // namespace
}  // namespace regularized
