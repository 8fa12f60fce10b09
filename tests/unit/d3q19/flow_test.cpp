// Evidence for the reference: flows with exact solutions, budgets of mass and momentum, and symmetry.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "variants/d3q19/results.hpp"
#include "variants/d3q19/textbook.hpp"

namespace d3q19 {
namespace {

/// The state of the reference for `c` after `steps` steps.
ladder::Populations run(const Case& c, std::int64_t steps) {
  Reference reference(c);
  reference.advance(steps);
  ladder::Populations state(q, {{}, c.grid()});
  reference.store(state);
  return state;
}

/// The same for a faster rung, d3q19/openmp/09_open.
ladder::Populations run_fast(const Case& c, std::int64_t steps) {
  const auto solver = rung.make(c, ladder::f64, {});
  solver->advance(steps);
  ladder::Populations state(q, {{}, c.grid()});
  solver->store(state);
  return state;
}

std::array<double, 3> momentum(const ladder::Populations& state) {
  std::array<double, 3> sum{};
  for (std::int64_t cell = 0; cell < state.cells(); ++cell)
    for (int i = 0; i < q; ++i) {
      sum[0] += d3q19_cx[i] * state.at(i, cell);
      sum[1] += d3q19_cy[i] * state.at(i, cell);
      sum[2] += d3q19_cz[i] * state.at(i, cell);
    }
  return sum;
}

TEST(Vortex, DecaysAsTheExactOneWithTheSquareOfTheSide) {
  double coarse = 0;
  for (const int side : {8, 16, 32}) {
    // In a thin box, the flow is the same in every plane.
    const Case c = Model::make_case("box-" + std::to_string(side) + "x" + std::to_string(side) + "x3");
    const double error = velocity_error(c, run_fast(c, c.steps), static_cast<double>(c.steps));
    if (coarse > 0) {
      const double order = std::log2(coarse / error);
      EXPECT_GT(order, 1.9) << side;
      EXPECT_LT(order, 2.3) << side;
    }
    coarse = error;
  }
  EXPECT_LT(coarse, 0.01);
}

TEST(Couette, IsLinearAndExactBetweenHalfwayWalls) {
  for (const char* name : {"couette-3x5x4", "couette-5x12x3"}) {
    const Case c = Model::make_case(name);
    const auto state = run(c, c.steps);
    EXPECT_LT(velocity_error(c, state, static_cast<double>(c.steps)), 1e-11) << name;
    EXPECT_GT(velocity_error(c, run(c, 10), 10), 0.01) << name << ": it starts from rest";
  }
}

TEST(Duct, HasTheSeriesProfileFarFromItsEndsWithTheSquareOfTheSide) {
  const auto counts = [](const Case& c, std::int64_t x) { return x == 3 * c.nx / 4; };
  const auto error = [&](const char* name) {
    const Case c = Model::make_case(name);
    return velocity_error(c, run_fast(c, c.steps), static_cast<double>(c.steps), counts);
  };
  const double coarse = error("duct-28x9x9"), fine = error("duct-60x17x17");
  EXPECT_LT(coarse, 0.08) << "mostly because the density falls along the duct";
  const double order = std::log(coarse / fine) / std::log(15. / 7);
  EXPECT_GT(order, 1.7);
  EXPECT_LT(order, 2.4);
}

TEST(Sphere, HasThePublishedDrag) {
  const Case c = Model::make_case("sphere20-60x60x60");
  const std::vector<double> values = Model::series(c, run_fast(c, 1000), 1000);
  EXPECT_NEAR(values[3], sphere_drag(20), 0.03);
  EXPECT_NEAR(values[2] / values[3], 1, 0.06) << "6 cells across (docs/d3q19.md has 10)";
  EXPECT_NEAR(values[1], 0, 1e-10) << "no lift";
}

TEST(Rung, OfTheseTestsFollowsTheReference) {
  for (const Case& c : Model::companion_cases()) {
    const auto a = run(c, 5), b = run_fast(c, 5);
    for (std::int64_t cell = 0; cell < c.cells(); ++cell)
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(a.at(i, cell), b.at(i, cell), 1e-14) << c.name;
  }
}

TEST(Walls, KeepTheMass) {
  const Case c = Model::seeded(Model::make_case("porous-13x9x11"));
  EXPECT_TRUE(Model::conserves(c));
  const double before = run(c, 0).total();
  EXPECT_NEAR(run(c, 200).total(), before, 1e-14 * 200 * before);
}

/// Collision conserves momentum, and so does streaming between fluid cells. The momentum c f that leaves toward a wall returns
/// as -c f.
TEST(Walls, TakeTheMomentumThatTheFluidLosesInAStep) {
  const Case c = Model::seeded(Model::make_case("porous-13x9x11"));
  Reference reference(c);
  ladder::Populations before(q, {{}, c.grid()}), after(q, {{}, c.grid()});
  for (int step = 0; step < 20; ++step) {
    reference.store(before);
    reference.advance(1);
    reference.store(after);
    const auto p = momentum(before), next = momentum(after), on_walls = force(c, before);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(next[axis] - p[axis], -on_walls[axis], 1e-12) << step;
      EXPECT_GT(std::abs(on_walls[axis]), 1e-5) << step;
    }
  }
}

/// Checks that mirroring a case along y or along z mirrors its flow.
void compare_with_mirrored(const Case& c) {
  for (const int axis : {1, 2}) {
    const auto mirrored = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return ladder::Triple{x, axis == 1 ? c.ny - 1 - y : y, axis == 2 ? c.nz - 1 - z : z};
    };
    const auto turned = [&](int i) {
      int j = 0;
      while (d3q19_cx[j] != d3q19_cx[i] || d3q19_cy[j] != (axis == 1 ? -1 : 1) * d3q19_cy[i] ||
             d3q19_cz[j] != (axis == 2 ? -1 : 1) * d3q19_cz[i])
        ++j;
      return static_cast<std::size_t>(j);
    };
    Case other = c;
    const ladder::Box box{{}, c.grid()};
    const auto for_each_cell = [&](auto visit) {
      for (std::int64_t n = 0; n < c.cells(); ++n) {
        const auto [x, y, z] = box.place(n);
        visit(n, box.place(n), mirrored(x, y, z));
      }
    };
    for_each_cell([&](std::int64_t n, const ladder::Triple&, const ladder::Triple& to) {
      other.solid[static_cast<std::size_t>(box.number(to[0], to[1], to[2]))] = c.solid[static_cast<std::size_t>(n)];
    });
    Reference a(c), b(other);
    for_each_cell([&](std::int64_t, const ladder::Triple& at, const ladder::Triple& to) {
      for (int i = 0; i < q; ++i)
        b.cell(to[0], to[1], to[2])[turned(i)] = a.cell(at[0], at[1], at[2])[static_cast<std::size_t>(i)];
    });
    a.advance(10);
    b.advance(10);
    for_each_cell([&](std::int64_t, const ladder::Triple& at, const ladder::Triple& to) {
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(b.cell(to[0], to[1], to[2])[turned(i)], a.cell(at[0], at[1], at[2])[static_cast<std::size_t>(i)], 1e-14);
    });
  }
}

TEST(Reference, GivesTheMirroredFlowForTheMirroredCase) {
  for (const std::size_t n : {2, 5}) {
    const Case c = Model::companion_cases()[n];
    ASSERT_FALSE(Model::conserves(c)) << "with inflow and outflow";
    compare_with_mirrored(c);
  }
}

}  // namespace
}  // namespace d3q19
