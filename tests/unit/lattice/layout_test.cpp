// Layouts: every slot of every cell has a unique position within the array, as given by the strides.
#include "variants/lattice/layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lattice {
namespace {

template <class Layout>
class ALayout : public testing::Test {};
using Layouts = testing::Types<ArrayOfStructures<D3Q27, float>, StructureOfArrays<D3Q27, double>, Padded<D3Q19, float>,
                               Aligned<D2Q9, float>, Aligned<D3Q27, double>, AlignedApart<D3Q27, float>>;
TYPED_TEST_SUITE(ALayout, Layouts);

/// Number of slots that a layout has per cell.
template <template <class, class> class Layout, class L, class real>
constexpr int slots(const Layout<L, real>*) {
  return L::q;
}

constexpr Extents odd_sides = {13, 5, 3};

TYPED_TEST(ALayout, GivesEachSlotOfEachCellAPlaceOfItsOwn) {
  const TypeParam layout(odd_sides);
  std::set<std::int64_t> places;
  for (int i = 0; i < slots(static_cast<TypeParam*>(nullptr)); ++i)
    for (std::int64_t z = 0; z < odd_sides.z; ++z)
      for (std::int64_t y = 0; y < odd_sides.y; ++y)
        for (std::int64_t x = 0; x < layout.columns(); ++x) {
          const std::int64_t place = layout(i, x, y, z);
          EXPECT_TRUE(places.insert(place).second);
          EXPECT_GE(place, 0);
          EXPECT_LT(place, layout.required_span_size());
          EXPECT_EQ(place, layout.strides()(i, x, y, z));
        }
}

TYPED_TEST(ALayout, LaysOneBytePerCellOutAsItsCells) {
  const TypeParam layout(odd_sides);
  std::set<std::int64_t> places;
  for (std::int64_t z = 0; z < odd_sides.z; ++z)
    for (std::int64_t y = 0; y < odd_sides.y; ++y)
      for (std::int64_t x = 0; x < layout.columns(); ++x) {
        EXPECT_TRUE(places.insert(layout.cell(x, y, z)).second);
        EXPECT_LT(layout.cell(x, y, z), layout.cell_span_size());
      }
}

TEST(AlignedRows, StartAtCacheLines) {
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 5; ++y)
      for (int i = 0; i < 9; ++i) {
        EXPECT_EQ((Aligned<D2Q9, float>(odd_sides)(i, 0, y, z)) % 16, 0);
        EXPECT_EQ((AlignedApart<D2Q9, double>(odd_sides)(i, 0, y, z)) % 8, 0);
      }
}

TEST(PaddedRows, HoldWholeLinesAndFitTheirArray) {
  const Strides s = padded_rows<D2Q9, float>({33, 5, 1});
  EXPECT_EQ(s.y, 64);
  EXPECT_EQ(required_span_size(9, {33, 5, 1}, s), 9 * 5 * 64);
  EXPECT_EQ(required_span_size(27, odd_sides, array_of_structures<D3Q27>(odd_sides)), 27 * odd_sides.cells());
  EXPECT_EQ(required_span_size(27, odd_sides, structure_of_arrays<D3Q27>(odd_sides)), 27 * odd_sides.cells());
}

}  // namespace
}  // namespace lattice
