#include "variants/d3q19/faces.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace d3q19 {
namespace {

/// Component of direction i along the axis of a face, positive if it points out through the face.
int outward(int face, int i) {
  const int along[3] = {d3q19_cx[i], d3q19_cy[i], d3q19_cz[i]};
  return face % 2 == 0 ? along[(face - 1) / 2] : -along[(face - 1) / 2];
}

class FacesOf : public testing::TestWithParam<const char*> {};

TEST_P(FacesOf, CellsTellAllTheirBoundaryNeighbours) {
  const Case c = Model::make_case(GetParam());
  const std::vector<std::uint8_t> before = flags(c), all = flags_with_faces(c);
  const ladder::Box box{{}, c.grid()};
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const std::uint8_t flag = all[static_cast<std::size_t>(n)];
    const int face = (flag & D3Q19_FLUID) != 0 ? flag >> face_shift : 0;
    if (face == 0) {
      ASSERT_EQ(flag, before[static_cast<std::size_t>(n)]);
      continue;
    }
    ASSERT_EQ(flag & (D3Q19_FLUID | D3Q19_NEAR), D3Q19_FLUID | D3Q19_NEAR);
    const auto [x, y, z] = box.place(n);
    for (int i = 1; i < q; ++i)
      ASSERT_EQ(c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]), outward(face, i) > 0 ? flag & 7 : 0);
  }
}

INSTANTIATE_TEST_SUITE_P(D3Q19, FacesOf, testing::Values("porous-13x9x11", "sphere20-24x40x40", "couette-32", "duct-96x33x33"));

TEST(Faces, BelongToNearlyAllCellsNextToABoundaryOfATunnel) {
  const Case c = Model::make_case("car-128x64x64");
  std::int64_t near = 0, flat = 0;
  for (const std::uint8_t flag : flags_with_faces(c))
    if ((flag & D3Q19_NEAR) != 0) {
      ++near;
      flat += flag >> face_shift != 0;
    }
  EXPECT_GT(flat, 0.85 * static_cast<double>(near));
}

TEST(Faces, OfADuctAreFlatExceptInItsEdges) {
  const Case c = Model::make_case("duct-96x33x33");
  const std::vector<std::uint8_t> all = flags_with_faces(c);
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return int{all[static_cast<std::size_t>((z * c.ny + y) * c.nx + x)]};
  };
  constexpr int near = D3Q19_FLUID | D3Q19_NEAR;
  EXPECT_EQ(at(1, 9, 9), near | D3Q19_VELOCITY | 1 << face_shift);
  EXPECT_EQ(at(94, 9, 9), near | D3Q19_PRESSURE | 2 << face_shift);
  EXPECT_EQ(at(9, 1, 9), near | D3Q19_WALL | 3 << face_shift);
  EXPECT_EQ(at(9, 31, 9), near | D3Q19_WALL | 4 << face_shift);
  EXPECT_EQ(at(9, 9, 1), near | D3Q19_WALL | 5 << face_shift);
  EXPECT_EQ(at(9, 9, 31), near | D3Q19_WALL | 6 << face_shift);
  EXPECT_EQ(at(9, 1, 1), near);
}

}  // namespace
}  // namespace d3q19
