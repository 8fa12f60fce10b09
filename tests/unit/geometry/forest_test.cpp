// The block forest: the blocks that contain fluid, and the domain that they form.
#include "variants/geometry/forest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "tests/support/error.hpp"

namespace geometry {
namespace {

using ladder::Box;
using ladder::Triple;
using ladder::test::contains;
using ladder::test::input_error;

struct Kinds {
  Triple sides;
  std::vector<std::uint8_t> cells = std::vector<std::uint8_t>(static_cast<std::size_t>(sides[0] * sides[1] * sides[2]), 0);

  void set(const Box& box, std::uint8_t kind) {
    for (std::int64_t n = 0; n < box.cells(); ++n) {
      const Triple p = box.place(n);
      cells[(p[2] * sides[1] + p[1]) * sides[0] + p[0]] = kind;
    }
  }
};

TEST(AGrid, IsExtendedToWholeBlocks) {
  EXPECT_EQ(extended({1, 8, 9}, {8, 8, 8}), (Triple{8, 8, 16}));
  EXPECT_TRUE(contains(input_error([] { extended({1, 1, 1}, {8, 0, 8}); }), "blocks of 0 cells along an axis"));
}

TEST(AForest, LacksBlocksWithoutFluid) {
  Kinds kinds{{24, 16, 16}};
  kinds.set({{8, 0, 0}, {8, 8, 8}}, 32);
  kinds.set({{16, 0, 0}, {8, 8, 8}}, 1);
  kinds.cells[23] = 0;
  const std::vector<Block> blocks = make_forest(kinds.cells, kinds.sides, {8, 8, 8});
  EXPECT_EQ(blocks.size(), 11u);
  std::set<Triple> origins;
  for (const Block& block : blocks) {
    EXPECT_EQ(block.box.extent, (Triple{8, 8, 8}));
    origins.insert(block.box.origin);
  }
  EXPECT_EQ(origins.size(), 11u);
  EXPECT_FALSE(origins.contains({8, 0, 0}));
  EXPECT_TRUE(origins.contains({16, 0, 0})) << "one of its cells is fluid";
}

TEST(AForest, HasPlainBlocksWhereNoCellIsNearABoundary) {
  for (const Triple& place : {Triple{0, 0, 0}, Triple{4, 7, 7}, Triple{3, 3, 3}, Triple{15, 15, 15}, Triple{11, 4, 8}}) {
    Kinds kinds{{16, 16, 16}};
    kinds.set({place, {1, 1, 1}}, 2);
    int plain = 0;
    for (const Block& block : make_forest(kinds.cells, kinds.sides, {4, 4, 4})) {
      bool is_plain = true;
      for (std::int64_t n = 0; n < block.box.cells(); ++n) {
        const Triple p = block.box.place(n);
        bool is_near = true;
        for (std::size_t a = 0; a < 3; ++a)
          is_near = is_near && (p[a] - place[a] + 1 + 16) % 16 <= 2;
        is_plain = is_plain && !is_near;
      }
      EXPECT_EQ(block.plain, is_plain);
      plain += block.plain ? 1 : 0;
    }
    EXPECT_LT(plain, 64);
    EXPECT_GE(plain, 64 - 8);
  }
}

TEST(AForest, NeedsWholeBlocks) {
  const Kinds kinds{{10, 8, 8}};
  EXPECT_TRUE(contains(input_error([&] {
                         make_forest(kinds.cells, kinds.sides, {8, 8, 8});
                       }),
                       "10 x 8 x 8 cells are not whole blocks of 8 x 8 x 8"));
}

TEST(AForest, AsADomainFillsEachCellOfAHaloOnceIfABlockOwnsIt) {
  Kinds kinds{{24, 16, 20}};
  kinds.set({{8, 0, 5}, {8, 16, 10}}, 32);
  kinds.set({{0, 4, 0}, {4, 4, 5}}, 1);
  const std::vector<Block> blocks = make_forest(kinds.cells, kinds.sides, {4, 4, 5});
  EXPECT_EQ(blocks.size(), 6u * 4 * 4 - 2 * 4 * 2 - 1);
  for (const std::int64_t depth : {1, 2, 6}) {
    const ladder::Domain domain = domain_of(blocks, kinds.sides, depth, 3);
    std::map<Triple, std::size_t> owner;
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      EXPECT_EQ(domain.parts()[n].box, blocks[n].box);
      for (std::int64_t i = 0; i < blocks[n].box.cells(); ++i)
        EXPECT_TRUE(owner.emplace(blocks[n].box.place(i), n).second);
    }
    for (const auto& part : domain.parts()) {
      std::set<Triple> filled;
      for (const auto& transfer : part.transfers) {
        EXPECT_EQ(transfer.source.extent, transfer.target.extent);
        const auto& from = domain.parts()[transfer.from];
        for (std::int64_t n = 0; n < transfer.target.cells(); ++n) {
          Triple source = transfer.source.place(n), target = transfer.target.place(n);
          EXPECT_EQ(Box({{}, part.with_halo.extent}).common({target, {1, 1, 1}}).cells(), 1);
          EXPECT_EQ(part.own().common({target, {1, 1, 1}}).cells(), 0) << "only halo cells are written";
          EXPECT_TRUE(filled.insert(target).second) << "and each once";
          for (std::size_t a = 0; a < 3; ++a) {
            source[a] = ladder::wrapped(source[a] + from.with_halo.origin[a], kinds.sides[a]);
            target[a] = ladder::wrapped(target[a] + part.with_halo.origin[a], kinds.sides[a]);
          }
          EXPECT_EQ(source, target);
          EXPECT_EQ(owner.at(target), transfer.from);
        }
      }
      std::size_t owned = 0;
      for (std::int64_t n = 0; n < part.with_halo.cells(); ++n) {
        Triple place = part.with_halo.place(n);
        for (std::size_t a = 0; a < 3; ++a)
          place[a] = ladder::wrapped(place[a], kinds.sides[a]);
        owned += owner.contains(place) ? 1 : 0;
      }
      EXPECT_EQ(filled.size() + static_cast<std::size_t>(part.box.cells()), owned);
    }
  }
}

TEST(AForest, OfOneBlockWrapsAlongTheAxesThatItSpans) {
  const ladder::Domain domain = domain_of({{{{0, 0, 4}, {8, 8, 4}}, true}}, {8, 8, 12}, 2, 1);
  EXPECT_EQ(domain.parts()[0].with_halo, (Box{{0, 0, 2}, {8, 8, 8}}));
  EXPECT_TRUE(domain.parts()[0].transfers.empty());
}

}  // namespace
}  // namespace geometry
