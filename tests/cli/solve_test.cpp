// `solve` reads real input and writes the documented files; it refuses every malformed input without writing anything.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <numbers>
#include <ostream>
#include <regex>
#include <sstream>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/output.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* params = "8\n6\n5\n4\n0.1\n0.005\n1.85\n";
constexpr const char* obstacles = "0 0 1\n3 2 1\n7 5 1\n";

class Solve : public testing::Test {
 protected:
  explicit Solve(const std::vector<fs::path>& more = {}) : on(more) {}

  Installation on;

  std::vector<std::string> arguments(const std::string& more = "") const {
    std::vector<std::string> all = {"solve", skeleton, "--params", on.path("in.params"), "--obstacles", on.path("obst.dat")};
    all.insert(all.end(), {"--out", on.path("out")});
    if (!more.empty()) all.insert(all.end(), {"--set", more});
    return all;
  }

  /// Expects exit code 2, a message with all `parts`, and no new files.
  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.end, ProcessResult::End::exited);
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_EQ(result.out, "");
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }

  /// Expects exit code 1, a message with all `parts` that names the step and the cell, and no new files.
  void expect_diverged(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_check_failed) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(std::regex_search(result.err,
                                  std::regex(R"(: step \d+: .* cell \(\d+, \d+, \d+\) .* \(nothing was wrong at step \d+\);)")))
        << result.err;
    EXPECT_TRUE(contains(result.err, "the flow is unstable, nothing is written (accepted: "));
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }

  void input(const std::string& params_text, const std::string& obstacles_text) const {
    on.work().write("in.params", params_text);
    on.work().write("obst.dat", obstacles_text);
  }
};

TEST_F(Solve, WritesTheDocumentedFilesAndPrintsTheReynoldsNumber) {
  input(params, obstacles);
  const ProcessResult result = on.ladder(arguments());
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(std::regex_search(result.out, std::regex(R"(Reynolds number: \d\.\d{12}E[+-]\d\d\n)"))) << result.out;
  EXPECT_EQ(on.work().listing(),
            (std::vector<std::string>{"in.params", "obst.dat", "out", "out/av_vels.dat", "out/final_state.dat"}));

  const auto speeds = lines(on.work().read("out/av_vels.dat"));
  ASSERT_EQ(speeds.size(), 5u);
  for (std::size_t step = 0; step < speeds.size(); ++step)
    EXPECT_TRUE(std::regex_match(speeds[step], std::regex(std::to_string(step) + R"(:\t\d\.\d{12}E[+-]\d\d)"))) << speeds[step];

  const auto cells = lines(on.work().read("out/final_state.dat"));
  ASSERT_EQ(cells.size(), 48u);
  const std::string number = R"( -?\d\.\d{12}E[+-]\d\d)";
  for (int cell = 0; cell < 48; ++cell) {
    const int x = cell % 8;
    const int y = cell / 8;
    const bool solid = (x == 0 && y == 0) || (x == 3 && y == 2) || (x == 7 && y == 5);
    const std::string expected = std::to_string(x) + " " + std::to_string(y) + number + number + number + number;
    EXPECT_TRUE(std::regex_match(cells[cell], std::regex(expected + (solid ? " 1" : " 0")))) << cells[cell];
  }
}

class SolveInProcesses : public Solve {
 protected:
  SolveInProcesses() : Solve(fs::exists(strips_path()) ? std::vector{strips_path()} : std::vector<fs::path>{}) {}

  static fs::path strips_path() { return fs::path(LADDER_BIN) / "rungs" / strips / "default"; }

  /// Solves in as many processes; returns the files, by name.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& processes) {
    const std::string folder = on.path("in" + processes);
    const ProcessResult result =
        on.ladder({"solve", strips, "--placement", "processes=" + processes + ";threads=1", "--launcher", launcher, "--case",
                   "porous-37x23", "--steps", "90", "--every", "40", "--precision", "f64", "--out", folder});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(contains(result.out, "MLUPS, 90 steps in ")) << result.out;
    std::map<std::string, std::string> all;
    for (const char* name : {"final_state.dat", "av_vels.dat", "series.csv"})
      all[name] = read_whole(folder + "/" + name);
    return all;
  }

  static constexpr const char* strips = "d2q9/mpi/01_messages";
  static constexpr const char* launcher = "mpirun --allow-run-as-root --oversubscribe --bind-to none -n {processes}";
};

TEST_F(SolveInProcesses, WritesTheSameFiles) {
  if (!fs::exists(strips_path())) GTEST_SKIP() << "no MPI";
  const auto alone = files("1"), both = files("2");
  for (const auto& [name, text] : alone) {
    std::istringstream one(text), other(both.at(name));
    std::string word, same;
    while (one >> word) {
      ASSERT_TRUE(other >> same) << name;
      double x = 0, y = 0;
      if (std::sscanf(word.c_str(), "%lf", &x) == 1 && std::sscanf(same.c_str(), "%lf", &y) == 1)
        EXPECT_NEAR(x, y, 1e-9) << name;
      else
        EXPECT_EQ(word, same) << name;
    }
    EXPECT_FALSE(other >> same) << name;
  }
}

TEST_F(SolveInProcesses, RefusesWrongPlacements) {
  expect_refused({"solve", skeleton, "--placement", "processes=2", "--case", "box-16", "--out", on.path("out")},
                 {"processes=2", "accepted"});
  expect_refused({"solve", skeleton, "--launcher", launcher, "--case", "box-16", "--out", on.path("out")},
                 {"needs --placement"});
}

