#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "harness/bench/divergence.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"
#include "tests/unit/d2q37/gas.hpp"

namespace d2q37 {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::Folder;
using ladder::test::input_error;

TEST(Cases, TakeAnySizeAndStepsThatGrowWithTheHeight) {
  const Case c = Model::make_case("rt-12x20");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{12, 20, 1}));
  EXPECT_EQ(c.steps, 2000);
  EXPECT_EQ(Model::make_case("periodic-7").grid(), (std::array<std::int64_t, 3>{7, 7, 1}));
  for (const auto& name : Model::case_names())
    EXPECT_EQ(Model::make_case(name).name, name);
}

TEST(Cases, DifferInWallsLayersAndReaction) {
  const Case waves = Model::make_case("periodic-16x24"), one = Model::make_case("rt-16x24"),
             two = Model::make_case("rt2-16x24");
  const Case unequal = Model::make_case("rt2a-16x24"), flame = Model::make_case("flame-16x24");
  EXPECT_EQ(waves.walls, 0);
  for (const Case* c : {&one, &two, &unequal, &flame})
    EXPECT_EQ(c->walls, 1) << c->name;
  EXPECT_EQ(one.lower, one.upper);
  EXPECT_EQ(two.lower, 8);
  EXPECT_EQ(two.upper, 16);
  EXPECT_NEAR(two.bottom - two.middle, two.middle - two.top, 1e-15);
  EXPECT_GT(unequal.bottom - unequal.middle, 2.9 * (unequal.middle - unequal.top));
  EXPECT_TRUE(flame.is_reactive());
  for (const Case* c : {&waves, &one, &two, &unequal})
    EXPECT_FALSE(c->is_reactive()) << c->name;
  EXPECT_EQ(Model::reach(one), 3);
  EXPECT_EQ(Model::reach(flame), 4) << "the divergence uses the neighbours' velocities";
}

TEST(Cases, NameWhatIsWrongWithAName) {
  const auto error = [](const std::string& name) { return input_error([&] { Model::make_case(name); }); };
  for (const auto* name : {"rt-2", "rt-", "rt-x", "rt-8x8x8", "rt-2x8", "rt--8", "rt-8.5", "rt-20000000"})
    EXPECT_TRUE(contains(error(name), "is not a size; accepted are integers from 3 to 16777216")) << name;
  EXPECT_TRUE(contains(error("rt-64x6"), "case 'rt-64x6': ny is 6; accepted: an integer from 7"));
  EXPECT_NO_THROW(Model::make_case("rt-3x7"));
  EXPECT_NO_THROW(Model::make_case("periodic-3x3"));
  EXPECT_TRUE(contains(error("flam-16x256"), "did you mean 'flame-16x256'?"));
  EXPECT_TRUE(contains(error("rt3-64"), "accepted are periodic-N, periodic-NXxNY"));
  EXPECT_TRUE(contains(error("rt-16777216"), "GB of memory; this machine has"));
}

TEST(Layers, RestOnEachOtherWithTheirTemperaturesAndPressures) {
  Case c = Model::make_case("rt2a-4x90");
  c.amplitude = 0;
  EXPECT_NEAR(c.start(0, 5).temperature, c.bottom, 1e-6);
  EXPECT_NEAR(c.start(0, 45).temperature, c.middle, 1e-3);
  EXPECT_NEAR(c.start(0, 85).temperature, c.top, 1e-6);
  double before = 0;
  for (int y = 0; y < c.ny; ++y) {
    const auto gas = c.start(1, y);
    const double pressure = gas.density * gas.temperature, height = y + 0.5;
    EXPECT_EQ(gas.u, 0);
    EXPECT_EQ(gas.v, 0);
    if (y > 0) {
      const double layer = height <= c.lower ? c.bottom : height - 1 >= c.upper ? c.top : c.middle;
      if ((height <= c.lower || height - 1 >= c.lower) && (height <= c.upper || height - 1 >= c.upper)) {
        EXPECT_NEAR(pressure / before, std::exp(-c.gravity * D2Q37_R / layer), 1e-15) << y;
      }
    }
    before = pressure;
  }
  EXPECT_NEAR(c.start(0, 30).density * c.start(0, 30).temperature, std::exp(-c.gravity * D2Q37_R / 2 / c.middle), 1e-15);
}

