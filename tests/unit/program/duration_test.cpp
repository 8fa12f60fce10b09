#include <gtest/gtest.h>

#include "base/text.hpp"

namespace ladder {
namespace {

TEST(Duration, IsReadWithItsUnit) {
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("10m"), 600);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
}

TEST(Duration, IsNothingOtherwise) {
  for (const char* text : {"", "m", "ten", "-5m", "0", "0s", "5 m", "5d", "nan", "inf", "1e300h", "5mm"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace ladder
