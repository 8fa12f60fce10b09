#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/unit/d2q9/lattice.hpp"

namespace d2q9 {
namespace {

using namespace test;
using ladder::test::contains;
using ladder::test::Folder;
using ladder::test::input_error;

constexpr const char* parameters = "5\n4\n100\n10\n0.1\n0.005\n1.85\n";

class Files : public testing::Test {
 protected:
  Case read(std::string_view params, std::string_view obstacles) {
    return Model::read_case(
        std::array<std::string, 2>{folder_.write("input.params", params), folder_.write("obstacles.dat", obstacles)});
  }
  std::string error(std::string_view params, std::string_view obstacles) {
    return input_error([&] { read(params, obstacles); });
  }
  Folder folder_;
};

TEST_F(Files, GiveTheParametersInOrder) {
  const Case c = read(parameters, "");
  EXPECT_EQ(c.nx, 5);
  EXPECT_EQ(c.ny, 4);
  EXPECT_EQ(c.steps, 100);
  EXPECT_EQ(c.reynolds_dim, 10);
  EXPECT_EQ(c.density, 0.1);
  EXPECT_EQ(c.accel, 0.005);
  EXPECT_EQ(c.omega, 1.85);
  EXPECT_EQ(c.name, "input");
  EXPECT_FALSE(c.is_seeded);
}

TEST_F(Files, GiveTheObstacles) {
  const Case c = read(parameters, "0 0 1\n4 3 1\n1 2 1\n");
  EXPECT_EQ(c.fluid_cells(), 17);
  EXPECT_TRUE(is_solid(c, 0, 0));
  EXPECT_TRUE(is_solid(c, 4, 3));
  EXPECT_TRUE(is_solid(c, 1, 2));
  EXPECT_FALSE(is_solid(c, 2, 1));
}

TEST_F(Files, MayNameAnObstacleTwice) { EXPECT_EQ(read(parameters, "0 0 1\n0 0 1\n").fluid_cells(), 19); }

TEST_F(Files, MayHoldOtherLineEndsBlanksAndBlankLines) {
  const Case unix_file = read(parameters, "0 0 1\n4 3 1\n");
  const Case other = read("5\r\n4\r\n\r\n 100\t\r\n10\r\n0.1\r\n0.005\r\n1.85", "\t0\t0  1\r\n\r\n 4 3 1 \r\n\r\n\r\n");
  EXPECT_EQ(other.nx, unix_file.nx);
  EXPECT_EQ(other.steps, unix_file.steps);
  EXPECT_EQ(other.omega, unix_file.omega);
  EXPECT_EQ(other.solid, unix_file.solid);
}

TEST_F(Files, MayHoldWhatFscanfTakes) {
  const Case c = read("+5 4\n0100 10 .1\n5.e-3 0x1.8p0", "0 0 1 +4 03 1 1\n2\n\n1");
  EXPECT_EQ(c.nx, 5);
  EXPECT_EQ(c.ny, 4);
  EXPECT_EQ(c.steps, 100);
  EXPECT_EQ(c.reynolds_dim, 10);
  EXPECT_EQ(c.density, 0.1);
  EXPECT_EQ(c.accel, 0.005);
  EXPECT_EQ(c.omega, 1.5);
  EXPECT_EQ(c.solid, read(parameters, "0 0 1\n4 3 1\n1 2 1\n").solid);
  EXPECT_TRUE(contains(error("5 4\n100 10 0.1\n0.005 1.85 7", ""), "input.params:3: '7' is one value too many"));
  EXPECT_TRUE(contains(error(parameters, "0 0 1 1 2\n\n0"), "obstacles.dat:3: the flag is 0; accepted: 1"));
}

TEST_F(Files, AreShownAsWhatTheyAre) {
  EXPECT_TRUE(contains(error(std::string_view("5\0\n4\n", 5), ""), R"(input.params:1: nx is '5\x00'; accepted: )"));
  EXPECT_TRUE(contains(error("\x1b[2J\n", ""), R"(nx is '\x1b[2J')"));
  EXPECT_TRUE(contains(error(parameters, "0 \xC2\xA0 1\n"), R"(obstacles.dat:1: y is '\xc2\xa0')"));
  for (const std::string_view mark : {std::string_view("\xFF\xFE\x35\0", 4), std::string_view("\xFE\xFF\0\x35", 4)})
    EXPECT_TRUE(contains(error(mark, ""), "input.params: is text in UTF-16; accepted: UTF-8"));
  EXPECT_EQ(read("\xEF\xBB\xBF" + std::string(parameters), "").nx, 5);
}

TEST_F(Files, AreNamedInAShortMessageHoweverLongTheyAre) {
  const std::string message = error(std::string(1'000'000, '5') + "\n", "");
  EXPECT_TRUE(contains(message, "input.params:1: nx is '5555"));
  EXPECT_TRUE(contains(message, "… (1000000 bytes)"));
  EXPECT_LT(message.size(), 300u);
}

TEST_F(Files, MayNotBeEndless) {
  const auto obstacles = folder_.write("obstacles.dat", "");
  EXPECT_TRUE(contains(input_error([&] {
                         Model::read_case(std::array<std::string, 2>{"/dev/zero", obstacles});
                       }),
                       "/dev/zero: holds more than 1048576 bytes"));
  const auto params = folder_.write("input.params", parameters);
  EXPECT_TRUE(contains(input_error([&] {
                         Model::read_case(std::array<std::string, 2>{params, "/dev/zero"});
                       }),
                       "/dev/zero: holds more than "));
}

TEST_F(Files, NameTheLineThatIsWrong) {
  EXPECT_TRUE(contains(error("5\n\n4\nmany\n10\n0.1\n0.005\n1.85\n", ""), "input.params:4: steps is 'many'"))
      << "blank lines count";
  EXPECT_TRUE(contains(error(parameters, "0 0 1\n\n5 0 1\n"),
                       "obstacles.dat:3: x is 5; accepted: an integer from 0 to 4, inside the grid"));
}

TEST_F(Files, CarryAGeneratedCaseThereAndBack) {
  const Case c = Model::make_case("porous-17x13");
  std::ostringstream params;
  params << c.nx << '\n' << c.ny << '\n' << c.steps << '\n' << c.reynolds_dim << '\n';
  params << c.density << '\n' << c.accel << '\n' << c.omega << '\n';
  std::ostringstream obstacles;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      if (is_solid(c, x, y)) obstacles << x << ' ' << y << " 1\n";
  const Case back = read(params.str(), obstacles.str());
  EXPECT_EQ(back.solid, c.solid);
  EXPECT_EQ(back.steps, c.steps);
  EXPECT_EQ(back.reynolds_dim, c.reynolds_dim);
  EXPECT_EQ(back.density, c.density);
  EXPECT_EQ(back.accel, c.accel);
  EXPECT_EQ(back.omega, c.omega);

  Reference generated(c);
  Reference read_again(back);
  generated.advance(20);
  read_again.advance(20);
  EXPECT_TRUE(std::ranges::equal(generated.history(), read_again.history()));
}

class Results : public testing::Test {
 protected:
  Results() : c_(Model::make_case("box-6x5")), lattice_(c_), state_(q, {{}, c_.grid()}) {
    lattice_.advance(12);
    lattice_.store(state_);
    Model::write_results(c_, state_, lattice_.history(), folder_.path());
  }
  Folder folder_;
  Case c_;
  Reference lattice_;
  ladder::Populations state_;
};

TEST_F(Results, AreTwoFiles) { EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"av_vels.dat", "final_state.dat"})); }

