#include <gtest/gtest.h>

#include <random>

#include "tests/unit/d2q9/lattice.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {
namespace {

/// The populations f minus their weights, which rungs collide, or the populations again for a rest of -1.
template <class real>
void subtract_rest(real* f, int rest = 1) {
  for (int i = 0; i < q; ++i)
    f[i] -= static_cast<real>(rest * Lattice::weight(i));
}

/// Applies a rung's collision, which takes distances from rest, to populations.
template <class real, class Collide>
real in_distances(real* f, Collide collide) {
  subtract_rest(f);
  const real result = collide(f);
  subtract_rest(f, -1);
  return result;
}
template <class real>
real collide_factored(real* f, real omega) {
  return in_distances(f, [&](real* g) { return d2q9_collide(g, omega); });
}
void accelerate(double* f, double w1, double w2) {
  in_distances(f, [&](double* g) { return d2q9_accelerate(g, w1, w2), 0.0; });
}

/// Both parts of the form in terms of momentum.
double collide_momentum(double* f, double omega) {
  double factors[D2Q9_MOMENTUM_FACTORS];
  d2q9_momentum_factors(factors, omega);
  return in_distances(f, [&](double* g) { return d2q9_collide_momentum(g, factors); });
}

using namespace test;

/// Sites far from equilibrium: every population is within a factor of three of its rest value.
class RandomSites : public testing::Test {
 protected:
  std::array<double, q> next() {
    std::array<double, q> f{};
    const double density = uniform_(generator_);
    for (int i = 0; i < q; ++i)
      f[i] = density * Lattice::weight(i) * uniform_(generator_);
    return f;
  }
  double next_omega() { return 0.1 + 1.2 * (uniform_(generator_) - 0.5); }

  static constexpr int sites = 10'000;