TEST_F(Solve, PrintsItsSpeedAndTheFilesThatItHasWritten) {
  input(params, obstacles);
  auto words = arguments();
  words.insert(words.end(), {"--every", "2"});
  const ProcessResult result = on.ladder(words);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(std::regex_search(result.out, std::regex(R"(speed: [0-9.]+ MLUPS, 5 steps in [0-9.e-]+ s\n)"))) << result.out;
  EXPECT_TRUE(result.out.ends_with("\nfiles: " + on.path("out/av_vels.dat") + " " + on.path("out/final_state.dat") + " " +
                                   on.path("out/series.csv") + "\n"))
      << result.out;
  EXPECT_EQ(result.err, "") << "a run that takes less than a second shows no progress";
}

TEST_F(Solve, ShowsItsProgressOnStandardError) {
  const auto solve = [&](const std::string& steps) {
    return on.ladder({"solve", skeleton, "--case", "box-128", "--steps", steps, "--out", on.path("out")});
  };
  std::smatch found;
  const std::string trial = solve("200").out;
  ASSERT_TRUE(std::regex_search(trial, found, std::regex(R"(200 steps in ([0-9.]+) s\n)"))) << trial;
  const std::string steps = std::to_string(static_cast<int>(4 * 200 / std::stod(found[1])));
  const ProcessResult result = solve(steps);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(
      std::regex_search(result.err, std::regex("^solve \\d+/" + steps + R"( steps done, [0-9.]+ MLUPS, [^\n]+ left\n)")))
      << result.err;
  EXPECT_FALSE(contains(result.out, "left"));
}

TEST_F(Solve, SaysTheSameOfTheSameInputWithOtherBlanks) {
  input(params, obstacles);
  ASSERT_EQ(on.ladder(arguments()).code, exit_ok);
  const std::string speeds = on.work().read("out/av_vels.dat");
  const std::string state = on.work().read("out/final_state.dat");
  const std::vector<std::pair<std::string, std::string>> variants = {
      {"8\r\n6\r\n5\r\n4\r\n0.1\r\n0.005\r\n1.85\r\n", "0 0 1\r\n3 2 1\r\n7 5 1\r\n"},   // CRLF
      {"8\n6\n5\n4\n0.1\n0.005\n1.85\n\n \n\t\n", "0 0 1\n3 2 1\n7 5 1\n\n  \n\n"},      // blank lines at the end
      {"\t8\n6\t\n5\n4\n\t0.1\n0.005\n1.85\n", "0\t0\t1\n\t3 2\t 1\t\n7  5\t1\n"},       // tabs
      {"8\n6\n5\n4\n1e-1\n5e-3\n1.85", "0 0 1\n3 2 1\n7 5 1"},                           // no line break at the end
      {"8 6 5 4\n.1 0.005 1.85\n", "0 0 1 3 2\n1\n7 5 1\n"},                             // any number of values per line
      {"+8\n06\n+5\n4\n+0.1\n5.e-3\n0x1.d99999999999ap0\n", "0 0 +1\n3 02 1\n7 5 1\n"},  // number formats that fscanf accepts
  };
  for (const auto& [p, o] : variants) {
    fs::remove_all(on.path("out"));
    input(p, o);
    const ProcessResult result = on.ladder(arguments());
    ASSERT_EQ(result.code, exit_ok) << result.err;
    EXPECT_EQ(on.work().read("out/av_vels.dat"), speeds) << p << o;
    EXPECT_EQ(on.work().read("out/final_state.dat"), state) << p << o;
  }
}

TEST_F(Solve, RefusesMissingAndUnreadableFiles) {
  expect_refused(arguments(), {"in.params: no such file"});
  on.work().write("in.params", params);
  expect_refused(arguments(), {"obst.dat: no such file"});
  fs::create_directory(on.path("obst.dat"));
  expect_refused(arguments(), {"obst.dat: is a folder"});
  fs::remove(on.path("in.params"));
  fs::create_directory(on.path("in.params"));
  expect_refused(arguments(), {"in.params: is a folder"});
}

/// A pair of files with one mistake, and a part of the error message.
struct BadFile {
  std::string name, params, obstacles;
  std::vector<std::string> message;

  friend void PrintTo(const BadFile& file, std::ostream* out) { *out << file.name; }
};

class SolveBadFile : public Solve, public testing::WithParamInterface<BadFile> {};

TEST_P(SolveBadFile, IsRefusedWithFileLineAndValue) {
  input(GetParam().params, GetParam().obstacles);
  expect_refused(arguments(), GetParam().message);
}

TEST_P(SolveBadFile, IsRefusedByTheRungItself) {
  input(GetParam().params, GetParam().obstacles);
  auto words = arguments();
  words.erase(words.begin() + 1);
  const auto before = on.work().listing();
  const ProcessResult result = on.rung(skeleton, words);
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, GetParam().message[0]));
  EXPECT_EQ(on.work().listing(), before);
}

std::string params_with(int line, const std::string& value) {
  auto all = lines(params);
  all[static_cast<std::size_t>(line - 1)] = value;
  std::string text;
  for (const auto& one : all)
    text += one + "\n";
  return text;
}

