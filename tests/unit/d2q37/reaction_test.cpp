// The reaction: the heat that it releases, and the speed of a flame.
#include <gtest/gtest.h>

#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;
using Gas = Macroscopic<double>;

Case reactive_case(int nx, int ny, double tau, double reaction_time, bool is_compensated) {
  Case c = open_case(nx, ny, tau);
  c.bottom = 1.01;
  c.top = 0.99;
  c.reaction_time = reaction_time;
  c.compensated = is_compensated ? 1 : 0;
  return c;
}

/// Progress of the reaction in a gas, from 0 to 1.
double progress(const Case& c, const Gas& g) { return (g.temperature - c.top) / (c.bottom - c.top); }

TEST(Heat, IsThatOfTheBurnedGasAndOfTheWorkOfThePressure) {
  Case c = reactive_case(1, 1, 0.8, 100, true);
  const double half = (1.01 - 0.99) / 4 / 100;  // p (1 - p) is 1/4
  EXPECT_NEAR(c.heat(1.0, 0.0), half, 1e-17);
  EXPECT_NEAR(c.heat(1.0, 0.03), half + 0.03, 1e-17);
  EXPECT_EQ(c.heat(0.98, 0.0), 0);
  EXPECT_EQ(c.heat(1.02, 0.0), 0);
  c.compensated = 0;
  EXPECT_NEAR(c.heat(1.0, 0.03), 2 * half, 1e-17);
}

TEST(Heat, IsWhatTheEnergyOfAUniformGasGrowsByInEachStep) {
  for (const bool is_compensated : {false, true}) {
    const Case c = reactive_case(4, 3, 0.7, 50, is_compensated);
    Reference lattice(c);
    set_gas(lattice, c, [](int, int) { return Gas{1.3, 0.02, -0.01, 0.997}; });
    for (int step = 0; step < 100; ++step) {
      const double t = at(lattice, 0, 0).temperature, before = budget(lattice, c).energy;
      lattice.advance(1);
      const double released = static_cast<double>(c.cells()) * 1.3 * c.heat(t, 0.0);
      EXPECT_GT(released, 0);
      EXPECT_NEAR(budget(lattice, c).energy - before, released, 1e-13);
    }
  }
}

/// The reaction of a uniform gas at rest is a logistic curve: p = 1 / (1 + (1/p_0 - 1) e^(-2 t / tau_R)) without compensation.
/// A step's heat follows from the temperature at its beginning, so the error after tau_R halves when tau_R doubles.
TEST(Heat, IsOfFirstOrderInTheStep) {
  const auto error = [](int reaction_time) {
    const Case c = reactive_case(1, 1, 0.7, reaction_time, false);
    const double start = 0.2;
    Reference lattice(c);
    set_gas(lattice, c, [&](int, int) { return Gas{1, 0, 0, c.top + start * (c.bottom - c.top)}; });
    lattice.advance(reaction_time);
    return progress(c, at(lattice, 0, 0)) - 1 / (1 + (1 / start - 1) * std::exp(-2));
  };
  const double coarse = error(100), fine = error(200);
  EXPECT_LT(std::abs(coarse), 0.005);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05) << coarse << " to " << fine;
}

TEST(Heat, KeepsTheTemperatureOfAGasThatExpandsIfItIsCompensated) {
  // The gas expands by 0.01 / R per step and does not burn. Rows far from the velocity jump at the ends are compared.
  for (const bool is_compensated : {true, false}) {
    Case c = reactive_case(1, 41, 0.8, 50, is_compensated);
    c.bottom = 1.1;
    c.top = 1.05;
    Reference lattice(c);
    set_gas(lattice, c, [](int, int y) { return Gas{1, 0, 0.01 * (y - 20), 1}; });
    lattice.advance(1);
    const double cooling = is_compensated ? 0 : 0.01 / D2Q37_R;
    EXPECT_NEAR(at(lattice, 0, 20).temperature, 1 - cooling, 2e-4) << "T div u, to first order in the step";
  }
}

TEST(Heat, IsNotGivenToTheRowsOfAWallWhoseTemperatureIsGiven) {
  Case c = reactive_case(3, 9, 0.7, 50, true);
  c.walls = 1;
  Reference lattice(c);
  set_gas(lattice, c, [](int, int y) { return Gas{1, 0, 0.01 * y, 1}; });
  lattice.advance(1);
  for (const int y : {0, 1, 2})
    EXPECT_NEAR(at(lattice, 1, y).temperature, c.bottom, 1e-14) << y;
  for (const int y : {6, 7, 8})
    EXPECT_NEAR(at(lattice, 1, y).temperature, c.top, 1e-14) << y;
}

