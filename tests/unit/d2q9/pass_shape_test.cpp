#include "variants/d2q9/cuda/pass_shape.hpp"

#include <gtest/gtest.h>

#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

Case grid(int nx, int ny) {
  Case c;
  c.nx = nx;
  c.ny = ny;
  return c;
}

/// All tunings that satisfy the constraints.
std::vector<ladder::Tuning> tunings() {
  std::vector<ladder::Tuning> accepted;
  for (const int steps : steps_tunable(2).values)
    for (const int width : width_tunable().values)
      for (const int margin : margin_tunable().values)
        for (const int rows : rows_or_waves_tunable().values) {
          const ladder::Tuning tuning = {{"steps", steps}, {"width", width}, {"margin", margin}, {"rows", rows}};
          if (margin_constraint().holds(tuning) && registers_constraint().holds(tuning)) accepted.push_back(tuning);
        }
  return accepted;
}

template <class real>
class PassShapes : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(PassShapes, Numbers);

/// Each stage invalidates one column at each end of a strip; the margin of a lane's columns must cover all stages.
TYPED_TEST(PassShapes, HaveAMarginOfAColumnPerStepWhateverTheRowsLength) {
  const auto all = tunings();
  ASSERT_GT(all.size(), 200u);
  for (const int nx : {1, 2, 36, 37, 38, 40, 136, 1024})
    for (const auto& tuning : all) {
      const auto shape = PassShape::tuned<TypeParam>(grid(nx, 23), tuning);
      EXPECT_GE(shape.margin * shape.width, shape.steps) << nx << ": " << shape.width << ", " << shape.margin;
      EXPECT_GE(shape.margin, tuning.at("margin"));
      EXPECT_GT(shape.columns(), 0) << "strips must own columns";
      EXPECT_EQ(nx % shape.width, 0) << "a lane's columns are in one row";
      EXPECT_LE(shape.width * static_cast<int>(sizeof(TypeParam)), 16);
    }
}

TYPED_TEST(PassShapes, CoverTheGridWithStripsAndSegments) {
  for (const int nx : {1, 37, 40, 1024})
    for (const int ny : {1, 23, 1000})
      for (const auto& tuning : tunings()) {
        const Case c = grid(nx, ny);
        const auto shape = PassShape::tuned<TypeParam>(c, tuning).filled(c, 2112);
        ASSERT_GT(shape.rows, 0);
        EXPECT_GE(shape.strips(c) * shape.columns(), nx);
        EXPECT_LT((shape.strips(c) - 1) * shape.columns(), nx);
        EXPECT_GE(shape.segments(c) * shape.rows, ny);
        EXPECT_LT((shape.segments(c) - 1) * shape.rows, ny);
      }
}

/// 8192 columns in strips of 52, each of which reads 64; 64 segments of 128 rows, each of which reads 11 more.
TEST(PassShape, DeclaresTheCellsThatItReads) {
  const Case c = grid(8192, 8192);
  const ladder::Tuning tuning = {{"steps", 6}, {"width", 2}, {"margin", 0}, {"rows", 128}};
  const auto traffic = PassShape::tuned<float>(c, tuning).traffic(4, c, 1);
  ASSERT_EQ(traffic.size(), 1u);
  const double cells_read = 158.0 * 64 * 64 * (128 + 11);
  EXPECT_DOUBLE_EQ(traffic[0].read, 37 * cells_read / (8192.0 * 8192) / 6);
  EXPECT_DOUBLE_EQ(traffic[0].write, 6);
}

}  // namespace
}  // namespace d2q9
