// Evidence for the reference: the Taylor-Green vortex, conservation, and symmetry.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "variants/d3q27/textbook.hpp"

namespace d3q27 {
namespace {

/// The state of the reference after a complete run of `c`.
ladder::Populations run(const Case& c) {
  Reference reference(c);
  reference.advance(c.steps);
  ladder::Populations state(q, {{}, c.grid()});
  reference.store(state);
  return state;
}

TEST(ExactVortex, IsFreeOfDivergenceAndDecaysWithTheViscosity) {
  const Case c = Model::make_case("tgv-64x96x3");
  const double kx = 2 * std::numbers::pi / c.nx, ky = 2 * std::numbers::pi / c.ny;
  for (const int x : {1, 10, 40})
    for (const int y : {2, 30, 77}) {
      const double dx = (c.vortex(x + 1, y, 0).ux - c.vortex(x - 1, y, 0).ux) / std::sin(kx);
      const double dy = (c.vortex(x, y + 1, 0).uy - c.vortex(x, y - 1, 0).uy) / std::sin(ky);
      EXPECT_NEAR(dx * kx + dy * ky, 0, 1e-15) << "central differences of a sine are exact except for sin(k)/k";
      EXPECT_NEAR(c.vortex(x, y, 100).ux, c.vortex(x, y, 0).ux * std::exp(-c.viscosity() * (kx * kx + ky * ky) * 100), 1e-15);
    }
  EXPECT_DOUBLE_EQ(c.viscosity(), (c.tau - 0.5) / 3);
  EXPECT_NEAR(exact_energy(c, 0),
              kinetic_energy(c,
                             [&] {
                               Reference start(c);
                               ladder::Populations state(q, {{}, c.grid()});
                               start.store(state);
                               return state;
                             }()),
              1e-12 * exact_energy(c, 0));
}

TEST(Reference, ConvergesToTheVortexWithTheSquareOfTheSide) {
  double coarse = 0;
  for (const int side : {8, 16, 32}) {
    // In a thin box, the flow is the same in every plane.
    Case c = Model::make_case("tgv-" + std::to_string(side) + "x" + std::to_string(side) + "x3");
    const auto state = run(c);
    const double error = velocity_error(c, state, static_cast<double>(c.steps));
    EXPECT_LE(error, 200. / (side * side)) << "the publication's acceptance test";
    if (coarse > 0) {
      const double order = std::log2(coarse / error);
      EXPECT_GT(order, 1.9) << side;
      EXPECT_LT(order, 2.2) << side;
    }
    coarse = error;
  }
}

TEST(Reference, ConservesMassAndMomentum) {
  const Case c = Model::seeded(Model::make_case("tgv-6x5x4"));
  const auto sums = [&](const ladder::Populations& state) {
    std::array<double, 4> s{};
    for (std::int64_t cell = 0; cell < c.cells(); ++cell)
      for (int i = 0; i < q; ++i) {
        s[0] += state.at(i, cell);
        s[1] += d3q27_cx[i] * state.at(i, cell);
        s[2] += d3q27_cy[i] * state.at(i, cell);
        s[3] += d3q27_cz[i] * state.at(i, cell);
      }
    return s;
  };
  Reference reference(c);
  ladder::Populations before(q, {{}, c.grid()}), after(q, {{}, c.grid()});
  reference.store(before);
  reference.advance(50);
  reference.store(after);
  const auto first = sums(before), last = sums(after);
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(last[k], first[k], 1e-12) << k;
  EXPECT_NEAR(after.total(), first[0], 1e-12);
}

TEST(Vortex, HasADensityAboutOne) {
  const Case c = Model::make_case("tgv-6x5x4");
  ladder::Populations start(q, {{}, c.grid()});
  Reference(c).store(start);
  EXPECT_NEAR(start.total(), 120, 1);
}

/// Each of the 27 populations, starting from the last cell of every side.
TEST(Reference, MovesAPopulationByItsVelocityAndAroundTheBox) {
  for (int i = 0; i < q; ++i) {
    const Case c = Model::make_case("tgv-3x4x5");
    Reference reference(c);
    reference.cell(2, 3, 4)[i] = 7;
    reference.propagate();
    EXPECT_EQ(reference.cell((2 + d3q27_cx[i] + 3) % 3, (3 + d3q27_cy[i] + 4) % 4, (4 + d3q27_cz[i] + 5) % 5)[i], 7) << i;
  }
}

TEST(Reference, GivesTheSameFlowInEveryPlane) {
  // The vortex lies in the x-y plane, so its decay does not depend on the length of the box along z.
  const Case flat = Model::make_case("tgv-8x8x3");
  const Case tall = Model::make_case("tgv-8x8x7");
  const auto a = run(flat), b = run(tall);
  for (std::int64_t cell = 0; cell < flat.cells(); ++cell)
    for (int i = 0; i < q; ++i)
      ASSERT_NEAR(a.at(i, cell), b.at(i, cell), 1e-14);
}

TEST(Summary, NamesTheEnergyAndTheError) {
  Case c = Model::make_case("tgv-8x8x3");
  const auto state = run(c);
  const std::string text = Model::summary(c, state, {});
  EXPECT_NE(text.find("8x8x3"), std::string::npos);
  EXPECT_NE(text.find("error of the velocity: "), std::string::npos);
}

}  // namespace
}  // namespace d3q27
