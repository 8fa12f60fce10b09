// Blocks over processes: who owns which cells, how work is balanced, and what crosses between blocks.
#include "variants/d3q19/blocks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "variants/lattice/layout.hpp"

namespace d3q19 {
namespace {

using ladder::Domain;
using ladder::Triple;

/// A box in which nine of ten cells with z < 16 are walls, and no others.
Case half_full() {
  Case c = Model::make_case("porous-64x32x32");
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const std::int64_t z = n / c.nx / c.ny;
    c.solid[static_cast<std::size_t>(n)] = z < 16 && ladder::mixed(static_cast<std::uint64_t>(n)) % 10 != 0 ? D3Q19_WALL : 0;
  }
  return c;
}

/// Fluid cells per process.
std::vector<double> loads(const Case& c, const Domain& domain, int processes) {
  std::vector<double> loads(static_cast<std::size_t>(processes));
  for (const Domain::Part& part : domain.parts())
    loads[static_cast<std::size_t>(part.rank)] += weights_of(c, {{part.box, false}}).front();
  return loads;
}

TEST(Blocks, AreBalancedByTheirFluidCells) {
  const Case c = half_full();
  const Triple sides = {8, 8, 8};
  const std::vector<double> weights = weights_of(c, blocks_of(c, sides));
  const double heaviest = *std::max_element(weights.begin(), weights.end());
  for (const int processes : {2, 3, 4, 7}) {
    const double mean = static_cast<double>(c.fluid_cells()) / processes;
    for (const double load : loads(c, blocks_over(c, sides, processes), processes))
      EXPECT_NEAR(load, mean, heaviest) << processes;
  }
  const Domain by_count = geometry::domain_of(blocks_of(c, sides), c.grid(), 1, 3);
  const std::vector<double> unbalanced = loads(c, by_count, 3);
  EXPECT_GT(*std::max_element(unbalanced.begin(), unbalanced.end()), 1.3 * static_cast<double>(c.fluid_cells()) / 3);
}

TEST(Blocks, OwnEachFluidCellOnceAndAreCutUntilEachProcessHasOne) {
  for (const char* name : {"porous-13x9x11", "sphere20-24x40x40", "box-7x5x3", "porous-16x4x6"})
    for (const int processes : {1, 2, 3, 4}) {
      const Case c = Model::make_case(name);
      std::set<int> ranks;
      std::set<Triple> owned;
      const Domain domain = blocks_over(c, {64, 32, 32}, processes);
      for (const Domain::Part& part : domain.parts()) {
        ranks.insert(part.rank);
        for (std::int64_t n = 0; n < part.box.cells(); ++n)
          EXPECT_TRUE(owned.insert(part.box.place(n)).second) << name;
      }
      EXPECT_EQ(std::ssize(ranks), processes) << name;
      for (std::int64_t n = 0; n < c.cells(); ++n) {
        const Triple place = ladder::Box{{}, c.grid()}.place(n);
        EXPECT_TRUE(c.kind(place[0], place[1], place[2]) != 0 || owned.contains(place)) << name;
      }
    }
  EXPECT_THROW(blocks_over(Model::make_case("box-7x5x3"), {64, 32, 32}, 106), ladder::Refused);
}

/// Elements of a structure of arrays without padding.
lattice::Strides strides_of(const Domain::Part& part) {
  const auto [x, y, z] = part.with_halo.extent;
  return lattice::structure_of_arrays<Lattice>({x, y, z});
}

TEST(Blocks, GetEachPopulationThatEntersThemFromFluidOnce) {
  const Case c = Model::make_case("porous-20x12x11");
  const Domain domain = blocks_over(c, {8, 12, 5}, 3);
  std::size_t crossed = 0;
  std::map<std::size_t, std::set<std::uint32_t>> targets;  // by block
  for (int rank = 0; rank < 3; ++rank)
    for (const Crossing& crossing : crossings(c, domain, rank, strides_of)) {
      ASSERT_EQ(crossing.sources.size(), crossing.targets.size());
      if (domain.parts()[crossing.to].rank != rank) continue;
      crossed += crossing.targets.size();
      for (const std::uint32_t target : crossing.targets)
        EXPECT_TRUE(targets[crossing.to].insert(target).second);
    }
  std::size_t expected = 0;  // populations that come to a fluid or boundary cell of a block from a fluid cell outside it
  for (const Domain::Part& part : domain.parts())
    for (std::int64_t n = 0; n < part.box.cells(); ++n)
      for (int i = 1; i < q; ++i) {
        const auto [x, y, z] = part.box.place(n);
        const Triple from = {x - d3q19_cx[i], y - d3q19_cy[i], z - d3q19_cz[i]};
        const Triple wrapped = {ladder::wrapped(from[0], c.nx), ladder::wrapped(from[1], c.ny), ladder::wrapped(from[2], c.nz)};
        expected += c.kind(from[0], from[1], from[2]) == 0 && part.box.common({wrapped, {1, 1, 1}}).cells() == 0;
      }
  EXPECT_EQ(crossed, expected);
}

}  // namespace
}  // namespace d3q19
