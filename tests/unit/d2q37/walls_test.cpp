// Where the gas feels the walls. Three rows at each wall are equilibria, so the wall does not lie half a cell below the first
// row, but a few cells inside the lattice; how many depends on tau (docs/d2q37.md).
#include <gtest/gtest.h>

#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;
using Gas = Macroscopic<double>;

/// Distances, in cells, of the walls that the gas feels from heights 0 and ny, at the bottom and at the top.
struct Depths {
  double bottom, top;
};

/// Expected depths for a relaxation time: of the wall that stops heat, and of the one that stops the gas.
struct Expected {
  double tau, heat, shear;
};

Case column_between_walls(int rows, double tau, double bottom, double top) {
  Case c = open_case(1, rows, tau);
  c.walls = 1;
  c.bottom = bottom;
  c.middle = c.top = top;
  return c;
}

/// Steps in which the slowest mode between the walls decays to 1/e.
std::int64_t settling_steps(const Case& c, double depth) {
  const double k = std::numbers::pi / ((c.ny - 2 * depth) * D2Q37_R);
  return std::llround(1 / (k * k * c.diffusivity(1)));
}

/// Heights of sites and cells are in cells; a cell's center is half a cell above its lower side.
double height(int y) { return y + 0.5; }

/// Heat conduction between walls of two temperatures: rho alpha is constant at constant pressure, so the temperature is linear
/// in the height. The walls are where the line through the inner cells has their temperatures. The start is the line for walls
/// at `guess`, whose error decays.
Depths conduction(int rows, double tau, double guess) {
  const Case c = column_between_walls(rows, tau, 1.01, 0.99);
  Reference lattice(c);
  set_gas(lattice, c, [&](int, int y) {
    const double t = c.bottom + (c.top - c.bottom) * std::clamp((height(y) - guess) / (rows - 2 * guess), 0.0, 1.0);
    return Gas{1 / t, 0, 0, t};
  });
  lattice.advance(4 * settling_steps(c, guess));
  const int margin = 6;
  double n = 0, h = 0, t = 0, hh = 0, ht = 0;
  for (int y = margin; y < rows - margin; ++y) {
    const double at_height = height(y), temperature = at(lattice, 0, y).temperature - 1;
    n += 1;
    h += at_height;
    t += temperature;
    hh += at_height * at_height;
    ht += at_height * temperature;
  }
  const double slope = (n * ht - h * t) / (n * hh - h * h), offset = (t - slope * h) / n;
  return {(c.bottom - 1 - offset) / slope, rows - (c.top - 1 - offset) / slope};
}

/// Depth of the walls from the decay of the slowest shear mode between them, u = sin(pi z / H), whose rate is nu (pi / H)^2.
double shear_depth(int rows, double tau, double guess) {
  const Case c = column_between_walls(rows, tau, 1, 1);
  Reference lattice(c);
  set_gas(lattice, c, [&](int, int y) {
    const double z = std::clamp((height(y) - guess) / (rows - 2 * guess), 0.0, 1.0);
    return Gas{1, 1e-4 * std::sin(std::numbers::pi * z), 0, 1};
  });
  const auto momentum = [&] { return budget(lattice, c).x; };
  const std::int64_t steps = settling_steps(c, guess);
  lattice.advance(steps / 2);
  const double before = momentum();
  lattice.advance(steps / 2);
  const double rate = std::log(before / momentum()) / static_cast<double>(steps / 2);
  return (rows - std::numbers::pi * std::sqrt(c.diffusivity(1) / rate) / D2Q37_R) / 2;
}

class WallDepth : public testing::TestWithParam<Expected> {};

TEST_P(WallDepth, OfHeatIsTheSameAtBothWallsAndForAllHeights) {
  const auto [tau, expected, shear] = GetParam();
  for (const int rows : {24, 32}) {
    const Depths depths = conduction(rows, tau, expected + 0.1);
    EXPECT_NEAR(depths.bottom, expected, 0.05) << rows;
    EXPECT_NEAR(depths.top, expected, 0.05) << rows;
  }
}

TEST_P(WallDepth, OfShearIsTheSameForAllHeights) {
  const auto [tau, heat, expected] = GetParam();
  for (const int rows : {24, 48})
    EXPECT_NEAR(shear_depth(rows, tau, expected + 0.1), expected, 0.03) << rows;
}

INSTANTIATE_TEST_SUITE_P(Tau, WallDepth,
                         testing::Values(Expected{0.53, 3.64, 3.29}, Expected{0.6, 3.17, 3.03}, Expected{0.8, 2.61, 2.69},
                                         Expected{1, 2.18, 2.40}),
                         [](const auto& depth) { return std::to_string(std::lround(depth.param.tau * 100)); });

/// As long as the three rows are equilibria, an offset of the walls in cells remains an error of first order in the cell's
/// size.
TEST(WallDepth, DoesNotShrinkAsTheLatticeGrows) {
  EXPECT_NEAR(shear_depth(64, 0.8, 2.7), shear_depth(32, 0.8, 2.7), 0.01);
  EXPECT_NEAR(conduction(48, 0.8, 2.6).bottom, conduction(24, 0.8, 2.6).bottom, 0.02);
}

TEST(WallRows, HaveTheTemperatureOfTheWallAndRest) {
  const Case c = column_between_walls(24, 0.8, 1.01, 0.99);
  Reference lattice(c);
  set_gas(lattice, c, [](int, int y) { return Gas{1, 0.01, 0, 1 + 0.001 * std::sin(y)}; });
  lattice.advance(10);
  for (int n = 0; n < Case::wall_rows; ++n)
    for (const bool is_top : {false, true}) {
      const Gas gas = at(lattice, 0, is_top ? c.ny - 1 - n : n);
      EXPECT_NEAR(gas.temperature, is_top ? c.top : c.bottom, 1e-14) << n;
      EXPECT_NEAR(gas.u, 0, 1e-15) << n;
      EXPECT_NEAR(gas.v, 0, 1e-15) << n;
    }
}

}  // namespace
}  // namespace d2q37
