// The regularized collision on D2Q9: the textbook's form, the six coefficients, and what leaves and arrives.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.hpp"
#include "variants/d2q9r/moments.hpp"
#include "variants/d2q9r/textbook.hpp"

namespace d2q9r {
namespace {

using Site = std::array<double, q>;

Site some_populations(std::uint64_t key) {
  Site f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * (0.8 + 0.4 * ladder::uniform(key * q + static_cast<std::uint64_t>(i)));
  return f;
}

/// Sum of f times a power of each component of the velocity.
double moment(const Site& f, int x, int y) {
  double sum = 0;
  for (int i = 0; i < q; ++i)
    sum += f[i] * std::pow(Lattice::c(i).x, x) * std::pow(Lattice::c(i).y, y);
  return sum;
}

/// The powers of c_x and c_y in the order of collide.h.
constexpr std::array<std::array<int, 2>, numbers> powers = {{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}}};

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
  for (const auto& [x, y] : powers) {
    if (x + y < 2)
      EXPECT_NEAR(moment(after, x, y), moment(before, x, y), 1e-15) << x << y;
    else
      EXPECT_NEAR(moment(after, x, y) - moment(rest, x, y), 0.2 * (moment(before, x, y) - moment(rest, x, y)), 1e-15) << x << y;
  }
}

TEST(Collision, IsThatOfBgkAtRateOne) {
  const Site before = some_populations(2), after = collided(before, 1);
  const Moments<double> m = moments(before.data());
  for (int i = 0; i < q; ++i)
    EXPECT_NEAR(after[i], equilibrium(i, m), 1e-15) << i;
}

TEST(Collision, ForgetsEverythingBeyondSecondOrder) {
  // Perturbations that have no moments up to second order, on all directions, with their weights: c_x (c_y^2 - 1/3), its mirror
  // image, and (c_x^2 - 1/3) (c_y^2 - 1/3).
  const Site before = some_populations(3), expected = collided(before, 1.7);
  for (const auto& [x, y] : {std::array{1, 2}, {2, 1}, {2, 2}}) {
    Site perturbed = before;
    for (int i = 0; i < q; ++i) {
      const lattice::Velocity c = Lattice::c(i);
      perturbed[i] += 0.1 * Lattice::weight(i) * (x == 1 ? c.x : c.x * c.x - 1. / 3) * (y == 1 ? c.y : c.y * c.y - 1. / 3);
    }
    for (const auto& [px, py] : powers)
      ASSERT_NEAR(moment(perturbed, px, py), moment(before, px, py), 1e-15);
    ASSERT_GT(std::abs(moment(perturbed, x, y) - moment(before, x, y)), 1e-3);
    const Site got = collided(perturbed, 1.7);
    for (int i = 0; i < q; ++i)
      EXPECT_NEAR(got[i], expected[i], 1e-15) << i;
  }
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

TEST(Expansion, IsThePolynomial) {
  constexpr std::array<double, numbers> factors = {1, 1. / 12, 1. / 12, 1, 1, 2};
  double k[numbers], f[q];
  for (int n = 0; n < numbers; ++n)
    k[n] = ladder::uniform(static_cast<std::uint64_t>(n)) - 0.5;
  expand(k, f);
  for (int i = 0; i < q; ++i) {
    double polynomial = 0;
    for (int n = 0; n < numbers; ++n)
      polynomial += factors[n] * k[n] * std::pow(Lattice::c(i).x, powers[n][0]) * std::pow(Lattice::c(i).y, powers[n][1]);
    EXPECT_NEAR(f[i], 36 * Lattice::weight(i) * polynomial, 1e-14) << i;
  }
}

/// Rows have different coefficients, but each row is uniform along x, so neighbouring columns send the same populations as this
/// one.
TEST(Arrivals, CompleteACellWhenTheRowNorthOfItIsAdded) {
  std::array<std::array<double, numbers>, 4> rows{};
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t n = 0; n < numbers; ++n)
      rows[y][n] = ladder::uniform(100 * y + n) - 0.5;
  Arrivals<double> arrivals;
  double s[numbers];
  for (const auto& k : rows) {
    arrivals.complete(sum(leaving<-1>(k.data())), s);
    arrivals.keep(sum(leaving<0>(k.data())), sum(leaving<1>(k.data())));
  }
  Site arrived{};
  for (int i = 0; i < q; ++i) {
    double f[q];
    expand(rows[static_cast<std::size_t>(2 - Lattice::c(i).y)].data(), f);
    arrived[i] = f[i];
  }
  for (int n = 0; n < numbers; ++n)
    EXPECT_NEAR(s[n], moment(arrived, powers[n][0], powers[n][1]), 1e-13) << n;
}

TEST(Operations, AreFewerInTheFactoredFormAndOnMoments) {
  const auto forms = Model::operations();
  ASSERT_EQ(forms.size(), 3u);
  EXPECT_EQ(forms[0].form, "textbook");
  EXPECT_EQ(forms[1].form, "factored");
  EXPECT_EQ(forms[2].form, "moments");
  EXPECT_LT(2 * forms[1].total(), forms[0].total());
  EXPECT_LT(2 * forms[2].total(), forms[0].total());
  EXPECT_EQ(forms[1].div, 1);
  EXPECT_EQ(forms[2].div, 1);
}

}  // namespace
}  // namespace d2q9r
