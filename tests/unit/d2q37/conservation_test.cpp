// Invariants of the reference: mass, momentum and energy; symmetry; the balance of weight and pressure between walls.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;

TEST(Budget, IsConservedWithoutWalls) {
  const Case c = Model::seeded(Model::make_case("periodic-17x14"));
  Reference lattice(c);
  const Budget before = budget(lattice, c);
  lattice.advance(300);
  const Budget after = budget(lattice, c);
  EXPECT_NEAR(after.mass / before.mass, 1, 1e-13);
  EXPECT_NEAR(after.energy / before.energy, 1, 1e-13);
  EXPECT_NEAR(after.x, before.x, 1e-13 * before.mass);
  EXPECT_NEAR(after.y, before.y, 1e-13 * before.mass);
}

/// Rounding may change mass and energy, but without a bias that a check of many steps would report as an error.
TEST(Rounding, HasLittleBiasInBothForms) {
  const Case c = Model::seeded(Model::make_case("periodic-17x14"));
  const auto textbook = [](double* f) { collide_textbook(f, 0.6, 0.0, 0.0); };
  const auto factored = [](double* f) { d2q37_collide(f, 1 / 0.6, 0.0, 0.0); };
  const auto drift = [&](auto collide) {
    Reference lattice(c);
    const auto sums = [&] {
      std::array<long double, 2> sum{};
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x)
          for (int i = 0; i < q; ++i) {
            const long double f = lattice.cell(x, y)[i];
            sum[0] += f;
            sum[1] += f * (d2q37_cx[i] * d2q37_cx[i] + d2q37_cy[i] * d2q37_cy[i]);
          }
      return sum;
    };
    constexpr int steps = 200;
    const auto before = sums();
    for (int n = 0; n < steps; ++n) {
      lattice.propagate();
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x)
          collide(lattice.cell(x, y).data());
    }
    const auto after = sums();
    for (int k = 0; k < 2; ++k)
      EXPECT_LT(std::abs(after[k] / before[k] - 1) / steps, 0.2 * std::numeric_limits<double>::epsilon()) << k;
  };
  drift(textbook);
  drift(factored);
}

TEST(Mass, IsConservedBetweenWalls) {
  for (const auto* name : {"rt-9x7", "rt2a-11x23"})
    for (const bool is_seeded : {false, true}) {
      Case c = Model::make_case(name);
      c.is_seeded = is_seeded;
      Reference lattice(c);
      const double before = budget(lattice, c).mass;
      lattice.advance(1000);
      EXPECT_NEAR(budget(lattice, c).mass / before, 1, 1e-12) << name;
    }
}

/// Each population that leaves through a wall returns in the opposite direction, in the same column.
TEST(Walls, TurnEachPopulationRound) {
  Case c = Model::make_case("rt-5x9");
  for (const bool is_top : {false, true})
    for (int depth = 0; depth < 3; ++depth)
      for (int i = 0; i < q; ++i) {
        const int speed = is_top ? d2q37_cy[i] : -d2q37_cy[i];
        if (speed <= depth) continue;
        // The density of the wall row that it reaches shows where it went.
        const int row = is_top ? c.ny - 1 - depth : depth, to = is_top ? c.ny - speed + depth : speed - 1 - depth;
        double seen[2] = {};
        for (const double more : {0.0, 0.01}) {
          Reference lattice(c);
          lattice.cell(2, row)[i] += more;
          lattice.advance(1);
          seen[more > 0] = macroscopic(lattice.cell(2, to).data()).density;
        }
        EXPECT_NEAR(seen[1] - seen[0], 0.01, 1e-14) << "direction " << i << ", row " << row;
      }
}

TEST(Reference, MovesAPopulationByItsVelocityAndAroundTheLattice) {
  const Case c = Model::make_case("periodic-9x8");
  for (int i = 0; i < q; ++i) {
    Reference lattice(c);
    lattice.cell(8, 7)[i] = 7;
    lattice.propagate();
    EXPECT_EQ(lattice.cell((8 + d2q37_cx[i] + 9) % 9, (7 + d2q37_cy[i] + 8) % 8)[i], 7) << i;
  }
}

TEST(Reference, KeepsTheMirrorSymmetryAlongX) {
  int mirrored[q] = {};
  for (int i = 0; i < q; ++i)
    for (int j = 0; j < q; ++j)
      if (d2q37_cx[j] == -d2q37_cx[i] && d2q37_cy[j] == d2q37_cy[i]) mirrored[i] = j;
  for (const auto* name : {"periodic-10x9", "rt-11x17", "flame-9x20"}) {
    const Case c = Model::seeded(Model::make_case(name));
    Reference lattice(c), image(c);
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          image.cell(c.nx - 1 - x, y)[mirrored[i]] = lattice.cell(x, y)[i];
    lattice.advance(30);
    image.advance(30);
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          ASSERT_NEAR(image.cell(c.nx - 1 - x, y)[mirrored[i]], lattice.cell(x, y)[i], 1e-13) << name;
  }
}

/// Largest speed, and largest relative errors of temperature and of the density exp(-g y / T), for a gas at rest whose density
/// falls by 8 % from the bottom to the top. Wall rows are excluded; their density is compared separately.
struct Unrest {
  double speed = 0, temperature = 0, density = 0, wall_density = 0;
};
Unrest rest(int rows) {
  Case c = Model::make_case("rt-3x" + std::to_string(rows));
  c.nx = 1;
  c.tau = 0.8;
  c.bottom = c.middle = c.top = 0.95;
  c.amplitude = 0;
  c.gravity = 0.064 / rows;
  Reference lattice(c);
  lattice.advance(static_cast<std::int64_t>(rows) * rows);
  ladder::Populations state(q, {{}, c.grid()});
  lattice.store(state);
  const double middle = physical(c, state, rows / 2).density;
  Unrest most;
  for (int y = 0; y < rows; ++y) {
    const auto gas = physical(c, state, y);
    const bool is_wall = y < Case::wall_rows || y >= rows - Case::wall_rows;
    const double exact = middle * std::exp(-c.gravity * (y - rows / 2) * D2Q37_R / c.top);
    double& density = is_wall ? most.wall_density : most.density;
    density = std::max(density, std::abs(gas.density / exact - 1));
    most.temperature = std::max(most.temperature, std::abs(gas.temperature / c.top - 1));
    most.speed = std::max({most.speed, std::abs(gas.u), std::abs(gas.v)});
  }
  return most;
}

TEST(Gas, RestsUnderItsWeightBetweenWallsOfOneTemperature) {
  const Unrest coarse = rest(32), fine = rest(64);
  for (const Unrest& u : {coarse, fine}) {
    EXPECT_LT(u.speed, 2e-8);
    EXPECT_LT(u.temperature, 2e-6);
    EXPECT_LT(u.density, 1e-6);
    EXPECT_LT(u.wall_density, 3e-4) << "the mirror lies half a cell below the lowest row";
  }
  EXPECT_LT(fine.speed, 0.6 * coarse.speed);
  EXPECT_LT(fine.temperature, 0.6 * coarse.temperature);
  EXPECT_LT(fine.density, 0.6 * coarse.density);
  EXPECT_LT(fine.wall_density, 0.6 * coarse.wall_density);
}

}  // namespace
}  // namespace d2q37