std::vector<BadFile> bad_files() {
  std::vector<BadFile> all;
  const auto bad_value = [&](const std::string& name, int line, const std::string& value, const std::string& quoted) {
    all.push_back(
        {name, params_with(line, value), obstacles, {"in.params:" + std::to_string(line) + ":", quoted, "accepted: "}});
  };
  all.push_back({"EmptyParams", "", obstacles, {"in.params:1:", "'nx' is missing", "an integer from 3"}});
  all.push_back({"TooFewValues", "8\n6\n5\n4\n0.1\n0.005\n", obstacles, {"in.params:7:", "'omega' is missing"}});
  all.push_back({"TooManyValues", std::string(params) + "9\n", obstacles, {"in.params:8:", "'9'", "accepted: 7 values"}});
  bad_value("TextForNx", 1, "wide", "nx is 'wide'");
  bad_value("TextAfterNy", 2, "6x", "ny is '6x'");
  bad_value("FractionForSteps", 3, "5.5", "steps is '5.5'");
  bad_value("TextForDensity", 5, "0,1", "density is '0,1'");
  bad_value("HexadecimalNx", 1, "0x10", "nx is '0x10'");
  bad_value("ZeroNx", 1, "0", "nx is 0");
  bad_value("NegativeNy", 2, "-6", "ny is -6");
  bad_value("HugeNx", 1, "99999999999", "nx is 99999999999");
  bad_value("ZeroSteps", 3, "0", "steps is 0");
  bad_value("MoreStepsThanANumberHolds", 3, "9223372036854775807", "steps is 9223372036854775807");
  bad_value("NegativeSteps", 3, "-1", "steps is -1");
  bad_value("ZeroReynoldsDimension", 4, "0", "reynolds_dim is 0");
  bad_value("ZeroDensity", 5, "0", "density is 0");
  bad_value("NegativeAccel", 6, "-0.1", "accel is -0.1");
  bad_value("OmegaZero", 7, "0", "omega is 0");
  bad_value("OmegaNegative", 7, "-1", "omega is -1");
  bad_value("OmegaTwo", 7, "2", "omega is 2");
  bad_value("OmegaAboveTwo", 7, "2.0001", "omega is 2.0001");
  for (const auto& [name, line] : {std::pair{"Density", 5}, {"Accel", 6}, {"Omega", 7}})
    for (const auto& [kind, value] : {std::pair{"Nan", "nan"}, {"Infinite", "inf"}, {"Overflowing", "1e999"}})
      bad_value(std::string(kind) + name, line, value, std::string("'") + value + "'");
  all.push_back({"SizesBeyondMemory",
                 "2147483647\n2147483647\n5\n4\n0.1\n0.005\n1.85\n",
                 obstacles,
                 {"in.params", "2147483647x2147483647", "memory"}});
  all.push_back(
      {"GridBeyondMemory", "1000000\n1000000\n5\n4\n0.1\n0.005\n1.85\n", obstacles, {"in.params", "1000000x1000000"}});
  all.push_back({"StepsBeyondMemory", params_with(3, "1000000000000000"), obstacles, {"1000000000000000 steps", "memory"}});

  const auto bad_line = [&](const std::string& name, const std::string& line, const std::string& quoted) {
    all.push_back({name, params, "0 0 1\n" + line + "\n", {"obst.dat:2:", quoted, "accepted: "}});
  };
  bad_line("ObstacleLeftOfTheGrid", "-1 2 1", "x is -1");
  bad_line("ObstacleRightOfTheGrid", "8 2 1", "x is 8");
  bad_line("ObstacleAboveTheGrid", "2 6 1", "y is 6");
  bad_line("ObstacleFarAway", "99999999999 2 1", "x is 99999999999");
  bad_line("ObstacleBeyondNumbers", "99999999999999999999 2 1", "x is '99999999999999999999'");
  bad_line("FlagZero", "2 2 0", "flag is 0");
  bad_line("FlagTwo", "2 2 2", "flag is 2");
  bad_line("FlagText", "2 2 solid", "flag is 'solid'");
  all.push_back({"ObstacleOfTwoValues", params, "0 0 1\n2 2\n", {"obst.dat:3:", "the file ends, but the flag is missing"}});
  all.push_back({"ObstacleOfFourValues", params, "0 0 1\n2 2 1 1\n", {"obst.dat:3:", "the file ends, but y is missing"}});
  bad_line("ObstacleText", "x 2 1", "x is 'x'");
  bad_line("ObstacleNan", "2 nan 1", "y is 'nan'");
  bad_line("ObstacleFraction", "2.5 2 1", "x is '2.5'");
  std::string everywhere;
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 8; ++x)
      everywhere += std::to_string(x) + " " + std::to_string(y) + " 1\n";
  all.push_back({"AllSolid", params, everywhere, {"obst.dat", "every cell is solid"}});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Solve, SolveBadFile, testing::ValuesIn(bad_files()), [](const auto& i) { return i.param.name; });

TEST_F(Solve, RefusesAFolderThatCannotBeWritten) {
  input(params, obstacles);
  on.work().write("out", "a file");
  expect_refused(arguments(), {on.path("out"), "cannot be made a folder"});
  EXPECT_EQ(on.work().read("out"), "a file");
  auto words = arguments();
  words.back() = on.path("out/below/a/file");
  expect_refused(words, {on.path("out/below/a/file"), "cannot be made a folder"});
  words.back() = on.path(std::string(300, 'a'));
  expect_refused(words, {"cannot be made a folder", "File name too long"});
}

TEST_F(Solve, SaysThatAFileMayNotGrow) {
  const ProcessResult result =
      on.shell(std::string("ulimit -f 1; exec \"$LADDER\" solve ") + skeleton + " --case box-64 --steps 2 --out out");
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "cannot be written: File too large"));
  EXPECT_EQ(on.work().listing(), std::vector<std::string>{});
}

TEST_F(Solve, RefusesAFolderInPlaceOfAResultAndKeepsTheOldResult) {
  input(params, obstacles);
  fs::create_directories(on.path("out/final_state.dat"));
  on.work().write("out/av_vels.dat", "old");
  expect_refused(arguments(), {on.path("out/final_state.dat"), "is a folder"});
  EXPECT_EQ(on.work().read("out/av_vels.dat"), "old");
}

