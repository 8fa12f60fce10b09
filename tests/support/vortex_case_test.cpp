#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
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

TEST(Layers, HaveTheRelaxationTimeTheSpeedAndTheSizeOfTheirName) {
  const Case c = Model::make_case("layers0.5001@0.05-32x16x3");
  EXPECT_EQ(c.name, "layers0.5001@0.05-32x16x3");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{32, 16, 3}));
  EXPECT_EQ(c.tau, 0.5001);
  EXPECT_EQ(c.steps, 4 * 32 * 20) << "the flow passes the box four times";
  EXPECT_EQ(Model::make_case("layers2@0.5-9").grid(), (std::array<std::int64_t, 3>{9, 9, 9}));
}

TEST(Layers, MoveOppositelyAndAreTiltedAlongX) {
  const Case c = Model::make_case("layers0.51@0.05-16x32x3");
  const auto at = [&](std::int64_t x, std::int64_t y) { return moments(c.initial(x, y, 1).data()); };
  EXPECT_NEAR(at(3, 16).ux, 0.05, 1e-5) << "between the layers";
  EXPECT_NEAR(at(3, 0).ux, -0.05, 1e-5);
  EXPECT_NEAR(at(3, 7).ux + at(3, 8).ux, 0, 1e-12) << "the first layer";
  EXPECT_NEAR(at(3, 7).uy, 0.05 * 0.05 * std::sin(2 * std::numbers::pi * (3.5 / 16 + 0.25)), 1e-12);
  EXPECT_NEAR(at(3, 7).density, 1, 1e-12);
  EXPECT_EQ(c.initial(3, 7, 0), c.initial(3, 7, 2)) << "in all planes";
  ladder::Populations state(q, {{}, c.grid()});
  Reference(c).store(state);
  EXPECT_TRUE(std::isnan(velocity_error(c, state, 1))) << "no exact solution";
  EXPECT_TRUE(std::isnan(exact_energy(c, 1)));
}

TEST(Layers, NameWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const std::string tau : {"0.5", "0.4", "nan", "inf", "", "0.50", "0.6x", "11", "6e0"})
    EXPECT_TRUE(
        contains(error("layers" + tau + "@0.05-16"), "'" + tau + "' is not a relaxation time; accepted are numbers above 0.5"))
        << tau;
  for (const std::string speed : {"0", "0.00009", "0.6", "-0.1", "nan", "", "0.050", "@"})
    EXPECT_TRUE(contains(error("layers0.6@" + speed + "-16"), "is not a speed; accepted are numbers from 0.0001 to 0.5"))
        << speed;
  EXPECT_EQ(Model::make_case("layers0.6@0.0001-16").speed, -0.0001);
  EXPECT_TRUE(contains(error("layers0.6-16"), "'' is not a speed"));
  EXPECT_TRUE(contains(error("layers0.6@0.05-8x2x8"), "case 'layers0.6@0.05-8x2x8': '2' is not a size; accepted are integers"));
  EXPECT_TRUE(contains(error("layers0.6@0.05"), "is not a size"));
  EXPECT_TRUE(contains(error("layer0.6@0.05-16"), "did you mean 'layers0.501@0.05-64'?"));
}

TEST(Layers, OfAnotherRelaxationTimeOrSpeedHaveAnotherContent) {
  std::set<std::string> contents;
  for (const char* name : {"layers0.6@0.05-16", "layers0.61@0.05-16", "layers0.6@0.051-16", "layers0.6@0.05-17", "tgv-16"})
    contents.insert(Model::make_case(name).content());
  EXPECT_EQ(contents.size(), 5u);
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