TEST(Waves, HaveTheirAmplitudeAndTheSamePressureEverywhere) {
  const Case c = Model::make_case("periodic-16x24");
  double fastest = 0, hottest = 0;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const auto gas = c.start(x, y);
      EXPECT_NEAR(gas.density * gas.temperature, 1, 1e-15);
      fastest = std::max({fastest, std::abs(gas.u), std::abs(gas.v)});
      hottest = std::max(hottest, gas.temperature);
    }
  EXPECT_NEAR(fastest, 0.05, 1e-15);
  EXPECT_NEAR(hottest, 1.05, 1e-15);
}

TEST(Perturbation, IsNoHigherThanItsAmplitudeAndMovesBothInterfaces) {
  Case c = Model::make_case("rt2-64x96");
  c.amplitude = 6;
  for (int x = 0; x < c.nx; ++x) {
    for (const double interface : {c.lower, c.upper}) {
      const double middle = interface == c.lower ? (c.bottom + c.middle) / 2 : (c.middle + c.top) / 2;
      const int low = static_cast<int>(interface) - 8, high = static_cast<int>(interface) + 8;
      EXPECT_GT(c.start(x, low).temperature, middle);
      EXPECT_LT(c.start(x, high).temperature, middle);
    }
  }
  EXPECT_NE(c.start(0, 32).temperature, c.start(9, 32).temperature);
}

TEST(Start, IsThatOfTheGasOnceHalfAStepsGravityIsTakenIntoAccount) {
  const Case c = Model::make_case("rt-8x16");
  Reference lattice(c);
  ladder::Populations state(q, {{}, c.grid()});
  lattice.store(state);
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto gas = physical(c, state, cell), start = c.start(cell % c.nx, cell / c.nx);
    EXPECT_NEAR(gas.density, start.density, 1e-14);
    EXPECT_NEAR(gas.u, 0, 1e-15);
    EXPECT_NEAR(gas.v, 0, 1e-15);
    EXPECT_NEAR(gas.temperature, start.temperature, 1e-14);
  }
}

TEST(SeededStart, DiffersFromCellToCellAndHasFifteenMoments) {
  const Case c = Model::seeded(Model::make_case("rt-9x7"));
  std::set<double> rest;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const auto f = c.initial(x, y, 0);
      rest.insert(f[0]);
      double m[moments];
      std::array<double, q> back{};
      d2q37_moments(f.data(), m);
      d2q37_expand(m, back.data());
      for (int i = 0; i < q; ++i)
        ASSERT_NEAR(back[i], f[i], 1e-15);
    }
  EXPECT_EQ(rest.size(), 63u);
}

TEST(Walls, LieWhereTheWholeLatticeHasThem) {
  const Case c = Model::make_case("rt-12x20");
  EXPECT_EQ(c.bottom_row(), 0);
  EXPECT_EQ(Model::make_case("periodic-12x20").bottom_row(), -1);
  const auto row = [&](int first, int rows) { return Model::part(c, {{0, first, 0}, {c.nx, rows, 1}}).bottom_row(); };
  EXPECT_EQ(row(0, 10), 0);
  EXPECT_EQ(row(-3, 10), 3);
  EXPECT_EQ(row(10, 10), -1);
  EXPECT_EQ(row(10, 13), 10) << "a part that wraps";
  EXPECT_EQ(row(-3, 26), 3);
}

TEST(Parts, OfTheReferenceHoldWhatTheWholeHolds) {
  for (const auto* name : {"rt-9x31", "flame-9x31", "rth-9x31"}) {
    const Case c = Model::seeded(Model::make_case(name));
    constexpr int steps = 2;
    const auto halo = Model::reach(c) * steps;
    Reference whole(c);
    whole.advance(steps);
    for (const int first : {0, 11, 26}) {
      const int rows = 5;
      Reference part(Model::part(c, {{0, first - halo, 0}, {c.nx, rows + 2 * halo, 1}}));
      part.advance(steps);
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const auto expected = whole.cell(x, (first + y) % c.ny), got = part.cell(x, halo + y);
          EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin())) << name << ' ' << first << ' ' << x << ' ' << y;
        }
    }
  }
}