TEST_F(Solve, RefusesAFolderThatAnotherProcessIsWritingTo) {
  input(params, obstacles);
  on.work().write("more.params", "8\n6\n7\n4\n0.1\n0.005\n1.85\n");
  ASSERT_EQ(on.ladder(arguments()).code, exit_ok);
  const std::string speeds = on.work().read("out/av_vels.dat");
  auto words = arguments();
  words[3] = on.path("more.params");
  {
    const OutputFolder mine(on.path("out"), {});
    expect_refused(words, {on.path("out") + ": another process (process " + std::to_string(getpid()) + ") is writing"});
    EXPECT_EQ(on.work().read("out/av_vels.dat"), speeds);
  }
  EXPECT_EQ(on.ladder(words).code, exit_ok);
  EXPECT_NE(on.work().read("out/av_vels.dat"), speeds);
}

TEST_F(Solve, RefusesAFlowThatBlowsUp) {
  input("8\n6\n400\n4\n0.1\n0.1\n1.999\n", obstacles);
  expect_diverged(arguments(), {"in: step "});
}

TEST_F(Solve, RefusesUnknownNames) {
  input(params, obstacles);
  auto words = arguments();
  words[1] = "d2q9/serial/01_skeletom";
  expect_refused(words, {"unknown rung 'd2q9/serial/01_skeletom'", "'d2q9/serial/01_skeleton'"});

  expect_refused(arguments("wx=8"), {"unknown tunable 'wx'", "this rung has none"});
  expect_refused(arguments("wx"), {"'wx'", "name=value"});

  words = arguments();
  words.insert(words.end(), {"--precision", "f15"});
  expect_refused(words, {"precision 'f15'", "f32, f64 and f16"});

  words = arguments();
  words.insert(words.end(), {"--stepz", "3"});
  expect_refused(words, {"--stepz"});

  expect_refused({"solve", skeleton, "--case", "bax-128", "--out", on.path("out")}, {"unknown case 'bax-128'", "'box-128'"});
  expect_refused({"solve", skeleton, "--case", "box-2", "--out", on.path("out")}, {"case 'box-2'", "'2'", "from 3"});
  expect_refused({"solve", skeleton, "--case", "box-12y4", "--out", on.path("out")}, {"case 'box-12y4'", "'12y4'"});
  expect_refused({"solve", skeleton, "--case", "box-4000000000", "--out", on.path("out")}, {"'4000000000'"});
  expect_refused({"solve", skeleton, "--case", "box-1000000", "--out", on.path("out")}, {"case 'box-1000000'", "memory"});
}

TEST_F(Solve, RefusesIncompleteAndContradictoryOptions) {
  input(params, obstacles);
  expect_refused({"solve", skeleton, "--params", on.path("in.params"), "--out", on.path("out")}, {"--obstacles", "missing"});
  expect_refused({"solve", skeleton, "--params", on.path("in.params"), "--obstacles", on.path("obst.dat")}, {"--out"});
  auto words = arguments();
  words.insert(words.end(), {"--case", "box-9"});
  expect_refused(words, {"--case", "excludes"});
  for (const std::string steps : {"0", "-3", "many", "1e3"}) {
    words = arguments();
    words.insert(words.end(), {"--steps", steps});
    expect_refused(words, {"--steps", steps});
  }
}

TEST_F(Solve, RefusesTunablesThatTheRungDoesNotDeclare) {
  const std::vector<std::string> words = {"solve", tuned, "--case", "box-9", "--steps", "2", "--out", on.path("out"), "--set"};
  const auto with = [&](const std::string& setting) {
    auto all = words;
    all.push_back(setting);
    return all;
  };
  expect_refused(with("wz=8"), {"unknown tunable 'wz'", "wx, wy"});
  expect_refused(with("wx=3"), {"'3' is not a value of wx", "1, 2, 4, 8"});
  expect_refused(with("wx=many"), {"'many' is not a value of wx"});
  expect_refused(with("wx="), {"wx"});
}

TEST_F(Solve, RefusesATuningThatViolatesAConstraint) {
  expect_refused(
      {"solve", tuned, "--case", "box-9", "--steps", "2", "--out", on.path("out"), "--set", "wx=128", "--set", "wy=128"},
      {"wx=128;wy=128", "wx * wy <= 4096", "work-group"});
}

TEST_F(Solve, SaysThatStandardOutputCannotBeWritten) {
  const std::string bin = LADDER_BIN;
  const std::string rung = bin + "/rungs/" + skeleton + "/default ", ceilings = bin + "/ceilings/openmp ";
  for (const auto& command :
       {rung + "describe", rung + "probe", rung + "case --case box-9", rung + "check --case box-9 --steps 2",
        rung + "measure --case box-9 --steps 2", rung + "solve --case box-9 --steps 2 --out " + on.path("out"),
        "echo '[\"probe\"]' | " + rung + "serve", ceilings + "describe", bin + "/backends/serial probe"}) {
    const ProcessResult result = run_process("/bin/sh", {"-c", command + " > /dev/full"}, 60);
    EXPECT_EQ(result.code, exit_bad_input) << command;
    EXPECT_EQ(result.err, "standard output cannot be written (is the disk full?)\n") << command;
  }
}

constexpr const char* vortex = "d3q27/openmp/05_streaming";

/// Another model, with one input file and one output file.
class SolveTheVortex : public Solve {
 protected:
  SolveTheVortex() : Solve({fs::path(LADDER_BIN) / "rungs" / vortex / "default"}) {}

