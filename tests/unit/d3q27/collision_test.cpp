#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/random.hpp"
#include "variants/d3q27/textbook.hpp"

namespace d3q27 {
namespace {

/// Populations near the weights, drawn for `key`.
std::array<double, q> some_populations(std::uint64_t key) {
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * (0.7 + 0.6 * ladder::uniform(key * q + i));
  return f;
}

/// Applies the rungs' collision, which takes populations minus their weights.
template <class... Rates>
void collide_factored(std::array<double, q>& f, Rates... rates) {
  for (int i = 0; i < q; ++i)
    f[i] -= Lattice::weight(i);
  d3q27_collide(f.data(), rates...);
  for (int i = 0; i < q; ++i)
    f[i] += Lattice::weight(i);
}

double sum(const std::array<double, q>& f, const int* c = nullptr) {
  double total = 0;
  for (int i = 0; i < q; ++i)
    total += (c == nullptr ? 1 : c[i]) * f[i];
  return total;
}

TEST(Velocities, AreTheTwentySevenNeighboursInOppositePairs) {
  std::set<std::array<int, 3>> all;
  for (int i = 0; i < q; ++i) {
    all.insert({d3q27_cx[i], d3q27_cy[i], d3q27_cz[i]});
    const int o = d3q27_opposite[i];
    EXPECT_EQ(d3q27_opposite[o], i);
    EXPECT_EQ(d3q27_cx[o], -d3q27_cx[i]) << i;
    EXPECT_EQ(d3q27_cy[o], -d3q27_cy[i]) << i;
    EXPECT_EQ(d3q27_cz[o], -d3q27_cz[i]) << i;
  }
  EXPECT_EQ(all.size(), 27u);
}

TEST(Weights, AreProductsOfThoseOfOneDimensionAndMakeTheLatticeIsotropic) {
  double total = 0, xx = 0, xxyy = 0, xxxx = 0;
  for (int i = 0; i < q; ++i) {
    const auto factor = [](int c) { return c == 0 ? 2. / 3 : 1. / 6; };
    EXPECT_DOUBLE_EQ(Lattice::weight(i), factor(d3q27_cx[i]) * factor(d3q27_cy[i]) * factor(d3q27_cz[i])) << i;
    const double x = d3q27_cx[i], y = d3q27_cy[i];
    total += Lattice::weight(i);
    xx += Lattice::weight(i) * x * x;
    xxyy += Lattice::weight(i) * x * x * y * y;
    xxxx += Lattice::weight(i) * x * x * x * x;
  }
  EXPECT_NEAR(total, 1, 1e-15);
  EXPECT_NEAR(xx, 1. / 3, 1e-15);
  EXPECT_NEAR(xxyy, 1. / 9, 1e-15);
  EXPECT_NEAR(xxxx, 1. / 3, 1e-15);
}

TEST(Collision, IsTheTextbooks) {
  for (std::uint64_t key = 0; key < 200; ++key)
    for (const double omega : {0.3, 1.0, 1.6}) {
      auto f = some_populations(key);
      auto g = f;
      collide_factored(f, omega);
      collide_textbook(g.data(), omega);
      for (int i = 0; i < q; ++i)
        EXPECT_NEAR(f[i], g[i], 1e-15) << i;
    }
}

TEST(Collision, ConservesMassAndMomentumAndRelaxesWithItsRate) {
  for (std::uint64_t key = 0; key < 100; ++key) {
    const auto before = some_populations(key);
    auto after = before;
    collide_factored(after, 0.8);
    constexpr double rounding = 27 * std::numeric_limits<double>::epsilon();  // for sums of about 1
    EXPECT_NEAR(sum(after), sum(before), rounding);
    EXPECT_NEAR(sum(after, d3q27_cx), sum(before, d3q27_cx), rounding);
    EXPECT_NEAR(sum(after, d3q27_cy), sum(before, d3q27_cy), rounding);
    EXPECT_NEAR(sum(after, d3q27_cz), sum(before, d3q27_cz), rounding);
    const auto m = moments(before.data());
    for (int i = 0; i < q; ++i)
      EXPECT_NEAR(after[i] - equilibrium(i, m), 0.2 * (before[i] - equilibrium(i, m)), 1e-15) << i;
  }
}

TEST(Equilibrium, HasTheMomentsItIsMadeFor) {
  const Moments<double> m{1.1, 0.03, -0.02, 0.05};
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[i] = equilibrium(i, m);
  const auto back = moments(f.data());
  EXPECT_NEAR(back.density, m.density, 1e-15);
  EXPECT_NEAR(back.ux, m.ux, 1e-15);
  EXPECT_NEAR(back.uy, m.uy, 1e-15);
  EXPECT_NEAR(back.uz, m.uz, 1e-15);
}

TEST(Operations, AreFewerInTheFactoredForm) {
  const auto forms = Model::operations();
  ASSERT_EQ(forms.size(), 2u);
  EXPECT_EQ(forms[0].form, "textbook");
  EXPECT_EQ(forms[1].form, "factored");
  EXPECT_LT(forms[1].total(), forms[0].total());
  EXPECT_EQ(forms[1].div, 1);
}

}  // namespace
}  // namespace d3q27