 private:
  std::mt19937_64 generator_{20'211};
  std::uniform_real_distribution<double> uniform_{0.5, 1.5};
};

template <class real>
std::array<real, q> as(const std::array<double, q>& f) {
  std::array<real, q> out{};
  for (int i = 0; i < q; ++i)
    out[i] = static_cast<real>(f[i]);
  return out;
}

TEST_F(RandomSites, RelaxTowardTheEquilibriumOfTheirDensityAndVelocity) {
  for (int n = 0; n < sites; ++n) {
    const auto before = next();
    const double omega = next_omega();
    const auto [density, ux, uy, excess] = moments(before.data());
    auto textbook = before;
    auto factored = before;
    auto in_momentum = before;
    collide_textbook(textbook.data(), omega);
    collide_factored(factored.data(), omega);
    collide_momentum(in_momentum.data(), omega);
    for (int i = 0; i < q; ++i) {
      const double expected = before[i] + omega * (equilibrium(i, density, ux, uy) - before[i]);
      ASSERT_NEAR(textbook[i], expected, 1e-15 * density);
      ASSERT_NEAR(factored[i], expected, 1e-15 * density);
      ASSERT_NEAR(in_momentum[i], expected, 1e-15 * density);
    }
  }
}

TEST_F(RandomSites, CollideInSinglePrecisionAsInDoubleToRounding) {
  for (int n = 0; n < sites; ++n) {
    const auto before = next();
    const double omega = next_omega();
    auto exact = before;
    collide_textbook(exact.data(), omega);
    auto textbook = as<float>(before);
    auto factored = as<float>(before);
    collide_textbook(textbook.data(), static_cast<float>(omega));
    collide_factored(factored.data(), static_cast<float>(omega));
    const double density = moments(before.data()).density;
    for (int i = 0; i < q; ++i) {
      ASSERT_NEAR(textbook[i], exact[i], 5e-7 * density);
      ASSERT_NEAR(factored[i], exact[i], 5e-7 * density);
    }
  }
}

TEST_F(RandomSites, KeepTheirMassAndMomentum) {
  for (int n = 0; n < sites; ++n) {
    const auto before = next();
    const double omega = next_omega();
    const auto then = moments(before.data());
    auto textbook = before;
    auto factored = before;
    collide_textbook(textbook.data(), omega);
    collide_factored(factored.data(), omega);
    for (const auto& after : {textbook, factored}) {
      const auto now = moments(after.data());
      ASSERT_NEAR(now.density / then.density, 1, 2e-15);
      ASSERT_NEAR(now.ux, then.ux, 2e-15);
      ASSERT_NEAR(now.uy, then.uy, 2e-15);
    }
  }
}

TEST_F(RandomSites, YieldTheSquareOfTheirSpeed) {
  for (int n = 0; n < sites; ++n) {
    auto f = next();
    auto in_momentum = f;
    const auto [density, ux, uy, excess] = moments(f.data());
    ASSERT_NEAR(collide_factored(f.data(), 1.3), ux * ux + uy * uy, 1e-15);
    ASSERT_NEAR(collide_momentum(in_momentum.data(), 1.3), ux * ux + uy * uy, 1e-15);
  }
}

TEST(Equilibrium, IsAFixedPointOfTheCollision) {
  for (const double omega : {0.3, 1.0, 1.85}) {
    std::array<double, q> textbook{};
    for (int i = 0; i < q; ++i)
      textbook[i] = equilibrium(i, 0.7, 0.05, -0.08);
    auto factored = textbook;
    collide_textbook(textbook.data(), omega);
    collide_factored(factored.data(), omega);
    for (int i = 0; i < q; ++i) {
      EXPECT_NEAR(textbook[i], equilibrium(i, 0.7, 0.05, -0.08), 1e-16) << omega;
      EXPECT_NEAR(factored[i], equilibrium(i, 0.7, 0.05, -0.08), 1e-16) << omega;
    }
  }
}

TEST(Directions, AreThoseOfAnIsotropicLattice) {
  double weights = 0;
  double second_moment = 0;
  for (int i = 0; i < q; ++i) {
    EXPECT_EQ(d2q9_cx[d2q9_opposite[i]], -d2q9_cx[i]);
    EXPECT_EQ(d2q9_cy[d2q9_opposite[i]], -d2q9_cy[i]);
    EXPECT_EQ(Lattice::weight(d2q9_opposite[i]), Lattice::weight(i));
    weights += Lattice::weight(i);
    second_moment += Lattice::weight(i) * d2q9_cx[i] * d2q9_cx[i];
  }
  EXPECT_DOUBLE_EQ(weights, 1);
  EXPECT_DOUBLE_EQ(second_moment, 1.0 / 3);
}

/// The populations of a site at rest with density 1.
std::array<double, q> at_rest() {
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i);
  return f;
}

TEST(DrivingForce, MovesPopulationsFromWestToEast) {
  std::array<double, q> f = at_rest();
  accelerate(f.data(), 0.01, 0.002);
  const std::array<double, q> change = {0, 0.01, 0, -0.01, 0, 0.002, -0.002, -0.002, 0.002};
  for (int i = 0; i < q; ++i)
    EXPECT_NEAR(f[i] - Lattice::weight(i), change[i], 1e-17) << i;
}

TEST(DrivingForce, LeavesASiteAloneWhereAPopulationWouldNotStayPositive) {
  for (const int i : {3, 6, 7}) {
    const double push = i == 3 ? 0.01 : 0.002;
    for (const double left : {push, 0.9 * push}) {
      std::array<double, q> f = at_rest();
      f[i] = left;
      const auto before = f;
      accelerate(f.data(), 0.01, 0.002);
      for (int j = 0; j < q; ++j)
        EXPECT_NEAR(f[j], before[j], 1e-16) << "population " << i << " of " << left;
    }
    std::array<double, q> f = at_rest();
    f[i] = 1.1 * push;
    accelerate(f.data(), 0.01, 0.002);
    EXPECT_NEAR(f[i], 0.1 * push, 1e-17) << "population " << i;
  }
}

TEST(DrivingForce, IsThatOfTheReference) {
  const Case c = Model::seeded(Model::make_case("porous-37x23"));
  Reference driven(c);
  Reference untouched(c);
  const int row = c.accelerated_row();
  driven.accelerate(row);
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      std::array<double, q> f{};
      std::copy_n(untouched.cell(x, y).begin(), q, f.begin());
      if (y == row && !is_solid(c, x, y)) accelerate(f.data(), c.density * c.w1(), c.density * c.w2());
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(driven.cell(x, y)[i], f[i], 1e-16) << i << " of (" << x << ", " << y << ")";
    }
}