  std::vector<std::string> of(const std::string& params_text, const std::string& precision = "f64") const {
    on.work().write("box.params", params_text);
    return {"solve", vortex, "--params", on.path("box.params"), "--precision", precision, "--out", on.path("out")};
  }
};

TEST_F(SolveTheVortex, WritesItsStateAndPrintsItsEnergyBesideTheExactOne) {
  const ProcessResult result = on.ladder(of("8\n6\n5\n4\n0.8\n0.02\n"));
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "case: box (8x6x5), 4 steps\n"));
  const std::regex number(R"(kinetic energy: (\S+)\nof the vortex: (\S+)\nerror of the velocity: (\S+)\n)");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(result.out, found, number)) << result.out;
  EXPECT_NEAR(std::stod(found[1]) / std::stod(found[2]), 1, 0.3) << "a coarse box";
  EXPECT_LT(std::stod(found[3]), 0.2);
  EXPECT_EQ(on.work().listing(), (std::vector<std::string>{"box.params", "out", "out/final_state.dat"}));
  const auto cells = lines(on.work().read("out/final_state.dat"));
  ASSERT_EQ(cells.size(), 241u);
  EXPECT_EQ(cells[0], "x y z ux uy uz density");
  EXPECT_TRUE(cells[1].starts_with("0 0 0 ")) << cells[1];
  EXPECT_TRUE(cells[2].starts_with("1 0 0 ")) << cells[2];
  EXPECT_TRUE(cells[240].starts_with("7 5 4 ")) << cells[240];
}

TEST_F(SolveTheVortex, RefusesWhatNoRunCanBeRight) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    const auto words = of(text);
    expect_refused(words, parts);
  };
  refused("2\n6\n5\n4\n0.8\n0.02\n", {"box.params:1: nx is 2", "3 to 65535"});
  refused("8\n6\n5\n4\n0.5\n0.02\n", {"box.params:5: tau is 0.5", "above 1/2"});
  refused("8\n6\n5\n4\n0.8\nnan\n", {"box.params:6: ", "nan"});
  const auto unstable = of("8\n6\n5\n4000\n0.5001\n0.5\n");
  expect_diverged(unstable, {"a larger tau"});
  refused("65535\n65535\n65535\n1\n0.8\n0.02\n", {"65535x65535x65535", "of memory"});
}

TEST_F(SolveTheVortex, DrawsAPlaneOfIt) {
  const ProcessResult result =
      run_process(fs::path(LADDER_BIN) / "rungs" / vortex / "default",
                  {"picture", "--case", "tgv-12x8x3", "--steps", "5", "--out", on.path("picture.csv")}, 60);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  using Words = std::vector<std::string>;
  for (const Words& steps : {Words{"4", "2"}, Words{"2"}}) {
    Words words = {"picture", "--case", "tgv-12x8x3", "--out", on.path("a.csv"), "--out", on.path("b.csv")};
    for (const auto& n : steps)
      words.insert(words.end(), {"--steps", n});
    const ProcessResult refused = run_process(fs::path(LADDER_BIN) / "rungs" / vortex / "default", words, 60);
    EXPECT_EQ(refused.code, exit_bad_input);
    EXPECT_TRUE(contains(refused.err, "accepted are ascending steps with a file each")) << refused.err;
  }
  const auto sites = lines(on.work().read("picture.csv"));
  ASSERT_EQ(sites.size(), 1u + 12 * 8);
  EXPECT_EQ(sites[0], "x,y,speed,solid");
  const auto speed = [&](std::size_t x, std::size_t y) {
    std::smatch found;
    const std::string& site = sites[1 + 12 * y + x];
    EXPECT_TRUE(std::regex_match(site, found, std::regex(fmt::format("{},{},([^,]+),0", x, y)))) << site;
    return std::stod(found[1]);
  };
  EXPECT_LT(speed(0, 0), 1e-6) << "the vortex is at rest in its centre";
  EXPECT_GT(speed(3, 0), 0.01);
}

/// The files of the model d2q37 that reports draw.
class GasFiles : public testing::Test {
 protected:
  /// The lines of the file that a command writes, as values, without the header.
  std::vector<std::vector<double>> numbers(std::vector<std::string> words, const std::string& header) {
    words.insert(words.end(), {"--out", on.path("gas.csv")});
    const ProcessResult result = run_process(fs::path(LADDER_BIN) / "rungs" / gas / "default", words, 60);
    EXPECT_EQ(result.code, exit_ok) << result.err;
    auto all = lines(on.work().read("gas.csv"));
    EXPECT_EQ(all.at(0), header);
    std::vector<std::vector<double>> values;
    for (std::size_t i = 1; i < all.size(); ++i) {
      auto& of_line = values.emplace_back();
      std::istringstream fields(all[i]);
      for (std::string field; std::getline(fields, field, ',');)
        of_line.push_back(std::stod(field));
    }
    return values;
  }

  const std::string gas = "d2q37/serial/01_phases";
  Installation on;
};

