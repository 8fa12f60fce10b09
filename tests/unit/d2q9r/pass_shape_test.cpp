#include "variants/d2q9r/cuda/pass_shape.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace d2q9r {
namespace {

Case grid(int nx, int ny) {
  Case c;
  c.nx = nx;
  c.ny = ny;
  return c;
}

/// All tunings that satisfy the constraint.
std::vector<ladder::Tuning> tunings() {
  std::vector<ladder::Tuning> accepted;
  for (const int steps : steps_tunable(2).values)
    for (const int width : width_tunable(1).values)
      for (const int margin : margin_tunable().values)
        for (const int rows : rows_tunable().values) {
          const ladder::Tuning tuning = {
              {"steps", steps}, {"width", width}, {"margin", margin}, {"rows", rows}, {"threads", most_pass_threads}};
          if (registers_constraint().holds(tuning)) accepted.push_back(tuning);
        }
  return accepted;
}

class PassShapes : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, PassShapes, testing::Values(sizeof(float), sizeof(double)));

/// Each step invalidates one column at each end of a strip; the columns of the margin must cover all steps.
TEST_P(PassShapes, HaveAMarginOfAColumnPerStepWhateverTheRowsLength) {
  const auto all = tunings();
  ASSERT_GT(all.size(), 200u);
  for (const int nx : {3, 36, 37, 38, 40, 136, 1024})
    for (const auto& tuning : all) {
      const auto shape = PassShape::tuned(grid(nx, 23), tuning, GetParam());
      EXPECT_GE(shape.margin * shape.width, shape.steps) << nx << ": " << shape.width << ", " << shape.margin;
      EXPECT_GE(shape.margin, tuning.at("margin"));
      EXPECT_GT(shape.columns(), 0) << "strips must own columns";
      EXPECT_EQ(nx % shape.width, 0) << "a lane's columns are in one row";
      EXPECT_LE(shape.width * GetParam(), 16u);
      EXPECT_LE(shape.width * shape.steps * GetParam(), most_waiting * sizeof(float));
    }
}

TEST_P(PassShapes, CoverTheGridWithStripsAndSegments) {
  for (const int nx : {3, 37, 40, 1024})
    for (const int ny : {3, 23, 1000})
      for (const auto& tuning : tunings()) {
        const Case c = grid(nx, ny);
        const auto shape = PassShape::tuned(c, tuning, GetParam()).filled(c, 2112);
        ASSERT_GT(shape.rows, 0);
        EXPECT_GE(shape.strips(c) * shape.columns(), nx);
        EXPECT_LT((shape.strips(c) - 1) * shape.columns(), nx);
        EXPECT_GE(shape.segments(c) * shape.rows, ny);
        EXPECT_LT((shape.segments(c) - 1) * shape.rows, ny);
      }
}

/// 8192 columns in strips of 52, each of which reads 64; 64 segments of 128 rows, each of which reads 13 more.
TEST(PassShape, DeclaresTheCellsThatItReads) {
  const Case c = grid(8192, 8192);
  const ladder::Tuning tuning = {{"steps", 6}, {"width", 2}, {"margin", 0}, {"rows", 128}, {"threads", 128}};
  const auto traffic = PassShape::tuned(c, tuning, sizeof(float)).traffic(6, 4, c, 13);
  const double cells_read = 158.0 * 64 * 64 * (128 + 13);
  EXPECT_DOUBLE_EQ(traffic.read, 6 * 4 * cells_read / (8192.0 * 8192) / 6);
  EXPECT_DOUBLE_EQ(traffic.write, 4);
}

}  // namespace
}  // namespace d2q9r
