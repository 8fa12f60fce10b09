#include <gtest/gtest.h>

#include "base/error.hpp"

namespace ladder {
namespace {

const std::vector<std::string> cases = {"box-128", "box-256", "box-1024", "porous-256"};

TEST(Suggestion, IsTheCandidateWithTheFewestChanges) {
  EXPECT_EQ(suggestion("bx-128", cases), " (did you mean 'box-128'?)");
  EXPECT_EQ(suggestion("box-265", cases), " (did you mean 'box-256'?)");
  EXPECT_EQ(suggestion("pours-256", cases), " (did you mean 'porous-256'?)");
  EXPECT_EQ(suggestion("box1024", cases), " (did you mean 'box-1024'?)");
}

TEST(Suggestion, IsTheCandidateThatWasBegun) {
  EXPECT_EQ(suggestion("por", cases), " (did you mean 'porous-256'?)");
  EXPECT_EQ(suggestion("box-1", cases), " (did you mean 'box-128'?)");
}

TEST(Suggestion, IsNoneWhereNothingIsNear) {
  EXPECT_EQ(suggestion("channel", cases), "");
  EXPECT_EQ(suggestion("", cases), "");
  EXPECT_EQ(suggestion("box-128", {}), "");
  EXPECT_EQ(suggestion("ab", {"wx", "wy"}), "") << "every letter is changed";
}

}  // namespace
}  // namespace ladder