// After one step, the wave u = A sin(k y), v = A sin(k x), T = (1 + A cos(k x) cos(k y)) has hardly moved.
TEST_F(GasFiles, HaveTheFieldsOfAWave) {
  constexpr int n = 64;
  const auto sites = numbers({"picture", "--case", "periodic-64x64", "--steps", "1"},
                             "x,y,speed,solid,temperature,kinetic_energy,vorticity,temperature_gradient");
  ASSERT_EQ(sites.size(), std::size_t{n * n});
  constexpr double r = 1.19697977039307435897, amplitude = 0.05;
  const double k = 2 * std::numbers::pi / n;
  for (const auto& site : sites) {
    const double x = k * site[0], y = k * site[1];
    const double u = amplitude * std::sin(y), v = amplitude * std::sin(x);
    const double t = 1 + amplitude * std::cos(x) * std::cos(y);
    const double slope = amplitude * k / r;
    EXPECT_NEAR(site[2], std::hypot(u, v), 0.1 * amplitude);
    EXPECT_NEAR(site[4], t, 0.1 * amplitude);
    EXPECT_NEAR(site[5], (u * u + v * v) / 2 / t, 0.2 * amplitude * amplitude);
    EXPECT_NEAR(site[6], slope * (std::cos(x) - std::cos(y)), 0.2 * slope);
    EXPECT_NEAR(site[7], slope * std::hypot(std::sin(x) * std::cos(y), std::cos(x) * std::sin(y)), 0.2 * slope);
  }
}

TEST_F(GasFiles, HaveTheMeanTemperatureOfEachRow) {
  const auto rows = numbers({"series", "--layers", "--case", "rt2a-8x48", "--points", "2"}, "step,y,density,temperature");
  ASSERT_EQ(rows.size(), 3u * 48);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], 2400 * static_cast<double>(i / 48));
    EXPECT_EQ(rows[i][1], static_cast<double>(i % 48));
  }
  const auto temperature = [&](std::size_t moment, std::size_t y) { return rows[48 * moment + y][3]; };
  EXPECT_NEAR(temperature(0, 0), 1.1, 1e-3);
  EXPECT_NEAR(temperature(0, 24), 0.95, 1e-3) << "the layer between the drops";
  EXPECT_NEAR(temperature(0, 47), 0.9, 1e-3);
  EXPECT_GT(rows[47][2], rows[0][2]) << "the cold gas is denser";
  EXPECT_LT(std::abs(temperature(2, 16) - temperature(2, 15)), std::abs(temperature(0, 16) - temperature(0, 15)))
      << "the drop has become wider";
}

TEST_F(GasFiles, OfOneRunAreThoseOfSeparateRuns) {
  const std::string header = "step,y,density,temperature";
  const auto alone = numbers({"series", "--layers", "--case", "rt2a-8x48", "--points", "2"}, header);
  numbers({"picture", "--case", "rt2a-8x48", "--steps", "1200", "--out", on.path("half.csv"), "--steps", "4800", "--points",
           "2", "--layers", on.path("layers.csv"), "--series", on.path("series.csv")},
          "x,y,speed,solid,temperature,kinetic_energy,vorticity,temperature_gradient");
  const auto series = lines(on.work().read("series.csv"));
  ASSERT_EQ(series.size(), 4u);
  EXPECT_EQ(series[0], "step,kinetic_energy,temperature,mixing_height,seconds");
  EXPECT_TRUE(series[2].starts_with("2400,"));
  const auto layers = lines(on.work().read("layers.csv"));
  ASSERT_EQ(layers.size(), 1 + alone.size());
  EXPECT_EQ(layers[0], header);
  for (std::size_t i = 0; i < alone.size(); ++i)
    EXPECT_NEAR(std::stod(layers[i + 1].substr(layers[i + 1].rfind(',') + 1)), alone[i][3], 1e-9);
  EXPECT_EQ(lines(on.work().read("half.csv")).size(), 1u + 8 * 48);
}

TEST_F(GasFiles, AreRefusedWhereAModelHasNoRows) {
  const ProcessResult result = run_process(fs::path(LADDER_BIN) / "rungs" / "d2q9/serial/01_skeleton" / "default",
                                           {"series", "--layers", "--case", "box-16", "--out", on.path("t.csv")}, 60);
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "the model d2q9 has no row means")) << result.err;
}

constexpr const char* tunnel = "d3q19/openmp/06_inplace";

class OpenBoundaries : public Solve {
 protected:
  OpenBoundaries() : Solve({fs::path(LADDER_BIN) / "rungs" / tunnel / "default"}) {}
};

TEST_F(OpenBoundaries, AreRefusedByRungsThatDoNotKnowThem) {
  const fs::path rung = fs::path(LADDER_BIN) / "rungs" / tunnel / "default";
  for (const char* name : {"inflow20-24x20x20", "open100-24x24x24"}) {
    expect_refused({"solve", tunnel, "--case", name, "--out", on.path("out")},
                   {"this rung does not accept cases with open boundaries"});
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"check", "--steps", "1"}, {"measure", "--min-time", "0.001"}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--case", name});
      const ProcessResult result = run_process(rung, words, 60);
      EXPECT_EQ(result.code, exit_bad_input) << command.front();
      EXPECT_TRUE(contains(result.err, "this rung does not accept cases with open boundaries")) << result.err;
    }
  }
}

/// A sphere at a Reynolds number of 100 is unstable with only 6 cells across.
class DivergingFlow : public Solve {
 protected:
  DivergingFlow() : Solve({fs::path(LADDER_BIN) / "rungs" / tunnel / "default"}) {}

  /// Expects that the rung itself refuses this command with `words`, and returns the message.
  std::string refused(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, {"--case", "sphere100-24x24x24"});
    const ProcessResult result = run_process(fs::path(LADDER_BIN) / "rungs" / tunnel / "default", words, 60);
    EXPECT_EQ(result.code, exit_check_failed) << result.err;
    EXPECT_TRUE(std::regex_search(result.err, std::regex(R"(^sphere100-24x24x24: step \d+: .* cell \()"))) << result.err;
    return result.err;
  }
};

