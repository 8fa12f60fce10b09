#include <gtest/gtest.h>

#include "base/error.hpp"
#include "harness/record/tuning.hpp"
#include "roofline/model/number.hpp"
#include "tests/support/error.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

const std::vector<Tunable> work_group = {{"wx", "work-group width, sites", {8, 16, 32}, 16},
                                         {"wy", "work-group height, sites", {1, 2, 4}, 1}};

TEST(Number, IsF32OrF64OrF16) {
  EXPECT_EQ(find_number("f32"), f32);
  EXPECT_EQ(find_number("f64"), f64);
  EXPECT_EQ(find_number("f16"), f16);
}

TEST(Number, IsComputedWithInItsOwnFormatOrInAWiderOne) {
  EXPECT_EQ(arithmetic_of(f32), f32);
  EXPECT_EQ(arithmetic_of(f64), f64);
  EXPECT_EQ(arithmetic_of(f16), f32);
  EXPECT_EQ(number_of<Half>(), f16);
  EXPECT_EQ(f16.bytes, sizeof(Half));
}

TEST(Number, NamesWhatItAcceptsWhereItIsAnotherWord) {
  for (const auto* word : {"", "f15", "F32", "float", "f32 ", "f323"}) {
    const std::string message = input_error([&] { find_number(word); });
    EXPECT_TRUE(contains(message, std::string("'") + word + "'"));
    EXPECT_TRUE(contains(message, "f32, f64 and f16"));
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

const std::vector<Constraint> constraints = {
    {"wx * wy <= 64 (registers)", [](const Tuning& t) { return t.at("wx") * t.at("wy") <= 64; }},
    {"wy <= wx / 8", [](const Tuning& t) { return t.at("wy") <= t.at("wx") / 8; }}};

TEST(Constraints, RefuseATuningByTheTextOfTheFirstThatItViolates) {
  EXPECT_EQ(parse_tuning(work_group, {"wy=2"}, constraints), (Tuning{{"wx", 16}, {"wy", 2}}));
  const std::string both = input_error([] { parse_tuning(work_group, {"wx=32", "wy=4"}, constraints); });
  EXPECT_TRUE(contains(both, "wx=32;wy=4"));
  EXPECT_TRUE(contains(both, "accepted: wx * wy <= 64 (registers)"));
  EXPECT_TRUE(contains(input_error([] { parse_tuning(work_group, {"wx=8", "wy=2"}, constraints); }), "accepted: wy <= wx / 8"));
}

TEST(Constraints, SayWhatIsLegal) {
  const LegalTunings legal = legal_tunings(work_group, constraints);
  EXPECT_EQ(legal.combinations, 9);
  EXPECT_EQ(legal.values, (std::vector<std::vector<int>>{{8, 1}, {16, 1}, {16, 2}, {32, 1}, {32, 2}}));
  EXPECT_EQ(legal.refused, (std::vector<std::int64_t>{1, 3}));
}

TEST(Constraints, LeaveEveryCombinationWhereThereAreNone) {
  EXPECT_EQ(legal_tunings(work_group, {}).values.size(), 9u);
  EXPECT_EQ(legal_tunings({}, {}).values, (std::vector<std::vector<int>>{{}}));
}

TEST(Constraints, AreNotTriedOnMoreThanAMillionCombinations) {
  std::vector<Tunable> many;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
    many.push_back({name, "one of ten", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0});
  EXPECT_TRUE(contains(input_error([&] { legal_tunings(many, {}); }), "1000000"));
}

}  // namespace
}  // namespace ladder
