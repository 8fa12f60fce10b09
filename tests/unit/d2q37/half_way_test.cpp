// Half-way walls: the gas feels them half a cell outside the lattice, for all relaxation times (docs/d2q37.md).
#include "variants/d2q37/half_way.hpp"

#include <gtest/gtest.h>

#include "tests/support/error.hpp"
#include "tests/support/text.hpp"
#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::input_error;
using Gas = Macroscopic<double>;

Case column(int rows, double tau, double bottom, double top) {
  Case c = open_case(1, rows, tau);
  c.walls = half_way;
  c.bottom = c.middle = bottom;
  c.top = top;
  return c;
}

/// Steps after which the slowest mode between the walls has decayed by exp(-n).
std::int64_t decay_steps(const Case& c, double n) {
  const double k = std::numbers::pi / (c.ny * D2Q37_R);
  return std::llround(n / (k * k * c.diffusivity(1)));
}

/// Height of a row's center above the bottom wall, in units of the distance of the walls.
double height(const Case& c, int y) { return (y + 0.5) / c.ny; }

class HalfWayWalls : public testing::TestWithParam<double> {};

/// At constant pressure, rho alpha is constant, and the steady temperature is linear in the height. Distances in cells from
/// this line are the errors of the walls' positions; rows at the walls count, too.
TEST_P(HalfWayWalls, ConductHeatHalfACellOutside) {
  Case c = column(16, GetParam(), 1.01, 0.99);
  const double slope = (c.top - c.bottom) / c.ny;
  Reference lattice(c);
  set_gas(lattice, c, [&](int, int) { return Gas{1, 0, 0, 1}; });
  lattice.advance(decay_steps(c, 14));
  for (int y = 0; y < c.ny; ++y) {
    const Gas gas = at(lattice, 0, y);
    EXPECT_NEAR((gas.temperature - (c.bottom + slope * (y + 0.5))) / slope, 0, 1e-3) << y;
    EXPECT_NEAR(gas.v, 0, 1e-8) << y;
  }
}

/// Couette flow: the heat of friction changes the temperature by the square of the speed, and with it the viscosity.
TEST_P(HalfWayWalls, DragTheGasHalfACellOutside) {
  Case c = column(16, GetParam(), 1, 1);
  c.walls = half_way_moving;
  c.amplitude = 0.01;
  Reference lattice(c);
  set_gas(lattice, c, [&](int, int) { return Gas{1, 0, 0, 1}; });
  lattice.advance(decay_steps(c, 14));
  for (int y = 0; y < c.ny; ++y)
    EXPECT_NEAR((at(lattice, 0, y).u / c.amplitude - height(c, y)) * c.ny, 0, 1e-3) << y;
}

/// The decay of the slowest shear mode, u = sin(pi z / H), gives the distance H of the walls. Its error falls with the square
/// of the cell's size.
TEST_P(HalfWayWalls, AreOfSecondOrderForAWaveOfShear) {
  const auto excess = [&](int rows) {
    const Case c = column(rows, GetParam(), 1, 1);
    Reference lattice(c);
    set_gas(lattice, c, [&](int, int y) { return Gas{1, 1e-4 * std::sin(std::numbers::pi * height(c, y)), 0, 1}; });
    const std::int64_t steps = decay_steps(c, 0.5);
    lattice.advance(steps);
    const double before = budget(lattice, c).x;
    lattice.advance(steps);
    const double rate = std::log(before / budget(lattice, c).x) / static_cast<double>(steps);
    return std::numbers::pi * std::sqrt(c.diffusivity(1) / rate) / D2Q37_R - rows;
  };
  const double coarse = excess(12), fine = excess(24);
  EXPECT_LT(std::abs(coarse), 0.1);
  EXPECT_LT(std::abs(fine / 24), 0.3 * std::abs(coarse / 12) + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Tau, HalfWayWalls, testing::Values(0.53, 0.6, 0.8, 1),
                         [](const auto& tau) { return std::to_string(std::lround(tau.param * 100)); });

/// Solvers initialize their lattice from the case with pinned rows.
TEST(HalfWay, DoesNotChangeTheStart) {
  for (const std::int64_t walls : {half_way, half_way_moving}) {
    Case c = column(16, 0.8, 1.1, 0.9);
    c.nx = 4;
    c.walls = walls;
    c.lower = c.upper = 8;
    c.width = 3;
    c.amplitude = 0.25;
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        EXPECT_EQ(with_pinned_rows(c).initial(x, y, 0), c.initial(x, y, 0)) << walls << " " << x << " " << y;
  }
}

TEST(HalfWay, KeepsMass) {
  for (const auto* name : {"rth-9x7", "rt2ah-11x23", "couette-5x9"})
    for (const bool is_seeded : {false, true}) {
      Case c = Model::make_case(name);
      c.is_seeded = is_seeded;
      Reference lattice(c);
      const double before = budget(lattice, c).mass;
      lattice.advance(1000);
      EXPECT_NEAR(budget(lattice, c).mass / before, 1, 1e-12) << name;
    }
}

/// The largest deviations of gas at rest under its weight, whose density falls by 8 %, from a speed of 0, the walls'
/// temperature and the hydrostatic density.
TEST(HalfWay, LetsGasRestUnderItsWeight) {
  const auto unrest = [](int rows) {
    Case c = column(rows, 0.53, 0.95, 0.95);
    c.gravity = 0.064 / rows;
    c.lower = c.upper = rows / 2.;
    Reference lattice(c);
    lattice.advance(static_cast<std::int64_t>(rows) * rows);
    ladder::Populations state(q, {{}, c.grid()});
    lattice.store(state);
    const double middle = physical(c, state, rows / 2).density;
    Gas most{};
    for (int y = 0; y < rows; ++y) {
      const Gas gas = physical(c, state, y);
      const double exact = middle * std::exp(-c.gravity * (y - rows / 2) * D2Q37_R / c.top);
      most.density = std::max(most.density, std::abs(gas.density / exact - 1));
      most.temperature = std::max(most.temperature, std::abs(gas.temperature / c.top - 1));
      most.v = std::max(most.v, std::abs(gas.v));
    }
    return most;
  };
  const Gas coarse = unrest(16), fine = unrest(32);
  EXPECT_LT(fine.v, 1e-8);
  EXPECT_LT(fine.temperature, 1e-6);
  EXPECT_LT(fine.density, 1e-6);
  EXPECT_LT(fine.v, 0.3 * coarse.v);
  EXPECT_LT(fine.temperature, 0.3 * coarse.temperature);
  EXPECT_LT(fine.density, 0.3 * coarse.density);
}

/// Populations from the images of half_way.hpp, which rungs use, give the step of the reference. The images of a column send as
/// much as it loses.
TEST(HalfWay, TakesPopulationsFromTheImages) {
  const Case c = Model::seeded(Model::make_case("rth-9x8"));
  const Mirrors<double> mirrors(c);
  Reference lattice(c), next(c);
  next.propagate();
  for (const Wall& wall : {wall_of(false, 0, c.ny), wall_of(true, 0, c.ny)})
    for (int x = 0; x < c.nx; ++x) {
      const auto left = [&](int i, int n) { return lattice.cell(x, wall.row(n, c.ny))[i]; };
      double lost = 0, sent = 0;
      for (int n = 0; n < Case::wall_rows; ++n)
        for (int i = 0; i < q; ++i)
          if (wall.turns(d2q37_opposite[i], n)) lost += left(i, n);
      reflect_column<double>(mirrors.of[wall.is_top ? 1 : 0], wall.inward, left, [&](int i, int n, double f) {
        sent += f;
        next.cell(ladder::wrapped(x + d2q37_cx[i], c.nx), wall.row(wall.source(i, n), c.ny))[i] = f;
      });
      EXPECT_NEAR(sent, lost, 1e-15);
    }
  lattice.advance(1);
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const auto f = next.cell(x, y);
      collide_textbook(f.data(), c.tau, c.gravity, 0.0);
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(lattice.cell(x, y)[i], f[i], 1e-15) << x << ' ' << y << ' ' << i;
    }
}