TEST_F(DivergingFlow, IsNotWrittenBySolve) {
  const std::vector<std::string> words = {"solve", tunnel, "--case", "sphere100-24x24x24", "--out", on.path("out")};
  expect_diverged(words, {"sphere100-24x24x24: step "});
  std::vector<std::string> more = words;
  more.insert(more.end(), {"--precision", "f64", "--every", "7"});
  expect_diverged(more, {"sphere100-24x24x24: step "});
}

TEST_F(DivergingFlow, IsNotWrittenAsASeriesOrPicture) {
  EXPECT_TRUE(contains(refused({"series", "--points", "8", "--out", on.path("s.csv")}), "nothing is written ("));
  EXPECT_TRUE(
      contains(refused({"picture", "--steps", "10", "--out", on.path("a.csv"), "--steps", "1000", "--out", on.path("b.csv")}),
               "nothing is written of this step and later ones"));
  EXPECT_EQ(on.work().listing(), std::vector<std::string>{"a.csv"});
}

class SolveTheTunnel : public Solve {
 protected:
  SolveTheTunnel() : Solve({fs::path(LADDER_BIN) / "rungs" / tunnel / "default"}) {}
};

TEST_F(SolveTheTunnel, TakesTheAxisThatPointsUp) {
  // A box that is open at its lowest y.
  const std::string mesh = on.work().write("box.obj",
                                           "v 0 0 0\nv 4 0 0\nv 0 2 0\nv 4 2 0\nv 0 0 2\nv 4 0 2\nv 0 2 2\nv 4 2 2\n"
                                           "f 1 5 7 3\nf 2 4 8 6\nf 1 3 4 2\nf 5 6 8 7\nf 3 7 8 4\n");
  const std::string parameters = on.work().write("tunnel.params", "8\n8\n.8\n.05\n");
  std::vector<std::string> words = {"solve",    tunnel,    "--mesh", mesh,    "--params",
                                    parameters, "--steps", "4",      "--out", on.path("out")};
  expect_refused(words, {"are uncertain because it is open", "--up x|y|z"});
  words.insert(words.end(), {"--up", "y"});
  const ProcessResult result = on.ladder(words);
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "10 triangles in an open surface"));
  words.back() = "w";
  EXPECT_EQ(on.ladder(words).code, exit_bad_input);
}

/// A closed box, 4 long along x, 2 wide along y and 1 high along z.
constexpr const char* flat_box =
    "v 0 0 0\nv 4 0 0\nv 0 2 0\nv 4 2 0\nv 0 0 1\nv 4 0 1\nv 0 2 1\nv 4 2 1\n"
    "f 1 5 7 3\nf 2 4 8 6\nf 1 3 4 2\nf 5 6 8 7\nf 3 7 8 4\nf 1 2 6 5\n";

TEST_F(SolveTheTunnel, NamesTheAxesOfTheMesh) {
  const std::string mesh = on.work().write("box.obj", flat_box);
  const std::string parameters = on.work().write("tunnel.params", "8\n8\n.8\n.05\n");
  const auto forces = [&](const std::string& up) {
    const ProcessResult result = on.ladder(
        {"solve", tunnel, "--mesh", mesh, "--params", parameters, "--steps", "4", "--out", on.path("out"), "--up", up});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    std::smatch found;
    const std::regex line(
        R"(force on walls, along the mesh's axes: \S+ (along . \(drag\)), \S+ (along . \(lift\)), \S+ along (.)\n)");
    EXPECT_TRUE(std::regex_search(result.out, found, line)) << result.out;
    return found[1].str() + ", " + found[2].str() + ", " + found[3].str();
  };
  EXPECT_EQ(forces("z"), "along x (drag), along z (lift), y");
  EXPECT_EQ(forces("y"), "along x (drag), along y (lift), z");
  EXPECT_EQ(forces("x"), "along y (drag), along x (lift), z");
  const ProcessResult generated =
      on.ladder({"solve", tunnel, "--case", "sphere20-18x40x40", "--steps", "4", "--out", on.path("out")});
  EXPECT_TRUE(contains(generated.out, "force on walls: ")) << generated.out;
  EXPECT_TRUE(contains(generated.out, " along y (lift)")) << "the lattice's axes, which are those of flow.vti";
}

TEST_F(SolveTheTunnel, PrintsADragCoefficientOnlyOnceItHasSettled) {
  const auto solve = [&](const std::string& steps) {
    return on
        .ladder(
            {"solve", tunnel, "--case", "sphere20-18x40x40", "--steps", steps, "--precision", "f64", "--out", on.path("out")})
        .out;
  };
  const std::string early = solve("40");
  EXPECT_TRUE(std::regex_search(early, std::regex(R"(\nlast drag coefficient: \d+\.\d{6}, frontal area )"))) << early;
  EXPECT_TRUE(contains(early, "\nnot settled: the drag coefficient varied from ")) << early;
  EXPECT_FALSE(contains(early, "\ndrag coefficient")) << early;
  const std::string late = solve("2000");
  EXPECT_TRUE(std::regex_search(late, std::regex(R"(\ndrag coefficient: \d\.\d{6}, frontal area )"))) << late;
  EXPECT_TRUE(std::regex_search(
      late, std::regex(R"(\nsettled: the drag coefficient varied by \S+ % over the last quarter of the run\n)")))
      << late;
}

