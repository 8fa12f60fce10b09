#include <gtest/gtest.h>

#include <set>

#include "tests/support/error.hpp"
#include "tests/support/text.hpp"
#include "variants/d2q9r/moments.hpp"
#include "variants/d2q9r/textbook.hpp"

namespace d2q9r {
namespace {

using ladder::test::contains;
using ladder::test::input_error;

TEST(Vortex, TakesAnySizeAndAsManyStepsAsItsLongestSideSquared) {
  const Case square = Model::make_case("tgv-24");
  EXPECT_EQ(square.grid(), (std::array<std::int64_t, 3>{24, 24, 1}));
  EXPECT_EQ(square.steps, 576);
  const Case box = Model::make_case("tgv-12x20");
  EXPECT_EQ(box.grid(), (std::array<std::int64_t, 3>{12, 20, 1}));
  EXPECT_EQ(box.steps, 400);
}

TEST(Vortex, IsSlowerInLargerBoxesSoThatItsMachNumberFallsWithTheSide) {
  EXPECT_DOUBLE_EQ(Model::make_case("tgv-16").speed, 2 * Model::make_case("tgv-32").speed);
  EXPECT_EQ(Model::make_case("tgv-16").tau, Model::make_case("tgv-32").tau);
}

TEST(Case, NamesWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const auto* name : {"tgv-2", "tgv-", "tgv-x", "tgv-8x8x8", "tgv-8x2", "tgv--8", "tgv-8.5", "tgv-70000"})
    EXPECT_TRUE(contains(error(name), name)) << name;
  EXPECT_TRUE(contains(error("tgv-8x2"), "'2' is not a size; accepted are integers from 3 to 65535, as N or NXxNY"));
  EXPECT_TRUE(contains(error("tvg-64"), "did you mean 'tgv-64'?"));
}

TEST(Layers, HaveTheRelaxationTimeTheSpeedAndTheSizeOfTheirName) {
  const Case c = Model::make_case("layers0.5001@0.05-16x32");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{16, 32, 1}));
  EXPECT_EQ(c.tau, 0.5001);
  EXPECT_EQ(c.steps, 1280);
  EXPECT_NEAR(moments(c.initial(3, 16).data()).ux, 0.05, 1e-5);
  EXPECT_NEAR(moments(c.initial(3, 0).data()).ux, -0.05, 1e-5);
  EXPECT_TRUE(contains(input_error([] { Model::make_case("layers0.5@0.05-16"); }), "'0.5' is not a relaxation time"));
  EXPECT_TRUE(contains(input_error([] { Model::make_case("layers0.6@0.05-8x8x8"); }), "'8x8x8' is not a size"));
}

TEST(Parameters, AreReadAndRefusedWithFileLineValueAndWhatIsAccepted) {
  const Case c = parse_parameters("some/flow.params", "8\n9\n\n20\n0.75\n0.01\n");
  EXPECT_EQ(c.name, "flow");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{8, 9, 1}));
  EXPECT_EQ(c.steps, 20);
  EXPECT_EQ(c.tau, 0.75);
  EXPECT_EQ(c.speed, 0.01);
  const auto error = [](const std::string& text) { return input_error([&] { parse_parameters("f", text); }); };
  EXPECT_TRUE(contains(error("8\n2\n"), "f:2: ny is 2; accepted: an integer from 3 to 65535"));
  EXPECT_TRUE(contains(error("8\n8\n0\n"), "f:3: steps is 0"));
  for (const auto* tau : {"0.5", "0.2", "-1"})
    EXPECT_TRUE(contains(error(std::string("8\n8\n9\n") + tau + "\n0.1\n"), "every flow is unstable")) << tau;
  EXPECT_TRUE(contains(error("8\n8\n9\n0.6\n0.6\n"), "below 0.577"));
  EXPECT_TRUE(contains(error("8\n8\n9\n0.6\n"), "f:5: the file ends after 4 values; 'speed' is missing"));
  EXPECT_TRUE(contains(error("8\n144\n9\n0.6\n0.2\n"), "f:5: speed is 0.2, and thus 3.6 along y"));
}

TEST(Case, OfAnotherStartOrSizeHasAnotherContent) {
  const Case c = Model::make_case("tgv-8x9");
  std::set<std::string> contents = {c.content(), Model::seeded(c).content(), Model::make_case("tgv-9x8").content(),
                                    Model::make_case("tgv-8x10").content()};
  Case other = c;
  other.tau = 0.9;
  contents.insert(other.content());
  other = c;
  other.speed = 0.01;
  contents.insert(other.content());
  EXPECT_EQ(contents.size(), 6u);
}

TEST(Companions, HaveTwoDifferentSidesAndStartSeeded) {
  for (const Case& c : Model::companion_cases()) {
    EXPECT_NE(c.nx, c.ny) << c.name;
    EXPECT_TRUE(c.is_seeded) << c.name;
  }
}

TEST(SeededStart, IsAStateOfTheModelThatDiffersInEveryCoefficient) {
  const Case c = Model::seeded(Model::make_case("tgv-8x7"));
  std::set<double> values;
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 8; ++x) {
      const auto f = c.initial(x, y);
      double k[numbers], again[q];
      project(f.data(), k);
      values.insert(k, k + numbers);
      populations_of(k, again);
      for (int i = 0; i < q; ++i)
        EXPECT_NEAR(again[i], f[i], 1e-15);
    }
  EXPECT_EQ(values.size(), 56u * numbers);
}

}  // namespace
}  // namespace d2q9r
