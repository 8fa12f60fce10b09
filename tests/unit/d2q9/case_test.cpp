#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "harness/bench/check.hpp"
#include "tests/support/error.hpp"
#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::input_error;

int solid_cells(const Case& c) { return std::accumulate(c.solid.begin(), c.solid.end(), 0); }

TEST(GeneratedBox, HasThePublishedParameters) {
  const Case small = Model::make_case("box-128");
  EXPECT_EQ(small.steps, 40'000);
  EXPECT_EQ(small.accel, 0.005);
  const Case medium = Model::make_case("box-256");
  EXPECT_EQ(medium.steps, 80'000);
  EXPECT_EQ(medium.accel, 0.005);
  const Case large = Model::make_case("box-1024");
  EXPECT_EQ(large.steps, 20'000);
  EXPECT_EQ(large.accel, 0.01);
  for (const Case* c : {&small, &medium, &large}) {
    EXPECT_EQ(c->density, 0.1) << c->name;
    EXPECT_EQ(c->omega, 1.85) << c->name;
    EXPECT_EQ(c->reynolds_dim, 10) << c->name;
    EXPECT_EQ(c->nx, c->ny) << c->name;
    EXPECT_EQ("box-" + std::to_string(c->nx), c->name);
    EXPECT_FALSE(c->is_seeded) << c->name;
  }
}

TEST(GeneratedBox, IsClosedByOneLayerOfSolidCells) {
  for (const auto* name : {"box-128", "box-19x41", "box-3"}) {
    const Case c = Model::make_case(name);
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        ASSERT_EQ(is_solid(c, x, y), x == 0 || y == 0 || x == c.nx - 1 || y == c.ny - 1) << name << " " << x << " " << y;
    EXPECT_EQ(c.fluid_cells(), std::int64_t{c.nx - 2} * (c.ny - 2)) << name;
  }
}

TEST(GeneratedBox, TakesAnySize) {
  const Case c = Model::make_case("box-300x200");
  EXPECT_EQ(c.nx, 300);
  EXPECT_EQ(c.ny, 200);
  EXPECT_EQ(c.cells(), 60'000);
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{300, 200, 1}));
  EXPECT_EQ(c.accelerated_row(), 198);
}

TEST(GeneratedPorousMedium, IsPeriodicWithATenthOfItsSitesSolid) {
  const Case c = Model::make_case("porous-256");
  EXPECT_NEAR(solid_cells(c) / static_cast<double>(c.cells()), 0.1, 0.005);
  int open_border = 0;
  for (int x = 0; x < c.nx; ++x)
    open_border += is_solid(c, x, 0) ? 0 : 1;
  EXPECT_GT(open_border, c.nx / 2);
}

TEST(GeneratedPorousMedium, IsTheSameOnEachCall) {
  EXPECT_EQ(Model::make_case("porous-64x48").solid, Model::make_case("porous-64x48").solid);
  EXPECT_EQ(solid_cells(Model::make_case("porous-256")), 6588) << "and on each machine";
}

TEST(GeneratedCase, SuggestsTheNearestNameForAnUnknownOne) {
  for (const auto* name : {"bx-128", "box128", "Box-128"})
    EXPECT_TRUE(contains(input_error([&] { Model::make_case(name); }), "did you mean 'box-128'?")) << name;
  EXPECT_TRUE(contains(input_error([] { Model::make_case("pourous-256"); }), "did you mean 'porous-256'?"));
  EXPECT_TRUE(contains(input_error([] { Model::make_case("channel"); }), "accepted are box-N, box-NXxNY"));
}

TEST(GeneratedCase, RefusesWhatIsNotASize) {
  for (const auto* size : {"", "x", "2", "0", "-5", "+128", "128.0", "0x10", "1,5", "1e3", "128x", "x128", "128x2", "12x34x56",
                           "nan", "99999999999999999999", " 128", "128 "}) {
    const std::string message = input_error([&] { Model::make_case(std::string("box-") + size); });
    EXPECT_TRUE(contains(message, "is not a size; accepted are integers from 3 to 2147483647")) << size;
    EXPECT_TRUE(contains(message, std::string("box-") + size));
  }
}

TEST(GeneratedCase, RefusesAGridBeyondTheMemory) {
  for (const auto* name : {"box-2147483647", "porous-2147483647x3000"})
    EXPECT_TRUE(contains(input_error([&] { Model::make_case(name); }), "GB of memory; this machine has")) << name;
}

TEST(GeneratedCase, ExistsForEveryNameThatTheModelOffers) {
  for (const auto& name : Model::case_names())
    EXPECT_EQ(Model::make_case(name).name, name);
}

TEST(ReynoldsNumber, IsSpeedTimesLengthOverViscosity) {
  Case c = Model::make_case("box-128");
  c.omega = 1.5;
  c.reynolds_dim = 30;
  EXPECT_DOUBLE_EQ(reynolds_number(c, 0.02), 0.02 * 30 / viscosity(1.5));
}

TEST(RestingStart, HoldsTheWeightsOfTheDensity) {
  const Case c = Model::make_case("porous-9x7");
  Reference lattice(c);
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      for (int i = 0; i < q; ++i)
        EXPECT_EQ(lattice.cell(x, y)[i], c.density * Lattice::weight(i));
}

TEST(SeededStart, DiffersInEveryPopulationOfEverySite) {
  const Case c = Model::seeded(Model::make_case("porous-64x48"));
  std::multiset<double> values;
  int halved = 0;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      for (int i = 0; i < q; ++i) {
        const double f = c.initial(x, y)[i];
        const bool small = f == 0.5 * c.density * c.w1() || f == 0.5 * c.density * c.w2();
        halved += small ? 1 : 0;
        if (small) {
          EXPECT_EQ(y, c.accelerated_row());
        } else {
          EXPECT_NEAR(f / (c.density * Lattice::weight(i)), 1, 0.1);
          values.insert(f / Lattice::weight(i));
        }
      }
  EXPECT_GT(halved, 0);
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), values.size()) << "two populations are alike";
}