TEST(Content, ChangesWithEachParameter) {
  const Case c = Model::make_case("rt2a-16x24");
  std::set<std::string> contents = {c.content(), Model::seeded(c).content()};
  int changes = 1;
  const auto change = [&](auto set) {
    Case other = c;
    set(other);
    contents.insert(other.content());
    ++changes;
  };
  change([](Case& o) { o.nx = 17; });
  change([](Case& o) { o.ny = 25; });
  change([](Case& o) { o.tau = 0.6; });
  change([](Case& o) { o.gravity = 1e-5; });
  change([](Case& o) { o.bottom = 1.2; });
  change([](Case& o) { o.middle = 1.2; });
  change([](Case& o) { o.top = 1.2; });
  change([](Case& o) { o.lower = 5; });
  change([](Case& o) { o.upper = 20; });
  change([](Case& o) { o.width = 4; });
  change([](Case& o) { o.amplitude = 0.1; });
  change([](Case& o) { o.waves = 3; });
  change([](Case& o) { o.reaction_time = 50; });
  change([](Case& o) { o.compensated = 1; });
  for (const int walls : {0, 2, 3})
    change([=](Case& o) { o.walls = walls; });
  EXPECT_EQ(contents.size(), static_cast<std::size_t>(changes) + 1);
  Case other = c;
  other.name = "else";
  other.steps = 7;
  EXPECT_EQ(other.content(), c.content());
}

/// The values of a parameter file, one of which may be replaced.
std::string file(std::size_t line = 0, const std::string& value = "") {
  std::vector<std::string> numbers = {"16", "24", "100", "0.6", "1e-3", "1.1", "1.0", "0.9",
                                      "8",  "16", "3",   "0.5", "2",    "0",   "0",   "1"};
  if (line > 0) numbers[line - 1] = value;
  return fmt::format("{}\n", fmt::join(numbers, "\n"));
}

TEST(Parameters, AreReadInOrder) {
  const Case c = parse_parameters("some/layers.params", file());
  EXPECT_EQ(c.name, "layers");
  EXPECT_EQ(c.grid(), (std::array<std::int64_t, 3>{16, 24, 1}));
  EXPECT_EQ(c.steps, 100);
  EXPECT_EQ(c.tau, 0.6);
  EXPECT_EQ(c.gravity, 1e-3);
  EXPECT_EQ(c.bottom, 1.1);
  EXPECT_EQ(c.middle, 1.0);
  EXPECT_EQ(c.top, 0.9);
  EXPECT_EQ(c.lower, 8);
  EXPECT_EQ(c.upper, 16);
  EXPECT_EQ(c.width, 3);
  EXPECT_EQ(c.amplitude, 0.5);
  EXPECT_EQ(c.waves, 2);
  EXPECT_EQ(c.reaction_time, 0);
  EXPECT_EQ(c.compensated, 0);
  EXPECT_EQ(c.walls, 1);
}

/// Waves without walls, at this temperature.
std::string waves(double temperature, double amplitude) {
  return fmt::format("8\n8\n1\n0.6\n0\n{0}\n{0}\n{0}\n0\n0\n1\n{1}\n1\n0\n0\n0\n", temperature, amplitude);
}

// Starts with negative populations are refused, and those that are left are slower than sound, sqrt(2 T).
TEST(Parameters, AreAcceptedOnlyIfTheGasStartsSlowerThanSound) {
  for (const double temperature : {0.6, 0.8, 1.0, 1.3, 1.7, 2.0, 2.37}) {
    double accepted = 0, refused = 2;
    for (int n = 0; n < 30; ++n) {
      const double middle = (accepted + refused) / 2;
      try {
        parse_parameters("f", waves(temperature, middle));
        accepted = middle;
      } catch (const ladder::InputError&) {
        refused = middle;
      }
    }
    const Case c = parse_parameters("f", waves(temperature, accepted));
    double mach = 0;
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x) {
        const auto m = c.start(x, y);
        mach = std::max(mach, std::hypot(m.u, m.v) / std::sqrt(2 * m.temperature));
      }
    EXPECT_LT(mach, 1) << temperature << ", amplitude " << accepted;
  }
}

