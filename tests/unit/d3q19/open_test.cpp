// Open boundaries: inflow that imposes the velocity at any density, and outflow by extrapolation.
#include "variants/d3q19/open.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "tests/support/error.hpp"
#include "variants/d3q19/results.hpp"
#include "variants/d3q19/textbook.hpp"

namespace d3q19 {
namespace {

using ladder::test::input_error;

/// A tunnel with these kinds of cells at its ends, periodic along y and z.
Case tunnel(int nx, int side, int inflow, int outflow) {
  Case c;
  c.nx = nx;
  c.ny = c.nz = side;
  c.tau = 1;
  c.magic = 3. / 16;
  c.speed = 0.05;
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  for (std::size_t n = 0; n < c.solid.size(); n += static_cast<std::size_t>(nx)) {
    c.solid[n] = static_cast<std::uint8_t>(inflow);
    c.solid[n + static_cast<std::size_t>(nx) - 1] = static_cast<std::uint8_t>(outflow);
  }
  return c;
}

/// Sets the fluid cells of a reference to equilibrium with start(x).
template <class Start>
void set(Reference& reference, const Case& c, Start start) {
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const auto [x, y, z] = ladder::Box{{}, c.grid()}.place(n);
    if (c.kind(x, y, z) != 0) continue;
    for (int i = 0; i < q; ++i)
      reference.cell(x, y, z)[static_cast<std::size_t>(i)] = equilibrium(i, start(x));
  }
}

ladder::Populations state_of(const Reference& reference, const Case& c) {
  ladder::Populations state(q, {{}, c.grid()});
  reference.store(state);
  return state;
}

/// Largest deviation of the fluid cells' density or velocity from `flow`.
double deviation(const Case& c, const ladder::Populations& state, const Macroscopic& flow) {
  double most = 0;
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const auto [x, y, z] = ladder::Box{{}, c.grid()}.place(n);
    if (c.kind(x, y, z) != 0) continue;
    const Macroscopic m = at(state, n);
    most = std::max({most, std::abs(m.density - flow.density), std::abs(m.ux - flow.ux), std::abs(m.uy), std::abs(m.uz)});
  }
  return most;
}

/// Largest change of a uniform flow of this density after 50 steps in the tunnel of `name` without its sphere.
double deviation_of_uniform_flow(const std::string& name, double density) {
  Case c = Model::make_case(name);
  std::ranges::replace_if(
      c.solid, [](int kind) { return kind == D3Q19_WALL || kind == D3Q19_INSIDE; }, std::uint8_t{0});
  const Macroscopic flow = {density, c.speed, 0, 0};
  Reference reference(c);
  set(reference, c, [&](std::int64_t) { return flow; });
  reference.advance(50);
  return deviation(c, state_of(reference, c), flow);
}

TEST(OpenTunnel, KeepsAUniformFlowOfAnyDensity) {
  EXPECT_LT(deviation_of_uniform_flow("open20-24x20x20", 1.02), 1e-14);
  EXPECT_LT(deviation_of_uniform_flow("open100-14x11x12", 0.97), 1e-14);
}

TEST(OtherTunnels, KeepAUniformFlowOfDensityOneOnly) {
  for (const char* name : {"sphere20-24x20x20", "inflow20-24x20x20"}) {
    EXPECT_LT(deviation_of_uniform_flow(name, 1), 1e-14) << name;
    EXPECT_GT(deviation_of_uniform_flow(name, 1.02), 5e-4) << name;
  }
}

TEST(Inflow, ReturnsTheEquilibriumAtItsVelocityAndTheDensityOfTheFluid) {
  double f[q], momentum_differs = 0;
  const Macroscopic flow = {1.02, 0.05, 0, 0};
  for (int i = 0; i < q; ++i)
    f[i] = equilibrium(i, flow) - Lattice::weight(i);
  for (int i = 1; i < q; ++i) {
    EXPECT_NEAR(d3q19_returned_open(f, i, D3Q19_INFLOW, 0.05), f[d3q19_opposite[i]], 1e-16) << i;
    momentum_differs =
        std::max(momentum_differs, std::abs(d3q19_returned_open(f, i, D3Q19_VELOCITY, 0.05) - f[d3q19_opposite[i]]));
  }
  EXPECT_NEAR(momentum_differs, 6 * 0.02 * 0.05 / 18, 1e-16) << "D3Q19_VELOCITY imposes the momentum of density 1";
}