TEST(SeededStart, KeepsTheCaseItself) {
  const Case c = Model::make_case("porous-64x48");
  const Case s = Model::seeded(c);
  EXPECT_TRUE(s.is_seeded);
  EXPECT_EQ(s.solid, c.solid);
  EXPECT_EQ(s.omega, c.omega);
  EXPECT_EQ(s.name, c.name);
}

/// How each population on its own decides about the driving force at a site.
struct Decisions {
  int driven = 0;
  std::array<int, q> refused_by_alone{};
  double closest = 1;  ///< smallest distance from a threshold, relative to the largest population
};

Decisions decisions(Reference& lattice, const Case& c) {
  Decisions found;
  for (int x = 0; x < c.nx; ++x) {
    const int y = c.accelerated_row();
    if (is_solid(c, x, y)) continue;
    const auto f = lattice.cell(x, y);
    std::vector<int> refusing;
    for (const int i : {3, 6, 7}) {
      const double left = f[i] - c.density * (i == 3 ? c.w1() : c.w2());
      found.closest = std::min(found.closest, std::abs(left) / (c.density * Lattice::weight(0)));
      if (left <= 0) refusing.push_back(i);
    }
    if (refusing.empty()) ++found.driven;
    if (refusing.size() == 1) ++found.refused_by_alone[refusing[0]];
  }
  return found;
}

TEST(Companions, AreSmallOddSeededGridsThatAreNotSquare) {
  const auto companions = Model::companion_cases();
  ASSERT_GE(companions.size(), 3u);
  for (const auto& c : companions) {
    EXPECT_TRUE(c.is_seeded) << c.name;
    EXPECT_EQ(c.nx % 2, 1) << c.name;
    EXPECT_EQ(c.ny % 2, 1) << c.name;
    EXPECT_NE(c.nx, c.ny) << c.name;
    EXPECT_GT(solid_cells(c), 0) << c.name;
    EXPECT_LT(c.cells(), 2000) << c.name;
  }
}

TEST(Companions, HoldSitesThatEachPopulationAloneKeepsFromBeingDriven) {
  std::array<int, q> refused{};
  for (const auto& c : Model::companion_cases()) {
    Reference lattice(c);
    const Decisions found = decisions(lattice, c);
    EXPECT_GT(found.driven, 0) << c.name;
    for (int i = 0; i < q; ++i)
      refused[i] += found.refused_by_alone[i];
  }
  for (const int i : {3, 6, 7})
    EXPECT_GT(refused[i], 0) << "population " << i;
}

TEST(Companions, HoldADrivenSolidSite) {
  for (const auto& c : Model::companion_cases()) {
    int solid = 0;
    for (int x = 0; x < c.nx; ++x)
      solid += is_solid(c, x, c.accelerated_row()) ? 1 : 0;
    EXPECT_GT(solid, 0) << c.name;
  }
}

TEST(Companions, RefuseToBeDrivenInLaterStepsToo) {
  const Case c = Model::companion_cases().back();
  Reference lattice(c);
  for (int step = 1; step <= 20; ++step) {
    const Decisions found = decisions(lattice, c);
    const int refused = std::accumulate(found.refused_by_alone.begin(), found.refused_by_alone.end(), 0);
    EXPECT_GT(found.driven, 0) << "step " << step;
    if (step >= 3) {
      EXPECT_GT(refused, 0) << "step " << step;
    }
    lattice.advance(1);
  }
}

TEST(Companions, DecideClearlyEnoughForSinglePrecision) {
  for (const auto& c : Model::companion_cases()) {
    Reference lattice(c);
    for (int step = 1; step <= 20; ++step) {
      EXPECT_GT(decisions(lattice, c).closest, ladder::population_tolerance(ladder::f32, 20)) << c.name << ", step " << step;
      lattice.advance(1);
    }
  }
}

}  // namespace
}  // namespace d2q9
