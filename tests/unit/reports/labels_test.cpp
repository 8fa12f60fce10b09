// Labels next to points of a figure.
#include "reports/labels.hpp"

#include <gtest/gtest.h>

#include "tests/support/text.hpp"

namespace ladder::reports {
namespace {

const Rectangle frame{100, 50, 500, 350};

TEST(Labels, StandsRightOfAPointThatIsAlone) {
  Labels labels({600, 400}, frame);
  const Rectangle at = labels.place({200, 200}, "04 streaming");
  EXPECT_GT(at.left, 200);
  EXPECT_NEAR((at.bottom + at.top) / 2, 200, 1e-9);
}

TEST(Labels, StandsLeftWhereTheFrameEnds) {
  Labels labels({600, 400}, frame);
  EXPECT_LT(labels.place({490, 200}, "04 streaming").right, 490);
}

TEST(Labels, DoNotMeetEachOther) {
  Labels labels({600, 400}, frame);
  std::vector<Rectangle> placed;
  for (int i = 0; i < 8; ++i)
    placed.push_back(labels.place({300, 200 + i}, "04 streaming"));
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_GT(placed[i].right, placed[i].left);
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(placed[i].meets(placed[k])) << i << " and " << k;
  }
}

TEST(Labels, AvoidPoints) {
  Labels labels({600, 400}, frame);
  labels.avoid({230, 200});
  EXPECT_FALSE(labels.place({200, 200}, "04 streaming").meets({226, 196, 234, 204}));
}

TEST(Labels, AreLeftOutWhereThereIsNoRoom) {
  Labels labels({600, 400}, {100, 190, 130, 210});
  EXPECT_EQ(labels.draw({115, 200}, "a label that is wider than the frame", "#000000"), "");
}

TEST(Labels, LeadALineToAPointThatTheyAreNotBeside) {
  Labels labels({600, 400}, frame);
  EXPECT_FALSE(test::contains(labels.draw({300, 200}, "a", "#0072b2"), "set arrow"));
  (void)labels.draw({300, 200}, "b", "#0072b2");
  EXPECT_TRUE(test::contains(labels.draw({300, 200}, "c", "#0072b2"), "set arrow"));
}

}  // namespace
}  // namespace ladder::reports
