// Waves with a known solution of the linearized equations of a thermal gas. The reference must reproduce their speed and decay,
// with an error that falls as the number of cells grows. Viscosity and thermal diffusivity are T (tau - 1/2). The ratio of
// specific heats is 2, so the speed of sound is sqrt(2 T).
#include <gtest/gtest.h>

#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;
using Gas = Macroscopic<double>;
using std::complex;

/// Temperature and relaxation time of a gas, and its velocity along y.
struct Medium {
  double temperature, tau, wind;
  [[nodiscard]] double diffusivity() const { return temperature * (tau - 0.5); }
  [[nodiscard]] double sound() const { return std::sqrt(2 * temperature); }
};

/// A column with one wave along y; `gas` gives the gas for a cosine and a sine of the angle k y.
struct Column {
  Case c;
  Reference lattice;
  double k;

  Column(int cells, const Medium& m, const std::function<Gas(double, double)>& gas)
      : c(open_case(1, cells, m.tau)), lattice(c), k(wave_number(cells)) {
    set_gas(lattice, c, [&](int, int y) {
      const double angle = k * D2Q37_R * y;
      return gas(std::cos(angle), std::sin(angle));
    });
  }

  /// Growth rate of log a (real and imaginary part) while it decays by about 1/e. The phase is tracked in strides shorter than
  /// a full turn.
  complex<double> rate(const Medium& m, complex<double> (*mode)(Column&, const Medium&)) {
    lattice.advance(50);
    const double turn = c.ny * D2Q37_R / (m.sound() + std::abs(m.wind));
    const auto stride = static_cast<std::int64_t>(turn / 8) + 1;
    complex<double> before = mode(*this, m), sum = 0;
    std::int64_t steps = 0;
    while (static_cast<double>(steps) * k * k * m.diffusivity() < 1) {
      lattice.advance(stride);
      steps += stride;
      const complex<double> now = mode(*this, m);
      sum += std::log(now / before);
      before = now;
    }
    return sum / static_cast<double>(steps);
  }
};

/// Relative errors of a measured diffusivity and of a wave's speed.
struct Errors {
  double diffusivity, speed;
};

Errors shear(int cells, const Medium& m) {
  Column wave(cells, m, [&](double cosine, double) { return Gas{1, 1e-4 * cosine, m.wind, m.temperature}; });
  const auto rate =
      wave.rate(m, [](Column& w, const Medium&) { return amplitude(w.lattice, w.c.ny, [](const Gas& g) { return g.u; }); });
  return {-rate.real() / (wave.k * wave.k * m.diffusivity()) - 1, -rate.imag() / wave.k - m.wind};
}

/// A temperature wave at constant pressure: the gas flows to where it cools.
Errors thermal(int cells, const Medium& m) {
  constexpr double size = 1e-4;
  Column wave(cells, m, [&](double cosine, double sine) {
    const double t = m.temperature * (1 + size * cosine);
    return Gas{m.temperature / t, 0, m.wind - m.diffusivity() * wave_number(cells) * size * sine, t};
  });
  // Sound changes temperature and density alike, so the logarithm of their ratio does not contain it.
  const auto rate = wave.rate(m, [](Column& w, const Medium&) {
    return amplitude(w.lattice, w.c.ny, [](const Gas& g) { return std::log(g.temperature / g.density); });
  });
  return {-rate.real() / (wave.k * wave.k * m.diffusivity()) - 1, -rate.imag() / wave.k - m.wind};
}

/// Sound that travels along +y.
Errors sound(int cells, const Medium& m) {
  constexpr double size = 1e-6;
  Column wave(cells, m, [&](double cosine, double) {
    return Gas{1 + size * cosine, 0, m.wind + m.sound() * size * cosine, m.temperature * (1 + size * cosine)};
  });
  const auto rate = wave.rate(m, [](Column& w, const Medium& medium) {
    return amplitude(w.lattice, w.c.ny, [](const Gas& g) { return g.density * g.temperature; }) +
           medium.sound() * amplitude(w.lattice, w.c.ny, [](const Gas& g) { return g.v; });
  });
  return {-rate.real() / (wave.k * wave.k * m.diffusivity()) - 1, (-rate.imag() / wave.k - m.wind) / m.sound() - 1};
}

class Wave : public testing::TestWithParam<Medium> {
 protected:
  /// The error with 32 cells must be below `most`, and with 64 cells about a quarter of it.
  template <class Measure>
  static void expect_second_order(Measure error, double most) {
    const double coarse = error(32), fine = error(64);
    EXPECT_LT(std::abs(coarse), most);
    EXPECT_GT(std::log2(std::abs(coarse / fine)), 1.7) << coarse << " to " << fine;
    EXPECT_LT(std::log2(std::abs(coarse / fine)), 2.3) << coarse << " to " << fine;
  }
};

TEST_P(Wave, OfShearDecaysWithTheViscosity) {
  expect_second_order([](int cells) { return shear(cells, GetParam()).diffusivity; }, 0.01);
}

TEST_P(Wave, OfTemperatureDecaysWithTheThermalDiffusivity) {
  expect_second_order([](int cells) { return thermal(cells, GetParam()).diffusivity; }, 0.02);
}

TEST_P(Wave, OfSoundTravelsWithItsSpeed) {
  expect_second_order([](int cells) { return sound(cells, GetParam()).speed; }, 0.004);
}

TEST_P(Wave, OfSoundIsDampedByTheMeanOfViscosityAndThermalDiffusivity) {
  EXPECT_LT(std::abs(sound(32, GetParam()).diffusivity), 0.01);
  EXPECT_LT(std::abs(sound(64, GetParam()).diffusivity), 0.0035);
}

TEST_P(Wave, IsCarriedByTheWindAndDecaysAsAtRest) {
  Medium moving = GetParam();
  moving.wind = 0.1;
  for (const auto wave : {shear, thermal, sound}) {
    const Errors windy = wave(64, moving), calm = wave(64, GetParam());
    EXPECT_NEAR(windy.diffusivity, calm.diffusivity, 5e-4);
    EXPECT_NEAR(windy.speed, calm.speed, 3e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Medium, Wave,
                         testing::Values(Medium{1, 0.8, 0}, Medium{0.9, 0.8, 0}, Medium{1.1, 0.8, 0}, Medium{1, 1.2, 0}),
                         [](const auto& medium) {
                           return std::to_string(std::lround(medium.param.temperature * 100)) + "_" +
                                  std::to_string(std::lround(medium.param.tau * 100));
                         });

}  // namespace
}  // namespace d2q37