TEST(Operations, AreThoseThatThePaperAndPencilCount) {
  const auto operations = Model::operations();
  ASSERT_EQ(operations.size(), 3u);

  const auto& textbook = operations[0];
  EXPECT_EQ(textbook.form, "textbook");
  // moments 19 twice; u^2 1 twice; velocities along directions 8; rest 3; eight directions 5 each
  EXPECT_EQ(textbook.add, 2 * 19 + 2 * 1 + 8 + 3 + 8 * 5);
  EXPECT_EQ(textbook.mul, 2 * 2 + 4 + 8 * 7);
  EXPECT_EQ(textbook.div, 2 * 2 + 1 + 1 + 8 * 3);
  EXPECT_EQ(textbook.sqrt, 1);
  EXPECT_EQ(textbook.total(), 186);

  const auto& factored = operations[1];
  EXPECT_EQ(factored.form, "factored");
  // diagonals 2, density 9, velocity 6, u^2 1, keep 1, c 1, p and m 2, even parts 4, rest 1, eight directions 2 each
  EXPECT_EQ(factored.add, 2 + 9 + 6 + 1 + 1 + 1 + 2 + 4 + 1 + 8 * 2);
  // velocity 2, u^2 2, c 2, weights 4, even parts 3 each, odd parts 2, rest 2, eight directions 2 each
  EXPECT_EQ(factored.mul, 2 + 2 + 2 + 4 + 4 * 3 + 2 + 2 + 8 * 2);
  EXPECT_EQ(factored.div, 1);
  EXPECT_EQ(factored.sqrt, 1);
  EXPECT_EQ(factored.total(), 87);
}

TEST(Operations, InTermsOfMomentumExcludeFactorsThatDependOnOmegaAlone) {
  const auto momentum = Model::operations()[2];
  EXPECT_EQ(momentum.form, "momentum");
  // diagonals 2, density 9, momentum 6, square 1, even parts 6, jx + jy and jx - jy, rest 1, eight directions 2 each
  EXPECT_EQ(momentum.add, 2 + 9 + 6 + 1 + 6 + 2 + 1 + 8 * 2);
  // products of momentum and velocity 5, even parts 7, odd parts 4, rest 2, eight directions 1 each, speed 1
  EXPECT_EQ(momentum.mul, 5 + 7 + 4 + 2 + 8 + 1);
  EXPECT_EQ(momentum.div, 1);
  EXPECT_EQ(momentum.sqrt, 1);
  EXPECT_EQ(momentum.total(), 72);
}

TEST(Operations, OfACountingNumberGiveTheOrdinaryResult) {
  std::array<ladder::Counting, q> counted{};
  std::array<double, q> ordinary{};
  for (int i = 0; i < q; ++i)
    counted[i] = ordinary[i] = Lattice::weight(i) * (1 + 0.1 * i);
  d2q9_collide(counted.data(), ladder::Counting(1.85));
  d2q9_collide(ordinary.data(), 1.85);
  for (int i = 0; i < q; ++i)
    EXPECT_EQ(counted[i].value(), ordinary[i]) << i;
}

TEST(Operations, AreCountedByKind) {
  using ladder::Counting;
  const auto spent = ladder::count("sample", [] {
    Counting a = 2;
    const Counting b = 3;
    a += b * b;
    a -= -b / a;
    sqrt(a);
  });
  EXPECT_EQ(spent.form, "sample");
  EXPECT_EQ(spent.add, 3);
  EXPECT_EQ(spent.mul, 1);
  EXPECT_EQ(spent.div, 1);
  EXPECT_EQ(spent.sqrt, 1);
  EXPECT_EQ(spent.total(), 6);
  EXPECT_EQ(ladder::count("nothing", [] {}).total(), 0) << "each count starts at zero";
}

}  // namespace
}  // namespace d2q9
