#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/error.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q19/body.hpp"
#include "variants/d3q19/open.h"

namespace d3q19 {
namespace {

using ladder::test::contains;
using ladder::test::input_error;

TEST(Case, NamesWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const auto* name : {"box-2", "box-", "box-x", "couette-8x8", "duct-8x8x8x8", "porous-8x2x8", "street--8", "car-8.5",
                           "sphere20-70000", "box-60000"})
    EXPECT_TRUE(contains(error(name), name)) << name;
  EXPECT_TRUE(contains(error("duct-8x2x8"), "'2' is not a size; accepted are integers from 3 to 65535"));
  EXPECT_TRUE(contains(error("couete-8x8x8"), "did you mean 'couette-"));
  EXPECT_TRUE(contains(error("sphere-32"), "sphere20-NXxNYxNZ"));
  EXPECT_TRUE(contains(error("opn20-128x80x80"), "did you mean 'open20-"));
  EXPECT_TRUE(contains(error("inflow-32"), "inflow100-NXxNYxNZ"));
  EXPECT_TRUE(contains(error("open30-32"), "open20-NXxNYxNZ"));
}

TEST(Layers, HaveTheRelaxationTimeTheSpeedAndTheSizeOfTheirName) {
  const Case c = Model::make_case("layers0.5001@0.05-16x32x3");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{16, 32, 3}));
  EXPECT_EQ(c.tau, 0.5001);
  EXPECT_EQ(c.omega_minus(), c.omega()) << "BGK";
  EXPECT_EQ(c.steps, 1280);
  EXPECT_TRUE(c.solid.empty() && Model::conserves(c));
  EXPECT_NEAR(moments(c.initial(3, 16, 0).data()).ux, 0.05, 1e-5);
  EXPECT_NEAR(moments(c.initial(3, 0, 2).data()).ux, -0.05, 1e-5);
  EXPECT_TRUE(contains(input_error([] { Model::make_case("layers0.5@0.05-16"); }), "'0.5' is not a relaxation time"));
  EXPECT_TRUE(contains(input_error([] { Model::make_case("layer0.6-16"); }), "layers0.501@0.05-NXxNYxNZ"));
}

// With a Reynolds number per cell of 12.5, spheres diverge.
TEST(NamedCases, HaveASmallReynoldsNumberPerCell) {
  for (const auto& name : Model::case_names()) {
    const Case c = Model::make_case(name);
    EXPECT_EQ(c.name, name);
    EXPECT_LT(c.speed / c.viscosity(), 10.001) << name;
  }
}

TEST(Sphere, IsATenthOfTheHeightUnlessThatIsTooFewCells) {
  const auto length = [](const char* name) { return Model::make_case(name).length; };
  EXPECT_EQ(length("sphere20-24x40x40"), 4);
  EXPECT_EQ(length("sphere50-128x80x80"), 8);
  EXPECT_EQ(length("sphere100-128x80x80"), 10);
  EXPECT_EQ(length("sphere100-24x24x24"), 6) << "a quarter of the height";
}

TEST(Sphere, IsAsLargeInAWiderTunnel) {
  const Case narrow = Model::make_case("sphere100-128x100x100"), wide = Model::make_case("wide100-192x160x160");
  EXPECT_EQ(narrow.length, 10);
  EXPECT_EQ(wide.name, "wide100-192x160x160");
  EXPECT_EQ(wide.length, narrow.length);
  EXPECT_EQ(wide.tau, narrow.tau);
  EXPECT_EQ(wide.steps, narrow.steps);
  EXPECT_EQ(frontal_area(wide), frontal_area(narrow));
  const auto walls = [](const Case& c) {
    return std::ranges::count_if(c.solid, [](int kind) { return kind == D3Q19_WALL || kind == D3Q19_INSIDE; });
  };
  EXPECT_EQ(walls(wide), walls(narrow)) << "the same voxels";
}

