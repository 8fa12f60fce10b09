// Flows with a known solution of the Navier-Stokes equations. The reference must reproduce them with the viscosity (1/omega -
// 1/2)/3, which follows from the Chapman-Enskog expansion.
#include <gtest/gtest.h>

#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

using namespace test;

constexpr double half_a_percent = 0.005;

class Viscosity : public testing::TestWithParam<double> {
 protected:
  const double omega = GetParam();

  /// Viscosity from the decay exp(-nu k2 t) of an amplitude, measured after the initial transient.
  template <class Amplitude>
  static double from_decay(Reference& lattice, double omega, double k2, Amplitude amplitude) {
    lattice.advance(200);
    const double before = amplitude();
    const auto steps = static_cast<std::int64_t>(std::ceil(0.1 / (k2 * viscosity(omega))));
    lattice.advance(steps);
    return std::log(before / amplitude()) / (k2 * static_cast<double>(steps));
  }
};

TEST_P(Viscosity, FollowsFromTheDecayOfAShearWave) {
  constexpr int n = 128;
  constexpr double k = 2 * std::numbers::pi / n;
  const Case along_y = open_case(3, n, omega);
  Reference lattice(along_y);
  set_flow(lattice, along_y, [&](int, int y) { return Macroscopic{1, 0.01 * std::cos(k * y), 0}; });
  const double nu = from_decay(lattice, omega, k * k, [&] {
    double sum = 0;
    for (int y = 0; y < n; ++y)
      sum += at(lattice, 1, y).ux * std::cos(k * y);
    return sum;
  });
  EXPECT_NEAR(nu / viscosity(omega), 1, half_a_percent);
}

TEST_P(Viscosity, IsTheSameForAShearWaveAlongTheOtherAxis) {
  constexpr int n = 128;
  constexpr double k = 2 * std::numbers::pi / n;
  const Case along_x = open_case(n, 3, omega);
  Reference lattice(along_x);
  set_flow(lattice, along_x, [&](int x, int) { return Macroscopic{1, 0, 0.01 * std::sin(k * x)}; });
  const double nu = from_decay(lattice, omega, k * k, [&] {
    double sum = 0;
    for (int x = 0; x < n; ++x)
      sum += at(lattice, x, 1).uy * std::sin(k * x);
    return sum;
  });
  EXPECT_NEAR(nu / viscosity(omega), 1, half_a_percent);
}

TEST_P(Viscosity, FollowsFromTheDecayOfATaylorGreenVortex) {
  constexpr int n = 64;
  constexpr double k = 2 * std::numbers::pi / n;
  constexpr double u = 0.01;
  const Case c = open_case(n, n, omega);
  Reference lattice(c);
  // The pressure of the vortex, rho/3, balances its centrifugal force from the start.
  set_flow(lattice, c, [&](int x, int y) {
    return Macroscopic{1 - 0.75 * u * u * (std::cos(2 * k * x) + std::cos(2 * k * y)), -u * std::cos(k * x) * std::sin(k * y),
                       u * std::sin(k * x) * std::cos(k * y)};
  });
  const double nu = from_decay(lattice, omega, 2 * k * k, [&] {
    double sum = 0;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        sum += at(lattice, x, y).uy * std::sin(k * x) * std::cos(k * y);
    return sum;
  });
  EXPECT_NEAR(nu / viscosity(omega), 1, half_a_percent);
}

INSTANTIATE_TEST_SUITE_P(Omega, Viscosity, testing::Values(0.6, 1.0, 1.5, 1.85),
                         [](const auto& omega) { return std::to_string(std::lround(omega.param * 100)); });

/// A channel between two solid rows in which every fluid row is driven. One call of accelerate() adds the momentum
///   g = 2 w1 + 4 w2 = density accel (2/9 + 4/36) = density accel / 3
/// to a site in each step, so the steady profile is u(y) = g / (2 density nu) (y - south)(north - y). With full-way
/// bounce-back, the wall is half a site in front of the solid row.
struct Channel {
  Case c;
  Reference lattice;

  Channel(int height, double omega, double accel) : c(walled(height, omega, accel)), lattice(c) {
    const auto steps = static_cast<std::int64_t>(2.5 * height * height / viscosity(omega));
    for (std::int64_t n = 0; n < steps; ++n) {
      for (int row = 1; row <= height; ++row)
        lattice.accelerate(row);
      test::step(lattice, {});
    }
  }

  static Case walled(int height, double omega, double accel) {
    Case c = open_case(3, height + 2, omega);
    c.accel = accel;
    for (int x = 0; x < c.nx; ++x)
      c.solid[x] = c.solid[static_cast<std::size_t>(height + 1) * c.nx + x] = 1;
    return c;
  }

  [[nodiscard]] double force() const { return c.density * c.accel / 3; }
  [[nodiscard]] double poiseuille(int y) const {
    const double south = 0.5;
    const double north = c.ny - 1.5;
    return force() / (2 * c.density * viscosity(c.omega)) * (y - south) * (north - y);
  }
};

TEST(DrivenChannel, ShowsThePoiseuilleProfile) {
  for (const double omega : {1.0, 1.2}) {
    Channel channel(24, omega, 3e-5);
    const double fastest = channel.poiseuille(12);
    for (int y = 1; y <= 24; ++y)
      EXPECT_NEAR(at(channel.lattice, 1, y).ux, channel.poiseuille(y), half_a_percent * fastest)
          << "omega " << omega << ", row " << y;
  }
}

TEST(DrivenChannel, FlowsAlongTheChannelAndIsSymmetric) {
  Channel channel(15, 1.1, 3e-5);
  for (int y = 1; y <= 15; ++y) {
    EXPECT_NEAR(at(channel.lattice, 1, y).uy, 0, 1e-15) << y;
    EXPECT_NEAR(at(channel.lattice, 1, y).ux, at(channel.lattice, 1, 16 - y).ux, 1e-14) << y;
    EXPECT_NEAR(at(channel.lattice, 0, y).ux, at(channel.lattice, 2, y).ux, 1e-15) << y;
  }
}

TEST(DrivenChannel, LosesToItsWallsTheMomentumThatItIsGiven) {
  Channel channel(15, 1.1, 3e-5);
  const Budget before = budget(channel.lattice, channel.c);
  for (int row = 1; row <= 15; ++row)
    channel.lattice.accelerate(row);
  const Budget driven = budget(channel.lattice, channel.c);
  EXPECT_NEAR(driven.px - before.px, channel.force() * 15 * channel.c.nx, 1e-13);
  channel.lattice.propagate();
  channel.lattice.rebound();
  channel.lattice.collide();
  EXPECT_NEAR(budget(channel.lattice, channel.c).px, before.px, 1e-3 * (driven.px - before.px));
}

}  // namespace
}  // namespace d2q9