/// Velocity of the steady flow next to the inflow, relative to the case's speed. A plate that blocks a quarter of the tunnel
/// raises the density upstream of it. The flow is uniform far upstream of the plate.
double relative_inflow(int kind, double& density) {
  Case c = tunnel(24, 4, kind, D3Q19_PRESSURE);
  for (int n = 0; n < 4; ++n)
    c.solid[static_cast<std::size_t>(ladder::Box{{}, c.grid()}.number(18, n % 2, n / 2))] = D3Q19_WALL;
  const auto solver = rung.make(c, ladder::f64, {});
  solver->advance(20000);
  ladder::Populations state(q, {{}, c.grid()});
  solver->store(state);
  const Macroscopic m = at(state, state.box.number(1, 1, 2));
  density = m.density;
  return m.ux / c.speed;
}

TEST(Inflow, HasItsVelocityWhereTheDensityDeviates) {
  double density = 0;
  EXPECT_NEAR(relative_inflow(D3Q19_INFLOW, density), 1, 1e-8);
  EXPECT_GT(density, 1.005);
  const double of_momentum = relative_inflow(D3Q19_VELOCITY, density);
  EXPECT_GT(density, 1.005);
  EXPECT_NEAR(of_momentum, 1 / density, 1e-8);
}

/// Share of a sound pulse's amplitude that an outflow reflects. The pulse starts in the middle and moves toward the outflow.
double reflected_share(int outflow) {
  constexpr int length = 240;
  constexpr double amplitude = 1e-4, width = 10, centre = 120;
  Case c = tunnel(length, 3, D3Q19_WALL, outflow);
  c.tau = 0.52;
  Reference reference(c);
  const double sound = std::sqrt(Lattice::sound_squared);
  set(reference, c, [&](std::int64_t x) {
    const double excess = amplitude * std::exp(-0.5 * std::pow((static_cast<double>(x) - centre) / width, 2));
    return Macroscopic{1 + excess, sound * excess, 0, 0};
  });
  const auto largest = [&] {
    double most = 0;
    const ladder::Populations state = state_of(reference, c);
    for (int x = 1; x + 1 < length; ++x)
      most = std::max(most, std::abs(at(state, x).density - 1));
    return most;
  };
  reference.advance(static_cast<std::int64_t>(60 / sound));
  const double before = largest();
  reference.advance(static_cast<std::int64_t>(120 / sound));  // 60 cells after its reflection
  return largest() / before;
}

TEST(Outflow, ReflectsLessSoundThanAGivenPressure) {
  EXPECT_GT(reflected_share(D3Q19_PRESSURE), 0.8);
  // A pulse of density d moves populations with c_x = -1 by (1 - sqrt(3)) d / 6, its reflection r by (1 + sqrt(3)) r / 6.
  const double theory = (std::sqrt(3.) - 1) / (std::sqrt(3.) + 1);
  EXPECT_NEAR(reflected_share(D3Q19_OUTFLOW), theory, 0.05);
}

TEST(Outflow, HasAZeroGradient) {
  const Case c = Model::companion_cases().back();
  Reference reference(c);
  reference.advance(3);
  const ladder::Populations before = state_of(reference, c);
  // Without relaxation, a step only returns and streams populations.
  Case still = c;
  still.tau = 1e300;
  still.magic = 0;
  Reference streaming(still);
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const auto [x, y, z] = before.box.place(n);
    for (int i = 0; i < q; ++i)
      streaming.cell(x, y, z)[static_cast<std::size_t>(i)] = before.at(i, n);
  }
  streaming.advance(1);
  const int x = c.nx - 2;
  int compared = 0;
  for (int z = 2; z < c.nz - 2; ++z)
    for (int y = 2; y < c.ny - 2; ++y)
      for (int i = 1; i < q; ++i) {
        if (d3q19_cx[i] >= 0 || c.kind(x - 1, y, z) != 0) continue;
        ++compared;
        const auto slot = static_cast<std::size_t>(i);
        EXPECT_NEAR(streaming.cell(x, y, z)[slot], streaming.cell(x - 1, y, z)[slot], 1e-15) << y << ' ' << z << ' ' << i;
      }
  EXPECT_GT(compared, 100);
}

