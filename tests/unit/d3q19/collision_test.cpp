#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

#include "base/random.hpp"
#include "variants/d3q19/textbook.hpp"

namespace d3q19 {
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
  d3q19_collide(f.data(), rates...);
  for (int i = 0; i < q; ++i)
    f[i] += Lattice::weight(i);
}

double sum(const std::array<double, q>& f, const int* c = nullptr) {
  double total = 0;
  for (int i = 0; i < q; ++i)
    total += (c == nullptr ? 1 : c[i]) * f[i];
  return total;
}

TEST(Velocities, AreRestTheAxesAndTheEdgesInOppositePairs) {
  std::set<std::array<int, 3>> all;
  double total = 0, xx = 0, xxyy = 0, xxxx = 0;
  for (int i = 0; i < q; ++i) {
    const double x = d3q19_cx[i], y = d3q19_cy[i], z = d3q19_cz[i], w = Lattice::weight(i);
    all.insert({d3q19_cx[i], d3q19_cy[i], d3q19_cz[i]});
    EXPECT_EQ(x * x + y * y + z * z, i == 0 ? 0 : i < 7 ? 1 : 2) << i;
    const int o = d3q19_opposite[i];
    EXPECT_EQ(d3q19_cx[o], -d3q19_cx[i]) << i;
    EXPECT_EQ(d3q19_cy[o], -d3q19_cy[i]) << i;
    EXPECT_EQ(d3q19_cz[o], -d3q19_cz[i]) << i;
    total += w;
    xx += w * x * x;
    xxyy += w * x * x * y * y;
    xxxx += w * x * x * x * x;
  }
  EXPECT_EQ(all.size(), 19u);
  EXPECT_NEAR(total, 1, 1e-15);
  EXPECT_NEAR(xx, 1. / 3, 1e-15);
  EXPECT_NEAR(xxyy, 1. / 9, 1e-15);
  EXPECT_NEAR(xxxx, 1. / 3, 1e-15);
}

TEST(Collision, IsTheTextbooks) {
  for (std::uint64_t key = 0; key < 200; ++key)
    for (const double omega : {0.3, 1.0, 1.6})
      for (const double omega_minus : {omega, 0.7, 1.9}) {
        auto f = some_populations(key), g = f;
        collide_factored(f, omega, omega_minus);
        collide_textbook(g.data(), omega, omega_minus);
        for (int i = 0; i < q; ++i)
          EXPECT_NEAR(f[i], g[i], 2e-15) << i;
      }
}

TEST(Collision, KeepsMassAndMomentumAndRelaxesEachPartWithItsRate) {
  for (std::uint64_t key = 0; key < 100; ++key) {
    const auto before = some_populations(key);
    auto after = before;
    collide_factored(after, 0.8, 1.7);
    constexpr double rounding = 19 * std::numeric_limits<double>::epsilon();  // for sums of about 1
    EXPECT_NEAR(sum(after), sum(before), rounding);
    EXPECT_NEAR(sum(after, d3q19_cx), sum(before, d3q19_cx), rounding);
    EXPECT_NEAR(sum(after, d3q19_cy), sum(before, d3q19_cy), rounding);
    EXPECT_NEAR(sum(after, d3q19_cz), sum(before, d3q19_cz), rounding);
    const auto m = moments(before.data());
    for (int i = 0; i < q; ++i) {
      const int o = d3q19_opposite[i];
      const auto even = [&](const auto& f) { return f[i] + f[o] - equilibrium(i, m) - equilibrium(o, m); };
      const auto odd = [&](const auto& f) { return f[i] - f[o] - equilibrium(i, m) + equilibrium(o, m); };
      EXPECT_NEAR(even(after), (1 - 0.8) * even(before), 2e-15) << i;
      EXPECT_NEAR(odd(after), (1 - 1.7) * odd(before), 2e-15) << i;
    }
  }
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
}  // namespace d3q19
