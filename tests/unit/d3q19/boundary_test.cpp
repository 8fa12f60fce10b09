#include "variants/d3q19/boundary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "variants/d3q19/runs.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/layout.hpp"

namespace d3q19 {
namespace {

/// A box without obstacles in which tests set the kinds of cells.
Case empty_box(int nx, int ny, int nz) {
  Case c;
  c.nx = nx;
  c.ny = ny;
  c.nz = nz;
  c.tau = 1;
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  return c;
}

std::size_t number(const Case& c, int x, int y, int z) {
  return static_cast<std::size_t>(ladder::Box{{}, c.grid()}.number(x, y, z));
}

/// A cube of 3 x 3 x 3 wall cells in the middle of a box of 7 x 8 x 9 cells.
Case with_cube() {
  Case c = empty_box(7, 8, 9);
  for (int z = 3; z < 6; ++z)
    for (int y = 3; y < 6; ++y)
      for (int x = 2; x < 5; ++x)
        c.solid[number(c, x, y, z)] = D3Q19_WALL;
  return c;
}

std::array<double, q> equilibrium_of(double density, double ux, double uy, double uz) {
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[static_cast<std::size_t>(i)] = equilibrium(i, Macroscopic{density, ux, uy, uz});
  return f;
}

/// d3q19_returned() for populations: it takes and returns populations minus their weights.
double returned(std::array<double, q> f, int i, int kind, double speed) {
  for (int j = 0; j < q; ++j)
    f[static_cast<std::size_t>(j)] -= Lattice::weight(j);
  return Lattice::weight(i) + d3q19_returned(f.data(), i, kind, speed);
}

TEST(Returned, ByAWallIsWhatLeft) {
  const auto f = equilibrium_of(1.1, 0.02, -0.03, 0.04);
  for (int i = 1; i < q; ++i)
    EXPECT_NEAR(returned(f, i, D3Q19_WALL, 0.1), f[static_cast<std::size_t>(i)], 1e-16) << i;
}

TEST(Returned, ByAPlaneThatMovesGainsItsMomentum) {
  const auto f = equilibrium_of(1, 0, 0, 0);
  const auto back = [&](int i) { return returned(f, i, D3Q19_VELOCITY, 0.05); };
  EXPECT_NEAR(back(1), 1. / 18 - 6 * 0.05 / 18, 1e-16)
      << "left along x, in the direction in which the plane moves: less returns";
  EXPECT_NEAR(back(2), 1. / 18 + 6 * 0.05 / 18, 1e-16);
  EXPECT_NEAR(back(7), 1. / 36 - 6 * 0.05 / 36, 1e-16);
  EXPECT_NEAR(back(8), 1. / 36 + 6 * 0.05 / 36, 1e-16);
  EXPECT_NEAR(back(3), 1. / 18, 1e-16) << "across";
  EXPECT_NEAR(back(16), 1. / 36, 1e-16);
}

TEST(Returned, AtOutflowKeepsAFlowOfDensityOneAsItIs) {
  const auto f = equilibrium_of(1, 0.1, -0.05, 0.02);
  for (int i = 1; i < q; ++i)
    EXPECT_NEAR(returned(f, i, D3Q19_PRESSURE, 0.3), f[static_cast<std::size_t>(d3q19_opposite[i])], 1e-16) << i;
  EXPECT_NEAR(returned(equilibrium_of(1, 0.1, 0, 0), 1, D3Q19_PRESSURE, 0.), 0.73 / 18, 1e-16) << "1 - 0.3 + 0.045 - 0.015";
  EXPECT_NEAR(returned(equilibrium_of(1.1, 0, 0, 0), 3, D3Q19_PRESSURE, 0.), 0.9 / 18, 1e-16)
      << "a dense fluid at rest gets back less than left";
}

TEST(Inside, AreWallsWithoutAFluidNeighbourOnly) {
  Case c = with_cube();
  c.solid[number(c, 0, 0, 0)] = D3Q19_WALL;
  mark_inside(c);
  for (std::size_t n = 0; n < c.solid.size(); ++n)
    EXPECT_EQ(c.solid[n] == D3Q19_INSIDE, n == number(c, 3, 4, 4)) << n;
}

TEST(Inside, NeverAreInflowOrOutflow) {
  Case c = empty_box(3, 4, 5);
  std::fill(c.solid.begin(), c.solid.end(), D3Q19_VELOCITY);
  c.solid[0] = D3Q19_PRESSURE;
  const auto before = c.solid;
  mark_inside(c);
  EXPECT_EQ(c.solid, before);
}

TEST(Flags, AreTheKindsOfCellsAndMarkThoseNearABoundary) {
  Case c = with_cube();
  mark_inside(c);
  const auto all = flags(c);
  ASSERT_EQ(all.size(), 504u);
  EXPECT_EQ(all[number(c, 3, 4, 4)], D3Q19_INSIDE);
  EXPECT_EQ(all[number(c, 2, 3, 3)], D3Q19_WALL);
  EXPECT_EQ(all[number(c, 1, 4, 4)], D3Q19_FLUID | D3Q19_NEAR);
  EXPECT_EQ(all[number(c, 1, 2, 4)], D3Q19_FLUID | D3Q19_NEAR) << "next to an edge";
  EXPECT_EQ(all[number(c, 1, 2, 2)], D3Q19_FLUID) << "next to a corner, which no direction reaches";
  EXPECT_EQ(all[number(c, 0, 4, 4)], D3Q19_FLUID);
  EXPECT_EQ(flags(Model::make_case("box-4")), std::vector<std::uint8_t>(64, D3Q19_FLUID));
}

TEST(NearCells, AreThoseAroundABodyInOrder) {
  const Case c = with_cube();
  const auto cells = near_cells(c);
  EXPECT_EQ(cells.size(), 125u - 27 - 8) << "a shell of one cell without its corners";
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  const auto all = flags(c);
  for (const std::uint32_t n : cells)
    EXPECT_EQ(all[n], D3Q19_FLUID | D3Q19_NEAR);
  EXPECT_TRUE(near_cells(Model::make_case("box-4")).empty());
}

TEST(NearCells, LieAcrossThePeriodicEnds) {
  Case c = empty_box(5, 6, 7);
  c.solid[0] = D3Q19_WALL;
  const auto cells = near_cells(c);
  EXPECT_EQ(cells.size(), 18u);
  for (int i = 1; i < q; ++i)
    EXPECT_TRUE(std::binary_search(cells.begin(), cells.end(),
                                   number(c, (5 + d3q19_cx[i]) % 5, (6 + d3q19_cy[i]) % 6, (7 + d3q19_cz[i]) % 7)))
        << i;
}

TEST(CellRuns, CoverTheFluidCellsOnce) {
  const Case c = Model::make_case("porous-13x9x11");
  const auto runs = cell_runs(c);
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y) {
      std::vector<int> covered(static_cast<std::size_t>(c.nx));
      int end = -1;
      for (const CellRun& run : runs.row(y, z)) {
        EXPECT_GT(run.begin, end) << "adjacent runs are merged";
        end = run.end;
        for (int x = run.begin; x < run.end; ++x)
          ++covered[static_cast<std::size_t>(x)];
      }
      for (int x = 0; x < c.nx; ++x)
        EXPECT_EQ(covered[static_cast<std::size_t>(x)], c.is_solid(x, y, z) ? 0 : 1);
    }
}

TEST(LinkRuns, OfATunnelAreLong) {
  const Case c = Model::make_case("duct-20x9x9");
  const auto runs = link_runs(c);
  EXPECT_TRUE(runs.row(0, 0).empty());
  // All cells of the row have five links to the wall; the end cells have additional links to inflow and outflow.
  std::size_t to_the_wall = 0;
  for (const LinkRun& run : runs.row(1, 4)) {
    const bool leads_down = d3q19_cy[run.i] < 0;
    EXPECT_EQ(run.end - run.begin == 1, run.kind != D3Q19_WALL) << run.i;
    EXPECT_EQ(leads_down && run.kind == D3Q19_WALL, run.kind == D3Q19_WALL) << run.i;
    to_the_wall += run.kind == D3Q19_WALL ? 1 : 0;
  }
  EXPECT_EQ(to_the_wall, 5u);
}

/// Returning populations by runs of links gives the same slots and values as doing it cell by cell.
template <class Pattern>
void compare_returns(int phase) {
  const Case c = Model::companion_cases()[2];  // all kinds of cells
  const lattice::Extents sides = lattice::extents(c);
  const lattice::Aligned<Lattice, double> layout(sides);
  const auto places = lattice::places<Lattice, Pattern>(sides, layout.strides(), phase);
  std::vector<double> f(static_cast<std::size_t>(layout.required_span_size()));
  for (std::size_t n = 0; n < f.size(); ++n)
    f[n] = 0.9 + 0.2 * ladder::uniform(n);
  std::vector<double> expected = f;
  const auto before = f;
  fill_boundaries(expected.data(), places, c, near_cells(c));
  const auto links = link_runs(c);
  for (int z = 0; z < c.nz; ++z)
    for (int y = 0; y < c.ny; ++y)
      return_populations(f.data(), layout, c, links.row(y, z), y, z, phase == 1);
  EXPECT_NE(expected, before);
  for (std::size_t n = 0; n < f.size(); ++n)
    ASSERT_NEAR(f[n], expected[n], 1e-14) << n;
}

TEST(LinkRuns, ReturnPopulationsAsCellByCellInTwoLattices) { compare_returns<lattice::Pull>(0); }
TEST(LinkRuns, ReturnPopulationsAsCellByCellInPlace) {
  compare_returns<lattice::AA>(0);
  compare_returns<lattice::AA>(1);
}

}  // namespace
}  // namespace d3q19
