#include <gtest/gtest.h>

#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

using namespace test;

Case seeded(std::string_view name) { return Model::seeded(Model::make_case(name)); }

TEST(Mass, IsConservedToRoundingAmongObstaclesUnderTheDrivingForce) {
  for (const auto* name : {"porous-37x23", "box-19x41"}) {
    const Case c = seeded(name);
    Reference lattice(c);
    const double before = budget(lattice, c).mass;
    lattice.advance(3000);
    EXPECT_NEAR(budget(lattice, c).mass / before, 1, 1e-12) << name;
  }
}

TEST(Mass, IsTheTotalOfAState) {
  const Case c = seeded("porous-37x23");
  Reference lattice(c);
  ladder::Populations state(q, {{}, c.grid()});
  lattice.store(state);
  EXPECT_NEAR(state.total() / budget(lattice, c).mass, 1, 1e-13);
}

TEST(Mass, IsSummedUpWithoutRoundingOnAGridAtRest) {
  Case c = Model::make_case("box-700x500");
  ladder::Populations state(q, {{}, c.grid()});
  Reference(c).store(state);
  double site = 0;
  for (int i = 0; i < q; ++i)
    site += c.initial(0, 0)[i];
  EXPECT_NEAR(state.total() / (static_cast<double>(c.cells()) * site), 1, 4e-16);
}

TEST(Momentum, IsConservedOnAnOpenGridThatNothingDrives) {
  Case c = open_case(24, 17, 1.7);
  c.density = 0.1;
  c.is_seeded = true;
  Reference lattice(c);
  const Budget before = budget(lattice, c);
  lattice.advance(500);
  const Budget after = budget(lattice, c);
  EXPECT_NEAR(after.px, before.px, 1e-13 * before.mass);
  EXPECT_NEAR(after.py, before.py, 1e-13 * before.mass);
}

/// Whether the driving force keeps every population of the site positive.
bool may_be_driven(std::span<const double, q> f, const Case& c) {
  const double w1 = c.density * c.w1(), w2 = c.density * c.w2();
  return f[3] > w1 && f[6] > w2 && f[7] > w2;
}

TEST(Momentum, GrowsByTheForceOnEachSiteThatMayBeDriven) {
  Case c = open_case(31, 12, 1.7);
  c.density = 0.1;
  c.accel = 0.005;
  c.is_seeded = true;
  Reference lattice(c);
  for (int n = 0; n < 5; ++n) {
    int driven = 0;
    for (int x = 0; x < c.nx; ++x)
      driven += may_be_driven(lattice.cell(x, c.accelerated_row()), c) ? 1 : 0;
    if (n == 0) {
      EXPECT_GT(driven, 0);
      EXPECT_LT(driven, c.nx) << "the seeded start must contain sites that refuse";
    }
    const Budget before = budget(lattice, c);
    lattice.advance(1);
    const Budget after = budget(lattice, c);
    EXPECT_NEAR(after.px - before.px, driven * c.density * c.accel / 3, 1e-15 * c.nx) << "step " << n + 1;
    EXPECT_NEAR(after.py, before.py, 1e-15 * c.nx) << "step " << n + 1;
  }
}

TEST(Momentum, IsReversedWhereItArrivesInSolidCells) {
  Case c = seeded("porous-37x23");
  c.accel = 0;
  Reference lattice(c);
  const Budget before = budget(lattice, c);
  lattice.propagate();
  Budget arrived;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      for (int i = 0; i < q; ++i)
        if (is_solid(c, x, y)) {
          arrived.px += lattice.cell(x, y)[i] * d2q9_cx[i];
          arrived.py += lattice.cell(x, y)[i] * d2q9_cy[i];
        }
  EXPECT_NE(arrived.px, 0);
  EXPECT_NE(arrived.py, 0);
  lattice.rebound();
  lattice.collide();
  const Budget after = budget(lattice, c);
  EXPECT_NEAR(after.px - before.px, -2 * arrived.px, 1e-14);
  EXPECT_NEAR(after.py - before.py, -2 * arrived.py, 1e-14);
}

TEST(Mass, OfTheReferenceDoesNotDrift) {
  const Case c = seeded("porous-37x23");
  Reference lattice(c);
  const double before = budget(lattice, c).mass;
  lattice.advance(2000);
  EXPECT_NEAR(budget(lattice, c).mass / before, 1, 1e-14);
}

TEST(Rest, StaysRestBetweenObstacles) {
  for (const auto* name : {"box-17x13", "porous-17x13"}) {
    Case c = Model::make_case(name);
    c.accel = 0;
    Reference lattice(c);
    lattice.advance(1000);
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          ASSERT_NEAR(lattice.cell(x, y)[i], c.density * Lattice::weight(i), 1e-16)
              << name << " (" << x << ", " << y << ") " << i;
    EXPECT_LE(lattice.average_speed(), 1e-14) << name;
  }
}

TEST(History, HoldsTheAverageSpeedOfEveryStep) {
  const Case c = seeded("porous-17x13");
  Reference whole(c);
  whole.advance(5);
  ASSERT_EQ(whole.history().size(), 5u);
  Reference single(c);
  for (int n = 0; n < 5; ++n) {
    single.advance(1);
    EXPECT_EQ(whole.history()[n], single.average_speed()) << n;
  }
}

TEST(History, IsTheMeanOverFluidCellsOfTheSpeed) {
  const Case c = seeded("porous-17x13");
  Reference lattice(c);
  lattice.advance(3);
  double total = 0;
  int fluid = 0;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      if (!is_solid(c, x, y)) {
        ++fluid;
        total += std::hypot(at(lattice, x, y).ux, at(lattice, x, y).uy);
      }
  EXPECT_NEAR(lattice.average_speed(), total / fluid, 1e-15);
  ladder::Populations state(q, {{}, c.grid()});
  lattice.store(state);
  EXPECT_NEAR(Model::observe(c, state, fluid), total / fluid, 1e-15);
}

}  // namespace
}  // namespace d2q9