TEST_F(Results, HoldTheAverageSpeedOfEachStepCountedFromZero) {
  std::istringstream lines(folder_.read("av_vels.dat"));
  const std::regex format(R"((\d+):\t(\d\.\d{12}E[+-]\d\d))");
  int step = 0;
  for (std::string line; std::getline(lines, line); ++step) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, format)) << line;
    EXPECT_EQ(std::stoi(match[1]), step);
    EXPECT_NEAR(std::stod(match[2]), lattice_.history()[step], 1e-12 * lattice_.history()[step]);
  }
  EXPECT_EQ(step, 12);
}

TEST_F(Results, HoldTheFinalStateRowByRow) {
  std::istringstream lines(folder_.read("final_state.dat"));
  const std::string number = R"((-?\d\.\d{12}E[+-]\d\d))";
  const std::regex format("(\\d+) (\\d+) " + number + " " + number + " " + number + " " + number + " ([01])");
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, format)) << line;
    const int x = n % c_.nx;
    const int y = n / c_.nx;
    EXPECT_EQ(std::stoi(match[1]), x) << "x is the inner index";
    EXPECT_EQ(std::stoi(match[2]), y) << "y is the outer index";
    const bool solid = is_solid(c_, x, y);
    EXPECT_EQ(match[7].str(), solid ? "1" : "0");
    const auto [density, ux, uy, excess] = at(lattice_, x, y);
    EXPECT_NEAR(std::stod(match[3]), solid ? 0 : ux, 1e-12 * std::abs(ux));
    EXPECT_NEAR(std::stod(match[4]), solid ? 0 : uy, 1e-12 * std::abs(uy));
    EXPECT_NEAR(std::stod(match[5]), solid ? 0 : std::hypot(ux, uy), 1e-12 * std::hypot(ux, uy));
    EXPECT_NEAR(std::stod(match[6]), (solid ? c_.density : density) / 3, 1e-13);
  }
  EXPECT_EQ(n, c_.cells());
}

TEST_F(Results, AreSummedUpByTheReynoldsNumber) {
  const std::string summary = Model::summary(c_, {}, lattice_.history());
  std::smatch match;
  ASSERT_TRUE(std::regex_search(summary, match, std::regex(R"(Reynolds number:\s*(\S+))"))) << summary;
  const double expected = reynolds_number(c_, lattice_.history().back());
  EXPECT_NEAR(std::stod(match[1]), expected, 1e-12 * expected);
}

}  // namespace
}  // namespace d2q9