TEST(HalfWay, KeepsTheMirrorSymmetryAlongX) {
  const Case c = Model::seeded(Model::make_case("rth-11x17"));
  int mirrored[q] = {};
  for (int i = 0; i < q; ++i)
    for (int j = 0; j < q; ++j)
      if (d2q37_cx[j] == -d2q37_cx[i] && d2q37_cy[j] == d2q37_cy[i]) mirrored[i] = j;
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
        ASSERT_NEAR(image.cell(c.nx - 1 - x, y)[mirrored[i]], lattice.cell(x, y)[i], 1e-13);
}

TEST(HalfWayCases, DifferInTheirWallsAlone) {
  for (const auto* kind : {"rt", "rt2", "rt2a"}) {
    const std::string name = kind;
    Case c = Model::make_case(name + "h-16x24");
    EXPECT_EQ(c.name, name + "h-16x24");
    EXPECT_EQ(c.walls, half_way);
    EXPECT_NE(c.content(), Model::make_case(name + "-16x24").content());
    EXPECT_EQ(with_pinned_rows(c).content(), Model::make_case(name + "-16x24").content());
  }
  const Case couette = Model::make_case("couette-16x24");
  EXPECT_EQ(couette.walls, half_way_moving);
  EXPECT_EQ(wall_velocity(couette, true), couette.amplitude);
  EXPECT_EQ(wall_velocity(couette, false), 0);
  EXPECT_EQ(couette.start(3, 12).temperature, 1);
  for (const auto* name : {"flameh-9x40", "periodich-9x40", "couetteh-9x40"})
    EXPECT_TRUE(contains(input_error([&] { Model::make_case(name); }), "rth-N, rth-NXxNY")) << name;
  EXPECT_TRUE(contains(input_error([] { Model::make_case("rth-64x6"); }), "ny is 6; accepted: an integer from 7"));
}

TEST(HalfWayCases, AreReadFromFiles) {
  const auto file = [](const std::string& amplitude, const std::string& reaction, const std::string& walls) {
    return "16\n24\n100\n0.6\n1e-3\n1.1\n1.0\n0.9\n8\n16\n3\n" + amplitude + "\n2\n" + reaction + "\n0\n" + walls + "\n";
  };
  EXPECT_EQ(parse_parameters("f", file("0.1", "0", "2")).walls, half_way);
  EXPECT_EQ(parse_parameters("f", file("0.1", "0", "3")).walls, half_way_moving);
  EXPECT_EQ(parse_parameters("f", file("5", "0", "2")).amplitude, 5) << "of the interface, in cells";
  EXPECT_TRUE(contains(input_error([&] { parse_parameters("f", file("5", "0", "3")); }), "f:12: amplitude is 5: a gas"));
  EXPECT_TRUE(contains(input_error([&] { parse_parameters("f", file("0.1", "50", "2")); }),
                       "f:14: reaction_time is 50; accepted between half-way walls: 0"));
}

TEST(HalfWayCases, AreRefusedBySolversThatPinRows) {
  const Case c = Model::make_case("rth-16x24");
  EXPECT_THROW(static_cast<void>(c.bottom_row()), ladder::Unavailable);
  EXPECT_EQ(with_pinned_rows(c).bottom_row(), 0);
}

}  // namespace
}  // namespace d2q37