TEST(Case, StartsSlowerThanSound) {
  EXPECT_TRUE(contains(input_error([] { Model::make_case("duct-9x3x9"); }),
                       "case 'duct-9x3x9': the flow starts at a speed of 0.6; accepted: below 0.5774"));
  EXPECT_EQ(Model::make_case("duct-9x4x9").speed, 0.3);
  const Case thin = Model::make_case("box-3x600x3");
  double most = 0;
  for (int y = 0; y < thin.ny; ++y)
    for (int x = 0; x < thin.nx; ++x) {
      const Macroscopic m = thin.exact(x, y, 0, 0);
      most = std::max(most, std::hypot(m.ux, m.uy));
    }
  EXPECT_GT(most, 0.1) << "the vortex is faster along the longer side";
  EXPECT_LT(most, 0.4 / 3);
}

TEST(Case, HasTheRatesOfTheTwoRelaxationTimes) {
  const Case duct = Model::make_case("duct-20x9x9"), box = Model::make_case("box-8");
  EXPECT_DOUBLE_EQ((1 / duct.omega() - 0.5) * (1 / duct.omega_minus() - 0.5), 3. / 16);
  EXPECT_EQ(box.omega_minus(), box.omega()) << "the BGK collision";
  EXPECT_DOUBLE_EQ(box.viscosity(), (box.tau - 0.5) / 3);
}

TEST(Case, HasTheBoundariesOfItsFlow) {
  const Case couette = Model::make_case("couette-4x6x5");
  EXPECT_EQ(couette.kind(2, 0, 3), D3Q19_WALL);
  EXPECT_EQ(couette.kind(2, 5, 3), D3Q19_VELOCITY);
  EXPECT_EQ(couette.kind(2, -1, 3), D3Q19_VELOCITY) << "periodic";
  EXPECT_EQ(couette.fluid_cells(), 4 * 4 * 5);
  const Case duct = Model::make_case("duct-9x7x6");
  EXPECT_EQ(duct.kind(0, 3, 3), D3Q19_VELOCITY);
  EXPECT_EQ(duct.kind(8, 3, 3), D3Q19_PRESSURE);
  EXPECT_EQ(duct.kind(4, 0, 3), D3Q19_WALL);
  EXPECT_EQ(duct.kind(0, 0, 3), D3Q19_VELOCITY) << "edges of the inflow";
  EXPECT_EQ(duct.fluid_cells(), 7 * 5 * 4);
}

TEST(Duct, HasAMeanSpeedOfItsInflow) {
  const Case c = Model::make_case("duct-9x66x66");
  double sum = 0;
  for (int z = 1; z < c.nz - 1; ++z)
    for (int y = 1; y < c.ny - 1; ++y)
      sum += c.exact(4, y, z, 0).ux;
  EXPECT_NEAR(sum / (64 * 64), c.speed, 1e-3 * c.speed);
  EXPECT_NEAR(c.exact(4, 32, 32, 0).ux / c.speed, 2.096, 0.01) << "White, table 3-2: centre of a square duct";
}

TEST(Case, OfOtherCellsOrParametersHasAnotherContent) {
  const Case c = Model::make_case("porous-13x9x11");
  std::set<std::string> contents = {c.content(), Model::seeded(c).content(), Model::make_case("porous-13x11x9").content()};
  Case other = c;
  other.solid[5] ^= 1;
  contents.insert(other.content());
  other = c;
  other.tau = 0.9;
  contents.insert(other.content());
  other = c;
  other.magic = 0.25;
  contents.insert(other.content());
  EXPECT_EQ(contents.size(), 6u);
}

TEST(Companions, StartSeededAndHaveAllKindsOfCells) {
  std::set<int> kinds;
  for (const Case& c : Model::companion_cases()) {
    EXPECT_TRUE(c.is_seeded) << c.name;
    kinds.insert(c.solid.begin(), c.solid.end());
  }
  EXPECT_EQ(kinds, (std::set<int>{0, D3Q19_WALL, D3Q19_VELOCITY, D3Q19_PRESSURE, D3Q19_INSIDE, D3Q19_INFLOW, D3Q19_OUTFLOW}));
}

}  // namespace
}  // namespace d3q19
