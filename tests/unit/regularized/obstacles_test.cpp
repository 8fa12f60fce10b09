// Obstacles: their cases, what comes back from boundaries, and flows between walls with known solutions.
#include "variants/regularized/obstacles.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <set>

#include "tests/support/error.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q19/model.hpp"
#include "variants/lattice/fields.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

using ladder::test::contains;
using ladder::test::input_error;

ladder::Populations run(const Case& c, std::int64_t steps) {
  Reference reference(c);
  reference.advance(steps);
  ladder::Populations state(q, {{}, c.grid()});
  reference.store(state);
  return state;
}

/// Relative error of the fluid cells' velocity, which should be exact(x, y, z) along x. Cells where exact() is NaN are skipped.
template <class Exact>
double error_of(const Case& c, const ladder::Populations& state, Exact exact) {
  double error = 0, scale = 0;
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto [x, y, z] = state.box.place(cell);
    const double expected = exact(x, y, z);
    if (c.is_solid(x, y, z) || std::isnan(expected)) continue;
    const Macroscopic m = moments(lattice::populations<Lattice>(state, cell).data());
    error += (m.ux - expected) * (m.ux - expected) + m.uy * m.uy + m.uz * m.uz;
    scale += expected * expected;
  }
  return std::sqrt(error / scale);
}

TEST(ObstacleCases, HaveTheKindsAndNumbersOfD3q19) {
  for (const char* name : {"porous-13x9x11", "duct-20x9x9", "couette-4x6x5", "sphere20-24x40x40", "car-48x20x18"}) {
    const Case c = Model::make_case(name);
    const d3q19::Case expected = d3q19::Model::make_case(name);
    EXPECT_EQ(c.name, name);
    EXPECT_EQ(c.grid(), expected.grid()) << name;
    EXPECT_EQ(c.solid, expected.solid) << name;
    EXPECT_EQ(c.tau, expected.tau) << name;
    EXPECT_EQ(c.speed, expected.speed) << name;
    EXPECT_EQ(c.steps, expected.steps) << name;
    EXPECT_LT(c.fluid_cells(), c.cells()) << name;
  }
}

TEST(ObstacleCases, AreNamedInMessages) {
  EXPECT_TRUE(contains(input_error([] { Model::make_case("porus-64"); }), "did you mean 'porous-64'"));
  EXPECT_TRUE(contains(input_error([] { Model::make_case("ca-48x20x18"); }), "car-NXxNYxNZ"));
  EXPECT_TRUE(contains(input_error([] { Model::make_case("box-16"); }), "unknown case 'box-16'"));
  for (const std::string& name : obstacle_case_names())
    EXPECT_NE(name.substr(0, 4), "box-");
}

TEST(ObstacleCases, OfOtherObstaclesHaveAnotherContent) {
  const Case c = Model::make_case("porous-8x9x10");
  Case moved = c, open = c;
  moved.solid[5] ^= 1;
  open.solid.clear();
  EXPECT_EQ((std::set<std::string>{c.content(), Model::seeded(c).content(), moved.content(), open.content()}).size(), 4u);
}

TEST(ObstacleCases, StartWithAUniformFlowAroundCellsAtRest) {
  const Case c = Model::make_case("porous-8x9x10");
  ASSERT_LT(c.fluid_cells(), c.cells());
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto [x, y, z] = ladder::Box{{}, c.grid()}.place(cell);
    const Macroscopic m = moments(c.initial(x, y, z).data());
    EXPECT_NEAR(m.density, 1, 1e-15);
    EXPECT_NEAR(m.ux, c.is_solid(x, y, z) ? 0 : c.speed, 1e-15);
  }
}

TEST(ObstacleCases, ConserveMassUnlessTheyHaveInflowOrOutflow) {
  EXPECT_TRUE(conserves_mass(Model::make_case("tgv-8")));
  EXPECT_TRUE(conserves_mass(Model::make_case("porous-8")));
  EXPECT_FALSE(conserves_mass(Model::make_case("duct-20x9x9")));
  EXPECT_FALSE(ladder::ObstacleRules<Model>::conserves(Model::make_case("car-48x20x18")));
}

