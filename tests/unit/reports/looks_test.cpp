// Colours and point styles of rungs in figures.
#include <gtest/gtest.h>

#include <set>

#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

TEST(Looks, TellRungsOfOneFolderApartByColourAndPoint) {
  std::vector<std::string> rungs;
  std::set<std::pair<std::string, int>> seen;
  for (int i = 10; i < 40; ++i)
    rungs.push_back("m/s/" + std::to_string(i));
  const auto all = looks(rungs);
  for (const Look& look : all)
    seen.emplace(look.color, look.point);
  EXPECT_EQ(seen.size(), 30u);
  EXPECT_STRNE(all[0].color, all[1].color);
}

TEST(Looks, HaveTheColourOfTheirFolderWhereThereAreSeveral) {
  const auto all = looks({"m/s/1", "m/s/2", "m/o/1"});
  EXPECT_STREQ(all[0].color, all[1].color);
  EXPECT_STRNE(all[0].color, all[2].color);
  EXPECT_NE(all[0].point, all[1].point);
}

}  // namespace
}  // namespace ladder::reports
