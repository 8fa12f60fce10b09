#include <gtest/gtest.h>

#include <set>

#include LADDER_MODEL_HEADER
#include "tests/support/error.hpp"
#include "tests/support/text.hpp"

/// The cases of the Taylor-Green vortex, for each model that starts from it: LADDER_MODEL is the model's namespace.
namespace LADDER_MODEL {
namespace {

using ladder::test::contains;
using ladder::test::input_error;

TEST(Vortex, TakesAnySizeAndAsManyStepsAsItsLongestSideSquared) {
  const Case cube = Model::make_case("tgv-24");
  EXPECT_EQ(cube.grid(), (std::array<std::int64_t, 3>{24, 24, 24}));
  EXPECT_EQ(cube.steps, 576);
  const Case box = Model::make_case("tgv-12x20x7");
  EXPECT_EQ(box.grid(), (std::array<std::int64_t, 3>{12, 20, 7}));
  EXPECT_EQ(box.cells(), 1680);
  EXPECT_EQ(box.steps, 400);
}

TEST(Vortex, IsSlowerInLargerBoxesSoThatItsMachNumberFallsWithTheSide) {
  EXPECT_DOUBLE_EQ(Model::make_case("tgv-16").speed, 2 * Model::make_case("tgv-32").speed);
  EXPECT_EQ(Model::make_case("tgv-16").tau, Model::make_case("tgv-32").tau);
}

TEST(Case, NamesWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const auto* name : {"tgv-2", "tgv-", "tgv-x", "tgv-8x8", "tgv-8x8x8x8", "tgv-8x2x8", "tgv--8", "tgv-8.5", "tgv-70000"})
    EXPECT_TRUE(contains(error(name), name)) << name;
  EXPECT_TRUE(contains(error("tgv-8x2x8"), "'2' is not a size; accepted are integers from 3 to 65535"));
  EXPECT_TRUE(contains(error("tgv-8x8"), "'8x8' is not a size"));
  EXPECT_TRUE(contains(error("tvg-16"), "did you mean 'tgv-16'?"));
  EXPECT_TRUE(contains(error("tgv-60000"), "tgv-60000"));
}

TEST(Parameters, AreReadAndRefusedWithFileLineValueAndWhatIsAccepted) {
  const Case c = parse_parameters("some/flow.params", "8\n9\n\n10\n20\n0.75\n0.01\n");
  EXPECT_EQ(c.name, "flow");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{8, 9, 10}));
  EXPECT_EQ(c.steps, 20);
  EXPECT_EQ(c.tau, 0.75);
  EXPECT_EQ(c.speed, 0.01);
  const auto error = [](const std::string& text) { return input_error([&] { parse_parameters("f", text); }); };
  EXPECT_TRUE(contains(error("8\n8\n2\n"), "f:3: nz is 2; accepted: an integer from 3 to 65535"));
  EXPECT_TRUE(contains(error("8\n8\n8\n0\n"), "f:4: steps is 0"));
  for (const auto* tau : {"0.5", "0.2", "-1"})
    EXPECT_TRUE(contains(error(std::string("8\n8\n8\n9\n") + tau + "\n0.1\n"), "every flow is unstable")) << tau;
  for (const auto* word : {"nan", "inf", "one"})
    EXPECT_TRUE(contains(error(std::string("8\n8\n8\n9\n0.6\n") + word + "\n"), std::string("f:6: speed is '") + word + "'"));
  EXPECT_TRUE(contains(error("8\n8\n8\n9\n0.6\n0.6\n"), "below 0.577"));
  EXPECT_TRUE(contains(error("8\n8\n8\n9\n0.6\n"), "f:6: the file ends after 5 values; 'speed' is missing"));
}

TEST(Parameters, AreRefusedWhereTheVortexIsFasterThanSoundAlongY) {
  const auto error = [](const std::string& text) { return input_error([&] { parse_parameters("f", text); }); };
  const std::string text = error("8\n144\n8\n9\n0.6\n0.2\n");
  EXPECT_TRUE(contains(text, "f:6: speed is 0.2, and thus 3.6 along y (speed ny / nx); accepted: a number below 0.03208,"));
  EXPECT_TRUE(contains(text, "slower than sound, 0.5774"));
  EXPECT_EQ(parse_parameters("f", "8\n144\n8\n9\n0.6\n0.032\n").speed, 0.032);
  EXPECT_EQ(parse_parameters("f", "144\n8\n8\n9\n0.6\n0.5\n").speed, 0.5);
}

TEST(Case, OfAnotherStartOrSizeHasAnotherContent) {
  const Case c = Model::make_case("tgv-8x9x10");
  std::set<std::string> contents = {c.content(), Model::seeded(c).content(), Model::make_case("tgv-9x8x10").content(),
                                    Model::make_case("tgv-8x9x11").content()};
  Case other = c;
  other.tau = 0.9;
  contents.insert(other.content());
  other = c;
  other.speed = 0.01;
  contents.insert(other.content());
  EXPECT_EQ(contents.size(), 6u);
}

TEST(Companions, HaveThreeDifferentSidesAndStartSeeded) {
  for (const Case& c : Model::companion_cases()) {
    EXPECT_EQ((std::set<int>{c.nx, c.ny, c.nz}).size(), 3u) << c.name;
    EXPECT_TRUE(c.is_seeded) << c.name;
  }
}

}  // namespace
}  // namespace LADDER_MODEL