// The accepted speeds of a run (harness/bench/divergence.hpp) depend on the temperature.
TEST(SpeedOfSound, IsThatOfAGasWithTwoDegreesOfFreedom) {
  ladder::Populations state(q, {{}, {1, 1, 1}});
  equilibrium<double>({1.2, 0.3, -0.4, 1.3}, state.f.data());
  const auto flow = ladder::detail::cell_flow<Lattice>(state, 0);
  EXPECT_NEAR(flow.density, 1.2, 1e-12);
  EXPECT_NEAR(flow.speed * D2Q37_R, 0.5, 1e-12);
  EXPECT_NEAR(flow.sound * D2Q37_R, std::sqrt(2 * 1.3), 1e-12);
  EXPECT_NEAR(flow.mach(), 0.5 / std::sqrt(2 * 1.3), 1e-12);
}

struct Wrong {
  std::size_t line;
  const char* value;
  const char* message;
};

TEST(Parameters, AreRefusedWithFileLineValueAndWhatIsAccepted) {
  const Wrong all[] = {
      {1, "2", "f:1: nx is 2; accepted: an integer from 3 to 16777216"},
      {1, "8.5", "f:1: nx is '8.5'; accepted: an integer"},
      {1, "99999999", "f:1: nx is 99999999; accepted"},
      {2, "2", "f:2: ny is 2; accepted: an integer from 3 to"},
      {2, "20000", "f:5: gravity is 0.001; accepted: gravity ny r / T up to 20, here 26.6: the density"},
      {2, "6", "f:2: ny is 6; accepted: an integer from 7, three rows at each wall and one between them"},
      {3, "0", "f:3: steps is 0; accepted: an integer from 1"},
      {4, "0.5", "f:4: tau is 0.5; accepted: a number above 1/2"},
      {4, "-1", "every flow is unstable"},
      {5, "-1e-3", "f:5: gravity is -1e-3; accepted: a number from 0"},
      {5, "1", "f:5: gravity is 1: a gas of temperature 1.1 and this speed has negative populations, and is unstable"},
      {6, "0", "f:6: temperature of the bottom layer is 0; accepted: a number above 0"},
      {6, "2.6", "f:6: temperature of the bottom layer is 2.6: a gas of this temperature at rest has negative"},
      {7, "-1", "f:7: temperature of the middle layer is -1; accepted: a number above 0"},
      {7, "0.4", "f:7: temperature of the middle layer is 0.4: a gas"},
      {8, "0.3", "f:8: temperature of the top layer is 0.3: a gas"},
      {8, "2.38", "f:8: temperature of the top layer is 2.38: a gas"},
      {7, "7e307", "has negative populations, and is unstable; accepted: temperatures from 0.6 to 2.37"},
      {8, "0.3", "has negative populations, and is unstable; accepted: temperatures from 0.6 to 2.37"},
      {9, "-1", "f:9: height of the lower interface is -1; accepted: a number from 0"},
      {9, "17", "f:10: height of the upper interface is 16; accepted: a number from that of the lower one, 17, to ny, 24"},
      {10, "25", "f:10: height of the upper interface is 25; accepted"},
      {11, "0", "f:11: width is 0; accepted: a number above 0"},
      {12, "-0.1", "f:12: amplitude is -0.1; accepted: a number from 0"},
      {13, "0", "f:13: waves is 0; accepted: an integer from 1 to 1000000"},
      {13, "1.5", "f:13: waves is '1.5'; accepted: an integer"},
      {14, "0.5", "f:14: reaction_time is 0.5; accepted: a number from 1, or 0 for no reaction"},
      {15, "2", "f:15: compensated is 2; accepted: 0 or 1"},
      {16, "4", "f:16: walls is 4; accepted: 0, 1, 2 or 3"},
      {16, "0", "f:5: gravity is 0.001; accepted without walls: 0"},
  };
  for (const auto& [line, value, message] : all) {
    const std::string error = input_error([&, n = line, v = value] { parse_parameters("f", file(n, v)); });
    EXPECT_TRUE(contains(error, message)) << error;
  }
  for (std::size_t line = 1; line <= 16; ++line)
    for (const std::string word : {"nan", "inf", "one"}) {
      const std::string error = input_error([&] { parse_parameters("f", file(line, word)); });
      EXPECT_TRUE(contains(error, fmt::format("f:{}: ", line)) && contains(error, " is '" + word + "'; accepted: ")) << error;
    }
  EXPECT_TRUE(
      contains(input_error([] { parse_parameters("f", file(16, "")); }), "the file ends after 15 values; 'walls' is missing"));
  EXPECT_TRUE(contains(input_error([] { parse_parameters("f", file() + "3\n"); }), "f:17: '3' is one value too many"));
}

