// The regularized collision: the textbook's form, the ten coefficients, and what leaves and arrives.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.hpp"
#include "variants/regularized/moments.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

using Site = std::array<double, q>;

Site some_populations(std::uint64_t key) {
  Site f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * (0.8 + 0.4 * ladder::uniform(key * q + static_cast<std::uint64_t>(i)));
  return f;
}

/// Sum of f times a power of each component of the velocity.
double moment(const Site& f, int x, int y, int z) {
  double sum = 0;
  for (int i = 0; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    sum += f[i] * std::pow(c.x, x) * std::pow(c.y, y) * std::pow(c.z, z);
  }
  return sum;
}

Site collided(Site f, double omega) {
  collide_textbook(f.data(), omega);
  return f;
}

TEST(Collision, OnPopulationsIsTheTextbooks) {
  for (std::uint64_t key = 0; key < 200; ++key)
    for (const double omega : {0.3, 1.0, 1.6}) {
      const Site before = some_populations(key), expected = collided(before, omega);
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = before[i] - Lattice::weight(i);
      collide_populations(f, Relaxation<double>(omega));
      for (int i = 0; i < q; ++i)
        EXPECT_NEAR(f[i] + Lattice::weight(i), expected[i], 1e-15) << i;
    }
}

TEST(Collision, ConservesMassAndMomentumAndRelaxesTheStressWithItsRate) {
  const Site before = some_populations(1), after = collided(before, 0.8);
  const Moments<double> m = moments(before.data());
  Site rest{};
  for (int i = 0; i < q; ++i)
    rest[i] = equilibrium(i, m);
  for (const auto& [x, y, z] : {std::array{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
    EXPECT_NEAR(moment(after, x, y, z), moment(before, x, y, z), 1e-15);
  for (const auto& [x, y, z] : {std::array{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}})
    EXPECT_NEAR(moment(after, x, y, z) - moment(rest, x, y, z), 0.2 * (moment(before, x, y, z) - moment(rest, x, y, z)), 1e-15)
        << x << y << z;
}

TEST(Collision, IsThatOfBgkAtRateOne) {
  const Site before = some_populations(2), after = collided(before, 1);
  const Moments<double> m = moments(before.data());
  for (int i = 0; i < q; ++i)
    EXPECT_NEAR(after[i], equilibrium(i, m), 1e-15) << i;
}

TEST(Collision, ForgetsEverythingBeyondSecondOrder) {
  // A perturbation that has no moments up to second order: c_x (c_y^2 - 1/3), on all directions, with their weights.
  const Site before = some_populations(3);
  Site perturbed = before;
  for (int i = 0; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    perturbed[i] += 0.1 * Lattice::weight(i) * c.x * (c.y * c.y - 1. / 3);
  }
  ASSERT_NEAR(moment(perturbed, 1, 0, 0), moment(before, 1, 0, 0), 1e-15);
  ASSERT_GT(std::abs(moment(perturbed, 1, 2, 0) - moment(before, 1, 2, 0)), 1e-3);
  const Site expected = collided(before, 1.7), got = collided(perturbed, 1.7);
  for (int i = 0; i < q; ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-15) << i;
}

TEST(Coefficients, AreTheWholeStateAfterACollision) {
  const Site after = collided(some_populations(4), 1.3);
  double k[numbers];
  Site back{};
  project(after.data(), k);
  populations_of(k, back.data());
  for (int i = 0; i < q; ++i)
    EXPECT_NEAR(back[i], after[i], 1e-15) << i;
}

TEST(Coefficients, VanishAtRest) {
  Site f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i);
  double k[numbers];
  project(f.data(), k);
  for (const double value : k)
    EXPECT_EQ(value, 0);
}

TEST(Expansion, InPairsGivesEachPopulationOnce) {
  double k[numbers];
  for (int n = 0; n < numbers; ++n)
    k[n] = ladder::uniform(static_cast<std::uint64_t>(n)) - 0.5;
  std::array<int, q> count{};
  expand(k, [&](auto c, double f) {
    ++count[c.index];
    const double polynomial = k[0] + k[1] * c.x + k[2] * c.y + k[3] * c.z + k[4] * c.x * c.x + k[5] * c.y * c.y +
                              k[6] * c.z * c.z + k[7] * c.x * c.y + k[8] * c.x * c.z + k[9] * c.y * c.z;
    EXPECT_NEAR(f, Lattice::weight(c.index) / edge * polynomial, 1e-15) << c.index;
    EXPECT_NEAR(f, population(k, c), 1e-15) << c.index;
    EXPECT_EQ(Lattice::c(c.index), (lattice::Velocity{c.x, c.y, c.z}));
  });
  for (int i = 0; i < q; ++i)
    EXPECT_EQ(count[i], 1) << i;
}

/// A column of cells whose populations all move up or down within it: each plane's sums differ.
TEST(Arrivals, CompleteACellWhenThePlaneAboveIsAdded) {
  std::array<Site, 4> planes{};
  for (std::size_t z = 0; z < planes.size(); ++z)
    planes[z] = some_populations(10 + z);
  Arrivals<double> arrivals;
  double s[numbers];
  for (const Site& plane : planes) {
    const auto at = [&](auto c) { return plane[c.index]; };
    arrivals.add(sum_plane<-1>(at), sum_plane<0>(at), sum_plane<1>(at), s);
  }
  Site arrived{};
  for (int i = 0; i < q; ++i)
    arrived[i] = planes[static_cast<std::size_t>(2 - Lattice::c(i).z)][i];
  const std::array<int, 3> powers[numbers] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                              {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  for (int n = 0; n < numbers; ++n)
    EXPECT_NEAR(s[n], moment(arrived, powers[n][0], powers[n][1], powers[n][2]), 1e-14) << n;
}

TEST(Operations, AreFewerInTheFactoredForm) {
  const auto forms = Model::operations();
  ASSERT_EQ(forms.size(), 2u);
  EXPECT_EQ(forms[0].form, "textbook");
  EXPECT_EQ(forms[1].form, "factored");
  EXPECT_LT(2 * forms[1].total(), forms[0].total());
  EXPECT_EQ(forms[1].div, 1);
}

}  // namespace
}  // namespace regularized