TEST(Walls, KeepTheMass) {
  const Case c = Model::seeded(Model::make_case("porous-13x9x11"));
  const double before = run(c, 0).total();
  EXPECT_NEAR(run(c, 200).total(), before, 1e-14 * 200 * before);
}

/// Takes steps on coefficients, with zeros in boundary cells and the populations that come back added, for all kinds of
/// boundaries.
TEST(Returned, AddedToTheSumsOverNeighboursGivesTheReferencesStep) {
  bool has_kind[3] = {};
  for (const Case& c : Model::companion_cases()) {
    const Neighbourhoods around(c);
    const ladder::Box box{{}, c.grid()};
    const Relaxation<double> relaxation(c.omega());
    std::vector<std::array<double, numbers>> from(static_cast<std::size_t>(c.cells())), to = from;
    for (std::int64_t n = 0; n < c.cells(); ++n) {
      const auto [x, y, z] = box.place(n);
      project(c.initial(x, y, z).data(), from[static_cast<std::size_t>(n)].data());
    }
    for (int step = 0; step < 3; ++step) {
      for (std::int64_t n = 0; n < c.cells(); ++n) {
        const auto [x, y, z] = box.place(n);
        const auto arriving = [&, x = x, y = y, z = z](auto v) {
          return population(
              from[static_cast<std::size_t>(box.number(ladder::wrapped(x - v.x, c.nx), ladder::wrapped(y - v.y, c.ny),
                                                       ladder::wrapped(z - v.z, c.nz)))]
                  .data(),
              v);
        };
        const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
        auto& s = to[static_cast<std::size_t>(n)];
        add_planes(up, add_planes(level, up), down, s.data());
        const std::uint32_t code = around.codes.empty() ? Neighbourhoods::plain : around.codes[static_cast<std::size_t>(n)];
        EXPECT_EQ(code == Neighbourhoods::solid, c.is_solid(x, y, z));
        if (code == Neighbourhoods::solid) s.fill(0);
        if (code > Neighbourhoods::solid) {
          for (int kind = 0; kind < Links::kinds; ++kind)
            has_kind[kind] = has_kind[kind] || around.links[code].from[kind] != 0;
          add_returned(around.links[code], from[static_cast<std::size_t>(n)].data(), c.speed, s.data());
        }
        relaxation(s.data(), s.data());
      }
      from.swap(to);
    }
    const ladder::Populations expected = run(c, 3);
    for (std::int64_t n = 0; n < c.cells(); ++n) {
      double f[q];
      populations_of(from[static_cast<std::size_t>(n)].data(), f);
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(f[i], expected.at(i, n), 1e-15) << c.name << ", cell " << n << ", population " << i;
    }
  }
  for (const bool seen : has_kind)
    EXPECT_TRUE(seen);
}

TEST(Couette, IsLinearAndExactBetweenHalfwayWalls) {
  for (const char* name : {"couette-3x5x4", "couette-5x12x3"})
    for (const double tau : {0.7, 1.0, 1.3}) {
      Case c = Model::make_case(name);
      const d3q19::Case known = d3q19::Model::make_case(name);
      c.tau = tau;
      const auto exact = [&](std::int64_t x, std::int64_t y, std::int64_t z) { return known.exact(x, y, z, 0).ux; };
      EXPECT_LT(error_of(c, run(c, 4 * c.steps), exact), 1e-11) << name << ", tau = " << tau;
      EXPECT_GT(error_of(c, run(c, 2), exact), 0.1) << name << ": it starts with a uniform flow";
    }
}

