#include "harness/settings.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "tests/support/error.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

const std::vector<Tunable> work_group = {{"wx", "work-group width, sites", {8, 16, 32}, 16},
                                         {"wy", "work-group height, sites", {1, 2, 4}, 1}};

TEST(Precision, IsF32OrF64) {
  EXPECT_EQ(parse_precision("f32"), Precision::f32);
  EXPECT_EQ(parse_precision("f64"), Precision::f64);
}

TEST(Precision, NamesWhatItAcceptsWhereItIsAnotherWord) {
  for (const auto* word : {"", "f16", "F32", "float", "f32 ", "f323"}) {
    const std::string message = input_error([&] { parse_precision(word); });
    EXPECT_TRUE(contains(message, std::string("'") + word + "'"));
    EXPECT_TRUE(contains(message, "f32 and f64"));
  }
}

TEST(Tuning, HasTheInitialValueOfEveryTunableThatIsNotNamed) {
  EXPECT_EQ(parse_tuning(work_group, {}), (Tuning{{"wx", 16}, {"wy", 1}}));
  EXPECT_EQ(parse_tuning({}, {}), Tuning{});
}

TEST(Tuning, TakesNamedValues) {
  EXPECT_EQ(parse_tuning(work_group, {"wy=4"}), (Tuning{{"wx", 16}, {"wy", 4}}));
  EXPECT_EQ(parse_tuning(work_group, {"wy=4", "wx=8"}), (Tuning{{"wx", 8}, {"wy", 4}}));
}

TEST(Tuning, TakesTheLastOfTwoValues) { EXPECT_EQ(parse_tuning(work_group, {"wx=8", "wx=32"}).at("wx"), 32); }

TEST(Tuning, SuggestsTheNearestNameForAnUnknownOne) {
  const std::string message = input_error([] { parse_tuning(work_group, {"wxx=8"}); });
  EXPECT_TRUE(contains(message, "'wxx'"));
  EXPECT_TRUE(contains(message, "did you mean 'wx'?"));
  EXPECT_TRUE(contains(message, "wx, wy"));
}

TEST(Tuning, SaysSoWhereARungHasNoTunables) {
  EXPECT_TRUE(contains(input_error([] { parse_tuning({}, {"wx=8"}); }), "this rung has none"));
}

TEST(Tuning, ListsTheDeclaredValuesWhereAnotherIsGiven) {
  for (const auto* setting :
       {"wx=17", "wx=-8", "wx=0", "wx=8.0", "wx=0x8", "wx=", "wx= 8", "wx=8 ", "wx=+8", "wx=99999999999"}) {
    const std::string message = input_error([&] { parse_tuning(work_group, {setting}); });
    EXPECT_TRUE(contains(message, setting));
    EXPECT_TRUE(contains(message, "accepted: 8, 16, 32"));
  }
}

TEST(Tuning, ExplainsASettingWithoutAValue) {
  for (const auto* setting : {"wx", "", "wx:8"})
    EXPECT_TRUE(contains(input_error([&] { parse_tuning(work_group, {setting}); }), "expected name=value")) << setting;
}

}  // namespace
}  // namespace ladder