TEST_F(SolveTheTunnel, PrintsTheErrorOfADuct) {
  const auto solve = [&](const std::string& name) {
    const ProcessResult result = on.ladder({"solve", tunnel, "--case", name, "--precision", "f64", "--out", on.path("out")});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    return result.out;
  };
  const std::string text = solve("duct-28x9x9");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      text, found, std::regex(R"(\nerror of the velocity in the plane x = 21, relative to the analytic series: (\S+)\n)")))
      << text;
  EXPECT_GT(std::stod(found[1]), 0.01);
  EXPECT_LT(std::stod(found[1]), 0.08) << "as in tests/unit/d3q19/flow_test.cpp";
  EXPECT_TRUE(contains(solve("duct-9x9x9"), "the duct is too short for its sides (accepted: 10 cells along x or more)"));
}

TEST_F(SolveTheTunnel, WritesItsFlowInThePrecisionOfTheLattice) {
  for (const auto& [precision, type, bytes] : {std::tuple{"f32", "Float32", 4}, std::tuple{"f64", "Float64", 8}}) {
    const ProcessResult result =
        on.ladder({"solve", tunnel, "--case", "box-8", "--precision", precision, "--steps", "2", "--out", on.path("out")});
    ASSERT_EQ(result.code, exit_ok) << result.err;
    const std::string flow = on.work().read("out/flow.vti");
    for (const std::string name : {"velocity", "density"})
      EXPECT_TRUE(contains(flow, fmt::format("type=\"{}\" Name=\"{}\"", type, name))) << precision;
    const std::size_t data = flow.find("<AppendedData encoding=\"raw\">\n_");
    EXPECT_EQ(flow.size() - data, 31 + 3 * 8 + (4 * bytes + 1) * 512 + std::string("\n  </AppendedData>\n</VTKFile>\n").size());
  }
}

constexpr const char* layers = "d2q37/serial/01_phases";

/// A model whose parameter file has 16 lines.
class SolveLayers : public Solve {
 protected:
  SolveLayers() : Solve({fs::path(LADDER_BIN) / "rungs" / layers / "default"}) {}

  /// Writes the file, with one line replaced if `line` is given, and solves it.
  std::vector<std::string> with(std::size_t line = 0, const std::string& value = "") const {
    std::vector<std::string> numbers = {"6", "16", "20", "0.6", "1e-3", "1.1", "1.0", "0.9",
                                        "5", "11", "2",  "0.5", "2",    "0",   "0",   "1"};
    if (line > 0) numbers[line - 1] = value;
    on.work().write("layers.params", fmt::format("{}\n", fmt::join(numbers, "\n")));
    return {"solve", layers, "--params", on.path("layers.params"), "--out", on.path("out")};
  }
};

TEST_F(SolveLayers, WritesDensityVelocityAndTemperatureOfEachCell) {
  const ProcessResult result = on.ladder(with());
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const std::regex summary(R"(case: layers \(6x16\), 20 steps\nmass: \S+\nkinetic energy: \S+\nmean temperature: (\S+)\n)");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(result.out, found, summary)) << result.out;
  EXPECT_NEAR(std::stod(found[1]), 1, 0.01);
  EXPECT_EQ(on.work().listing(), (std::vector<std::string>{"layers.params", "out", "out/final_state.dat"}));
  const auto cells = lines(on.work().read("out/final_state.dat"));
  ASSERT_EQ(cells.size(), 97u);
  EXPECT_EQ(cells[0], "x y density u v temperature");
  EXPECT_TRUE(cells[1].starts_with("0 0 ")) << cells[1];
  EXPECT_TRUE(cells[7].starts_with("0 1 ")) << cells[7];
  EXPECT_TRUE(cells[96].starts_with("5 15 ")) << cells[96];
}

TEST_F(SolveLayers, RefusesWhatNoRunCanBeRight) {
  const auto refused = [&](std::size_t line, const std::string& value, const std::vector<std::string>& parts) {
    const auto words = with(line, value);
    expect_refused(words, parts);
  };
  refused(1, "2", {"layers.params:1: nx is 2", "3 to 16777216"});
  refused(2, "6", {"layers.params:2: ny is 6", "an integer from 7"});
  refused(4, "0.5", {"layers.params:4: tau is 0.5", "above 1/2"});
  refused(5, "1", {"layers.params:5: gravity is 1", "unstable"});
  refused(6, "0", {"layers.params:6: temperature of the bottom layer is 0", "above 0"});
  refused(6, "-1", {"layers.params:6: ", "-1"});
  refused(8, "2.5", {"layers.params:8: temperature of the top layer is 2.5", "0.6 to 2.37"});
  refused(10, "nan", {"layers.params:10: height of the upper interface is 'nan'"});
  refused(14, "0.1", {"layers.params:14: reaction_time is 0.1", "from 1, or 0"});
  const auto large = [&] {
    on.work().write("layers.params", "16777216\n16777216\n1\n0.6\n0\n1\n1\n1\n0\n0\n1\n0\n1\n0\n0\n1\n");
    return std::vector<std::string>{"solve", layers, "--params", on.path("layers.params"), "--out", on.path("out")};
  }();
  expect_refused(large, {"layers.params: a lattice of 16777216x16777216", "of memory"});
  expect_refused({"solve", layers, "--case", "rt-16x6", "--out", on.path("out")}, {"case 'rt-16x6'", "from 7"});
  expect_refused({"solve", layers, "--case", "rt-16x2", "--out", on.path("out")}, {"case 'rt-16x2'", "from 3"});
}

TEST_F(SolveLayers, WritesNothingOfAFlowThatBecomesUnstable) {
  on.work().write("layers.params", "8\n16\n3000\n0.5001\n0.05\n2.2\n1\n0.7\n5\n10\n0.1\n2\n2\n0\n0\n1\n");
  expect_diverged({"solve", layers, "--params", on.path("layers.params"), "--out", on.path("out")},
                  {"smaller differences of temperature"});
}

}  // namespace
}  // namespace ladder::test
