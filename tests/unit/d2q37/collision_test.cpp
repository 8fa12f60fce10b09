#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/random.hpp"
#include "tests/unit/d2q37/gas.hpp"
#include "variants/d2q37/tensors.hpp"

namespace d2q37 {
namespace {

using namespace test;
using Site = std::array<double, q>;

/// Populations near the weights, drawn for `key`, with all 37 degrees of freedom.
Site some_populations(std::uint64_t key) {
  Site f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * (0.7 + 0.6 * ladder::uniform(key * q + i));
  return f;
}

const Macroscopic<double> gases[] = {{1, 0, 0, 1}, {1.3, 0.1, -0.05, 0.9}, {0.7, -0.15, 0.2, 1.15}};

TEST(Equilibrium, HasTheDensityVelocityAndTemperatureThatItIsMadeFor) {
  for (const auto& gas : gases) {
    Site f{};
    equilibrium(gas, f.data());
    const auto back = macroscopic(f.data());
    EXPECT_NEAR(back.density, gas.density, 2e-15);
    EXPECT_NEAR(back.u, gas.u, 2e-15);
    EXPECT_NEAR(back.v, gas.v, 2e-15);
    EXPECT_NEAR(back.temperature, gas.temperature, 2e-15);
  }
}

TEST(Equilibrium, HasTheMomentsOfTheMaxwellDistributionUpToTheFourth) {
  // Moments of the velocity relative to the gas's. Second order: the pressure rho T, the equation of state of a perfect gas.
  // Third order: 0. Fourth order: 3 rho T^2, 0 and rho T^2.
  for (const auto& gas : gases) {
    Site f{};
    equilibrium(gas, f.data());
    const auto moment = [&](int a, int b) {
      double sum = 0;
      for (int i = 0; i < q; ++i)
        sum += f[i] * std::pow(D2Q37_R * d2q37_cx[i] - gas.u, a) * std::pow(D2Q37_R * d2q37_cy[i] - gas.v, b);
      return sum;
    };
    const double pressure = gas.density * gas.temperature;
    constexpr double rounding = 1e-14;
    EXPECT_NEAR(moment(2, 0), pressure, rounding);
    EXPECT_NEAR(moment(1, 1), 0, rounding);
    EXPECT_NEAR(moment(0, 2), pressure, rounding);
    for (int a = 0; a <= 3; ++a)
      EXPECT_NEAR(moment(a, 3 - a), 0, rounding) << a;
    EXPECT_NEAR(moment(4, 0), 3 * pressure * gas.temperature, rounding);
    EXPECT_NEAR(moment(3, 1), 0, rounding);
    EXPECT_NEAR(moment(2, 2), pressure * gas.temperature, rounding);
    EXPECT_NEAR(moment(1, 3), 0, rounding);
    EXPECT_NEAR(moment(0, 4), 3 * pressure * gas.temperature, rounding);
  }
}

TEST(Polynomials, AreOrthogonalWithTheWeights) {
  constexpr double factorial[] = {1, 1, 2, 6, 24};
  for (int k = 0; k < moments; ++k)
    for (int l = 0; l < moments; ++l) {
      double sum = 0;
      for (int i = 0; i < q; ++i)
        sum += Lattice::weight(i) * coefficients.project[k][i] * coefficients.project[l][i];
      const double norm = factorial[degrees(k).a] * factorial[degrees(k).b];
      EXPECT_NEAR(sum / norm, k == l ? 1 : 0, 3e-14) << k << ' ' << l;
    }
}

TEST(Collision, IsTheSameInAllForms) {
  const Tensors table = tensors();
  for (const double gravity : {0.0, 1e-3})
    for (const double heat : {0.0, 2e-3})
      for (std::uint64_t key = 0; key < 100; ++key)
        for (const double tau : {0.53, 0.8, 1.0, 1.7}) {
          Case c = open_case(3, 3, tau);
          c.gravity = gravity;
          const auto r = c.relaxation<double>();
          Site factored = some_populations(key), textbook = factored, tensor = factored;
          // In lattice units, temperatures are lower by a factor of R^2.
          const double warm = r.warm + tau * heat / (D2Q37_R * D2Q37_R);
          d2q37_collide(factored.data(), r.omega, r.kick, warm);
          collide_tensors(tensor.data(), table, table, r.omega, r.kick, warm);
          collide_textbook(textbook.data(), tau, gravity, heat);
          for (int i = 0; i < q; ++i) {
            ASSERT_NEAR(factored[i], textbook[i], 1e-14) << i;
            ASSERT_NEAR(tensor[i], textbook[i], 1e-14) << i;
          }
        }
}

TEST(Walls, AreSetToTheSameEquilibriumInBothForms) {
  Case c = open_case(3, 3, 0.6);
  c.gravity = 1e-3;
  c.bottom = 1.1;
  c.top = 0.9;
  const auto r = c.relaxation<double>();
  for (const bool is_top : {false, true}) {
    Site f = some_populations(is_top ? 1 : 2), expected{};
    equilibrium({macroscopic(f.data()).density, 0, c.gravity / 2, is_top ? c.top : c.bottom}, expected.data());
    d2q37_wall(f.data(), r.wall_speed, r.wall_theta[is_top ? 1 : 0]);
    for (int i = 0; i < q; ++i)
      EXPECT_NEAR(f[i], expected[i], 1e-14) << i;
  }
}

TEST(Collision, ConservesMassMomentumAndEnergy) {
  for (std::uint64_t key = 0; key < 100; ++key) {
    Site f = some_populations(key);
    const Budget before = budget(f.data());
    collide_textbook(f.data(), 0.6, 0.0, 0.0);
    const Budget after = budget(f.data());
    EXPECT_NEAR(after.mass, before.mass, 1e-14);
    EXPECT_NEAR(after.x, before.x, 1e-14);
    EXPECT_NEAR(after.y, before.y, 1e-14);
    EXPECT_NEAR(after.energy, before.energy, 2e-14);
  }
}

TEST(Collision, AddsTheMomentumOfGravityAndTheHeatInOneStep) {
  constexpr double gravity = 2e-3, heat = 1e-3;
  for (const double tau : {0.53, 1.0, 1.7}) {
    Site f = some_populations(7);
    const auto before = macroscopic(f.data());
    collide_textbook(f.data(), tau, gravity, heat);
    const auto after = macroscopic(f.data());
    EXPECT_NEAR(after.density, before.density, 1e-14);
    EXPECT_NEAR(after.u, before.u, 1e-14);
    EXPECT_NEAR(after.v, before.v - gravity, 1e-14);
    EXPECT_NEAR(after.temperature, before.temperature + heat, 2e-14) << "work changes only the kinetic energy";
  }
}

TEST(Collision, LeavesAStateOfFifteenMoments) {
  for (std::uint64_t key = 0; key < 100; ++key) {
    Site f = some_populations(key);
    double m[moments];
    Site back{};
    d2q37_moments(f.data(), m);
    d2q37_expand(m, back.data());
    double lost = 0;
    for (int i = 0; i < q; ++i)
      lost = std::max(lost, std::abs(back[i] - f[i]));
    EXPECT_GT(lost, 1e-4) << "before a collision, the other 22 are not zero";

    collide_textbook(f.data(), 0.7, 1e-3, 0.0);
    d2q37_moments(f.data(), m);
    d2q37_expand(m, back.data());
    for (int i = 0; i < q; ++i)
      ASSERT_NEAR(back[i], f[i], 1e-15) << i;
  }
}

/// A contribution that is the same in every cell and step must not be rounded to the last place of a temperature, because the
/// same error would occur each time.
TEST(Collision, RoundsTheWorkOfGravityWithoutBias) {
  for (const double gravity : {3e-4, 5e-4, 6.7e-4, 1e-3}) {
    long double bias = 0;
    constexpr int sites = 4000;
    for (int n = 0; n < sites; ++n) {
      const auto some = [&](int k) { return ladder::uniform(static_cast<std::uint64_t>(n) * 4 + k) - 0.5; };
      Site f{};
      equilibrium(Macroscopic<double>{1 + 0.2 * some(0), 0.1 * some(1), 0.1 * some(2), 1.05 + 0.08 * some(3)}, f.data());
      std::array<long double, q> exact{};
      std::copy(f.begin(), f.end(), exact.begin());
      collide_textbook(f.data(), 0.53, gravity, 0.0);
      collide_textbook<long double>(exact.data(), 0.53L, gravity, 0);
      for (int i = 0; i < q; ++i)
        bias += (f[i] - exact[i]) * (d2q37_cx[i] * d2q37_cx[i] + d2q37_cy[i] * d2q37_cy[i]) / sites;
    }
    EXPECT_LT(std::abs(bias), 0.1 * std::numeric_limits<double>::epsilon()) << gravity;
  }
}

TEST(Operations, DependOnTheForm) {
  const auto forms = Model::operations();
  ASSERT_EQ(forms.size(), 3u);
  EXPECT_EQ(forms[0].form, "textbook");
  EXPECT_EQ(forms[1].form, "factored");
  EXPECT_EQ(forms[2].form, "tensors");
  EXPECT_EQ(forms[0].total(), 2554);
  EXPECT_EQ(forms[1].total(), 617);
  EXPECT_EQ(forms[2].total(), 7444) << "Calore et al. count 7,600";
  EXPECT_EQ(forms[1].div, 1);
}

}  // namespace
}  // namespace d2q37
