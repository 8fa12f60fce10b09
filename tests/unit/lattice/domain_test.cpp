// Domains: boxes that cover a lattice, and halos that are filled by their owners.
#include "harness/bench/domain.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/error.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

TEST(ADomain, OfOneBoxHasNoHalo) {
  const Domain domain({7, 5, 3}, {1, 1, 1}, 2);
  ASSERT_EQ(domain.parts().size(), 1u);
  EXPECT_EQ(domain.parts()[0].box, (Box{{}, {7, 5, 3}}));
  EXPECT_EQ(domain.parts()[0].with_halo, domain.parts()[0].box);
  EXPECT_TRUE(domain.parts()[0].transfers.empty());
}

TEST(ADomain, CoversEveryCellOnce) {
  const Triple whole = {17, 11, 9};
  const Domain domain(whole, {3, 2, 2}, 1);
  std::map<Triple, int> owners;
  for (const auto& part : domain.parts())
    for (std::int64_t n = 0; n < part.box.cells(); ++n)
      ++owners[part.box.place(n)];
  EXPECT_EQ(owners.size(), 17u * 11 * 9);
  for (const auto& [place, count] : owners)
    EXPECT_EQ(count, 1);
}

TEST(ADomain, FillsEveryCellOfEveryHaloOnceWithThatOfItsOwner) {
  const Triple whole = {17, 11, 9};
  for (const Triple& boxes : {Triple{2, 1, 1}, Triple{1, 2, 1}, Triple{3, 2, 2}}) {
    const Domain domain(whole, boxes, 2);
    for (const auto& part : domain.parts()) {
      std::map<Triple, Triple> filled;  // maps positions of halo cells in the part to positions in the lattice
      for (const auto& t : part.transfers) {
        EXPECT_EQ(t.source.extent, t.target.extent);
        const auto& from = domain.parts()[t.from];
        for (std::int64_t n = 0; n < t.source.cells(); ++n) {
          const Triple source = t.source.place(n);
          Triple place;
          for (std::size_t a = 0; a < 3; ++a)
            place[a] = source[a] + from.with_halo.origin[a];
          EXPECT_EQ(from.box.common({place, {1, 1, 1}}).cells(), 1) << "a part owns the cells that it sends";
          EXPECT_TRUE(filled.emplace(t.target.place(n), place).second);
        }
      }
      EXPECT_EQ(static_cast<std::int64_t>(filled.size()), part.with_halo.cells() - part.box.cells());
      for (const auto& [in_part, place] : filled)
        for (std::size_t a = 0; a < 3; ++a)
          EXPECT_EQ(wrapped(in_part[a] + part.with_halo.origin[a], whole[a]), place[a]);
    }
  }
}

TEST(ADomain, RefusesBoxesWithoutCellsAndHalosThatReachAround) {
  EXPECT_TRUE(contains(input_error([] { Domain({5, 5, 1}, {6, 1, 1}, 1); }), "5 cells cannot be cut into 6 boxes"));
  EXPECT_TRUE(contains(input_error([] { Domain({5, 5, 1}, {2, 1, 1}, 2); }), "reach around a lattice of 5 cells"));
}

TEST(ADomainOfBoxes, GivesEachRankConsecutiveBoxesOfAboutEqualWeight) {
  std::vector<Box> boxes;
  for (std::int64_t n = 0; n < 10; ++n)
    boxes.push_back({{4 * n, 0, 0}, {4, 4, 4}});
  const auto ranks = [&](int processes, const std::vector<double>& weights) {
    std::vector<int> out;
    const Domain domain({40, 8, 8}, boxes, 1, processes, weights);
    for (const auto& part : domain.parts())
      out.push_back(part.rank);
    return out;
  };
  EXPECT_EQ(ranks(1, {}), std::vector<int>(10, 0));
  EXPECT_EQ(ranks(5, {}), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(ranks(10, {}), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(ranks(2, {9, 1, 1, 1, 1, 1, 1, 1, 1, 1}), (std::vector<int>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(ranks(3, {100, 1, 1, 1, 1, 1, 1, 1, 1, 1}).back(), 2) << "no rank is left out";
  EXPECT_EQ(ranks(3, {1, 1, 1, 1, 1, 1, 1, 1, 1, 100}), (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 1, 2}));
}

TEST(ADomainOfBoxes, RefusesBoxesThatDoNotFit) {
  const Box box = {{0, 0, 0}, {4, 4, 4}};
  const auto error = [](const std::vector<Box>& boxes, std::int64_t depth, int processes, const std::vector<double>& weights) {
    return input_error([&] { Domain({8, 8, 8}, boxes, depth, processes, weights); });
  };
  EXPECT_TRUE(contains(error({}, 1, 1, {}), "a domain without boxes"));
  EXPECT_TRUE(contains(error({box}, 1, 2, {}), "1 boxes cannot be spread over 2 processes"));
  EXPECT_TRUE(contains(error({box}, 1, 0, {}), "1 boxes cannot be spread over 0 processes"));
  EXPECT_TRUE(contains(error({box}, 3, 1, {}), "a box and its halo of 3 cells reach around a lattice of 8 cells"));
  EXPECT_TRUE(
      contains(error({box, box.moved({6, 0, 0})}, 1, 1, {}), "a box of 4 cells from 6 does not lie in a lattice of 8 cells"));
  EXPECT_TRUE(contains(error({box, box.moved({2, 0, 0})}, 1, 1, {}), "boxes 0 and 1 of a domain overlap"));
  EXPECT_TRUE(contains(error({box}, 1, 1, {0}), "the weights of boxes are not one positive number for each of 1 boxes"));
  EXPECT_TRUE(contains(error({box}, 1, 1, {1, 1}), "the weights of boxes"));
}

TEST(ABox, NumbersItsCellsWithXFastest) {
  const Box box = {{2, 3, 4}, {5, 6, 7}};
  EXPECT_EQ(box.place(box.number(1, 2, 3)), (Triple{3, 5, 7}));
  EXPECT_EQ(box.grown({1, 0, 2}), (Box{{1, 3, 2}, {7, 6, 11}}));
  EXPECT_EQ(box.common({{0, 0, 0}, {4, 4, 5}}), (Box{{2, 3, 4}, {2, 1, 1}}));
  EXPECT_EQ(box.common({{0, 0, 0}, {1, 1, 1}}).cells(), 0);
}

}  // namespace
}  // namespace ladder