TEST(Parameters, OfAReactionNeedTwoTemperatures) {
  std::string text = file(14, "100");
  EXPECT_NO_THROW(parse_parameters("f", text));
  text.replace(text.find("0.9"), 3, "1.1");
  EXPECT_TRUE(
      contains(input_error([&] { parse_parameters("f", text); }),
               "f:8: temperature of the top layer is 1.1; accepted with a reaction: another one than the bottom layer's"));
}

TEST(Parameters, OfWavesMayNotMakeTheGasTooFastOrTooCold) {
  const auto waves = [](const std::string& amplitude) {
    return "8\n8\n1\n0.6\n0\n1\n1\n1\n0\n0\n1\n" + amplitude + "\n1\n0\n0\n0\n";
  };
  EXPECT_NO_THROW(parse_parameters("f", waves("0.25")));
  for (const auto* amplitude : {"0.45", "0.7", "1", "1e300"})
    EXPECT_TRUE(contains(input_error([&] { parse_parameters("f", waves(amplitude)); }), "f:12: amplitude is ")) << amplitude;
}

TEST(Parameters, OfALatticeBeyondTheMemoryAreRefused) {
  const Folder folder;
  std::string text = file(1, "16777216");
  text.replace(text.find("24"), 2, "16777216");
  text.replace(text.find("1e-3"), 4, "0");
  const std::string error =
      input_error([&] { Model::read_case(std::array<std::string, 1>{folder.write("large.params", text)}); });
  EXPECT_TRUE(contains(error, "large.params: a lattice of 16777216x16777216")) << error;
  EXPECT_TRUE(contains(error, "GB of memory; this machine has")) << error;
}

TEST(Results, AreTheGasOfEachCell) {
  Case c = parse_parameters("layers.params", file());
  Reference lattice(c);
  lattice.advance(20);
  ladder::Populations state(q, {{}, c.grid()});
  lattice.store(state);
  const Folder folder;
  Model::write_results(c, state, {}, folder.path());
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"final_state.dat"});
  std::istringstream text(folder.read("final_state.dat"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "x y density u v temperature");
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    int x = 0, y = 0;
    Macroscopic<double> gas{};
    ASSERT_TRUE(text >> x >> y >> gas.density >> gas.u >> gas.v >> gas.temperature);
    EXPECT_EQ(x, cell % c.nx);
    EXPECT_EQ(y, cell / c.nx);
    const auto expected = physical(c, state, cell);
    EXPECT_NEAR(gas.density, expected.density, 1e-12 * expected.density);
    EXPECT_NEAR(gas.u, expected.u, 1e-12);
    EXPECT_NEAR(gas.v, expected.v, 1e-12);
    EXPECT_NEAR(gas.temperature, expected.temperature, 1e-12);
  }
  EXPECT_FALSE(text >> line);
}

TEST(Companions, HaveDifferentSidesAndStartSeeded) {
  bool has_walls = false, has_none = false;
  for (const Case& c : Model::companion_cases()) {
    EXPECT_NE(c.nx, c.ny) << c.name;
    EXPECT_TRUE(c.is_seeded) << c.name;
    (c.walls != 0 ? has_walls : has_none) = true;
  }
  EXPECT_TRUE(has_walls && has_none);
}

}  // namespace
}  // namespace d2q37