/// Error of a flow u_x = a sin(pi (y - 1/2) / width), which decays between two walls.
double channel_error(int width, double tau) {
  constexpr double speed = 1e-3;
  Case c = Model::make_case(fmt::format("tgv-3x{}x3", width + 2));
  c.tau = tau;
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  const ladder::Box box{{}, c.grid()};
  const double k = std::numbers::pi / width;
  const auto profile = [&](std::int64_t y) { return speed * std::sin(k * (static_cast<double>(y) - 0.5)); };
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const std::int64_t y = box.place(cell)[1];
    if (y == 0 || y == c.ny - 1) c.solid[static_cast<std::size_t>(cell)] = Kind::wall;
  }
  Reference lattice(c);
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto [x, y, z] = box.place(cell);
    if (c.is_solid(x, y, z)) continue;
    for (int i = 0; i < q; ++i)
      lattice.cell(x, y, z)[static_cast<std::size_t>(i)] = equilibrium(i, Macroscopic{1, profile(y), 0, 0});
  }
  const auto steps = static_cast<std::int64_t>(std::lround(1 / (c.viscosity() * k * k)));  // decays by about e
  lattice.advance(steps);
  ladder::Populations state(q, box);
  lattice.store(state);
  const double decay = std::exp(-c.viscosity() * k * k * static_cast<double>(steps));
  return error_of(c, state, [&](std::int64_t, std::int64_t y, std::int64_t) { return decay * profile(y); });
}

TEST(Channel, DecaysAsAnalyticallyWithTheSquareOfItsWidth) {
  for (const double tau : {0.6, 0.8, 1.2}) {
    double coarse = 0;
    for (const int width : {6, 12, 24}) {
      const double error = channel_error(width, tau);
      if (coarse > 0) {
        const double order = std::log2(coarse / error);
        EXPECT_GT(order, 1.8) << width << ", tau = " << tau;
        EXPECT_LT(order, 2.4) << width << ", tau = " << tau;
      }
      coarse = error;
    }
    EXPECT_LT(coarse, 0.02) << tau;
  }
}

/// Error of a duct's flow in a plane far from its ends.
double duct_error(const std::string& name) {
  const Case c = Model::make_case(name);
  const d3q19::Case known = d3q19::Model::make_case(name);
  return error_of(c, run(c, c.steps), [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return x == 3 * c.nx / 4 ? known.exact(x, y, z, 0).ux : std::nan("");
  });
}

TEST(Duct, ApproachesTheSeriesProfileFarFromItsEndsWithTheSquareOfTheSide) {
  const double coarse = duct_error("duct-20x7x7"), fine = duct_error("duct-40x12x12");
  EXPECT_LT(fine, 0.06) << "mostly because the density falls along the duct";
  const double order = std::log(coarse / fine) / std::log(10. / 5);
  EXPECT_GT(order, 1.6);
  EXPECT_LT(order, 2.6);
}

/// Solvers that do nothing, with and without support for obstacles.
class Open : public Solver {
 public:
  void advance(std::int64_t) override {}
  void store(ladder::Populations&) override {}
  void load(const ladder::Populations&) override {}
  double conserved() override { return 0; }
};
class Closed final : public Open, public ladder::TakesObstacles {};

template <class S>
ladder::Maker<Model> maker() {
  return {[](const Case&, const ladder::Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
    return std::make_unique<S>();
  }};
}

TEST(Rungs, RefuseObstaclesUnlessTheyAcceptThem) {
  const Case box = Model::make_case("tgv-8"), porous = Model::make_case("porous-8");
  EXPECT_NE(maker<Open>()(box, ladder::f64, {}), nullptr);
  EXPECT_NE(maker<Closed>()(box, ladder::f64, {}), nullptr);
  EXPECT_NE(maker<Closed>()(porous, ladder::f64, {}), nullptr);
  EXPECT_EQ(input_error([&] { maker<Open>()(porous, ladder::f64, {}); }), "this rung does not accept cases with obstacles");
}

}  // namespace
}  // namespace regularized