TEST(Outflow, BouncesBackUnlessFluidIsUpstream) {
  Case c = tunnel(6, 3, D3Q19_OUTFLOW, D3Q19_OUTFLOW);
  const ladder::Box box{{}, c.grid()};
  // One fluid cell with outflow cells on all sides; only the link along x has fluid upstream of the outflow cell.
  std::ranges::fill(c.solid, D3Q19_OUTFLOW);
  c.solid[static_cast<std::size_t>(box.number(3, 1, 1))] = 0;
  c.tau = 1e300;
  c.magic = 0;
  Reference reference(Model::seeded(c));
  std::array<double, q> before{};
  std::ranges::copy(reference.cell(3, 1, 1), before.begin());
  reference.advance(1);
  for (int i = 0; i < q; ++i) {
    const int from = i == 2 ? 2 : d3q19_opposite[i];
    EXPECT_NEAR(reference.cell(3, 1, 1)[static_cast<std::size_t>(i)], before[static_cast<std::size_t>(from)], 1e-15) << i;
  }
}

TEST(OpenCases, ChangeTheMassAndHaveTheGeometryOfTheirSpheres) {
  for (const std::string reynolds : {"20", "50", "100"}) {
    const Case closed = Model::make_case("sphere" + reynolds + "-24x20x20");
    const Case inflow = Model::make_case("inflow" + reynolds + "-24x20x20"),
               open = Model::make_case("open" + reynolds + "-24x20x20");
    EXPECT_EQ(open.name, "open" + reynolds + "-24x20x20");
    EXPECT_EQ(open.tau, closed.tau);
    EXPECT_EQ(open.steps, closed.steps);
    EXPECT_FALSE(Model::conserves(inflow));
    EXPECT_FALSE(Model::conserves(open));
    for (std::size_t n = 0; n < closed.solid.size(); ++n) {
      const int kind = closed.solid[n];
      ASSERT_EQ(inflow.solid[n], kind == D3Q19_VELOCITY ? D3Q19_INFLOW : kind);
      ASSERT_EQ(open.solid[n], kind == D3Q19_PRESSURE ? D3Q19_OUTFLOW : int{inflow.solid[n]});
    }
  }
  Case closed = Model::make_case("porous-8");
  closed.solid[0] = D3Q19_OUTFLOW;
  EXPECT_FALSE(Model::conserves(closed));
  closed.solid[0] = D3Q19_INFLOW;
  EXPECT_FALSE(Model::conserves(closed));
}

/// Solvers that do nothing, with and without support for open boundaries.
class Closed : public Solver {
 public:
  void advance(std::int64_t) override {}
  void store(ladder::Populations&) override {}
  void load(const ladder::Populations&) override {}
  double conserved() override { return 0; }
};
class Open final : public Closed, public ladder::TakesOpenBoundaries {};

template <class S>
ladder::Maker<Model> maker() {
  return {[](const Case&, const ladder::Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
    return std::make_unique<S>();
  }};
}

TEST(Rungs, RefuseOpenBoundariesByDefault) {
  for (const char* name : {"box-8", "porous-8", "sphere20-24x20x20"}) {
    EXPECT_NE(maker<Closed>()(Model::make_case(name), ladder::f64, {}), nullptr) << name;
    EXPECT_NE(maker<Open>()(Model::make_case(name), ladder::f64, {}), nullptr) << name;
  }
  for (const char* name : {"inflow50-24x20x20", "open100-24x20x20"}) {
    const Case c = Model::make_case(name);
    EXPECT_NE(maker<Open>()(c, ladder::f64, {}), nullptr) << name;
    EXPECT_EQ(input_error([&] { maker<Closed>()(c, ladder::f64, {}); }),
              "this rung does not accept cases with open boundaries");
  }
}

}  // namespace
}  // namespace d3q19