/// The wave of theta_t = theta_zz + theta (1 - theta) that travels with speed 2, with theta(0) = 1/2. It satisfies theta'' + 2
/// theta' + theta (1 - theta) = 0 and is integrated from the burned end.
class ReactionWave {
 public:
  ReactionWave() {
    const auto bend = [](double theta, double slope) { return -2 * slope - theta * (1 - theta); };
    double theta = 1 - 1e-10, slope = -1e-10 * (std::sqrt(2.0) - 1);
    while (theta > 1e-12) {
      if (theta > 0.5) ++middle_;
      theta_.push_back(theta);
      const double s2 = slope + h / 2 * bend(theta, slope), b2 = bend(theta + h / 2 * slope, s2);
      const double s3 = slope + h / 2 * b2, b3 = bend(theta + h / 2 * s2, s3);
      const double s4 = slope + h * b3, b4 = bend(theta + h * s3, s4);
      const double b1 = bend(theta, slope);
      theta += h / 6 * (slope + 2 * s2 + 2 * s3 + s4);
      slope += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    }
  }
  double operator()(double z) const {
    const std::int64_t n = middle_ + std::lround(z / h);
    return n < 0 ? 1 : n >= std::ssize(theta_) ? 0 : theta_[static_cast<std::size_t>(n)];
  }

 private:
  static constexpr double h = 0.001;
  std::vector<double> theta_;
  std::int64_t middle_ = 0;
};

/// Speed of a flame along y, relative to the unburned gas, over 2 sqrt(D / tau_R). The flame starts as the travelling wave:
/// from any steep profile, a pulled front would approach its speed only as v (1 - 3 tau_R / (4 t)), but the unburned gas does
/// not stay cold for long, because sound warms it and the slightest warming grows by e in each tau_R. For the same reason the
/// flame must not compress the gas: the burned gas behind it has an open end, cells that are reset to pressure 1.
double flame_speed(const Case& c, double diffusivity) {
  const double length = std::sqrt(diffusivity * c.reaction_time) / D2Q37_R,
               speed = 2 * std::sqrt(diffusivity / c.reaction_time);
  const ReactionWave wave;
  const int open = 20;
  const double start = 10 * length + open;
  Reference lattice(c);
  // A second flame, the mirror image of the first, meets it in the middle, where the gas is at rest.
  set_gas(lattice, c, [&](int, int y) {
    const bool is_first = 2 * y < c.ny;
    const double t = c.top + (c.bottom - c.top) * wave(((is_first ? y : c.ny - 1 - y) - start) / length);
    return Gas{1 / t, 0, (is_first ? 1 : -1) * speed * (1 - t / c.top), t};
  });
  const auto place = [&] {
    int y = open;
    while (progress(c, at(lattice, 0, y)) > 0.5)
      ++y;
    const double here = progress(c, at(lattice, 0, y)), before = progress(c, at(lattice, 0, y - 1));
    return y - (0.5 - here) / (before - here);
  };
  double first = 0, moved_gas = 0;
  const auto time = static_cast<std::int64_t>(c.reaction_time);
  for (std::int64_t step = 0; step < 4 * time; ++step) {
    if (step == time) first = place();
    if (step >= time) moved_gas += at(lattice, 0, static_cast<int>(start + 15 * length)).v / D2Q37_R;
    lattice.advance(1);
    for (int y = -open; y < open; ++y) {
      const int row = (y + c.ny) % c.ny;
      equilibrium({1 / c.bottom, 0, at(lattice, 0, row).v, c.bottom}, lattice.cell(0, row).data());
    }
  }
  return (place() - first - moved_gas) * D2Q37_R / (3 * static_cast<double>(time)) / speed;
}

TEST(Flame, SpreadsHeatWithTwiceTheDiffusivityIfTheWorkOfThePressureIsCompensated) {
  // No energy goes into expansion: rho c_v dT/dt = k T_yy + rho S, with k = c_p rho alpha.
  const Case c = reactive_case(1, 300, 0.6, 200, true);
  EXPECT_NEAR(flame_speed(c, 2 * c.diffusivity(c.top)), 1, 0.03);
}

TEST(Flame, SpreadsHeatWithTheDiffusivityAtConstantPressureOtherwise) {
  const Case c = reactive_case(1, 300, 0.55, 1000, false);
  EXPECT_NEAR(flame_speed(c, c.diffusivity(c.top)), 1, 0.03);
}

}  // namespace
}  // namespace d2q37
