// Requirements on every rung: correct results, a complete description, and meaningful exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/process.hpp"
#include "harness/run/catalogue.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;
using Json = nlohmann::ordered_json;

const Catalogue& catalogue() {
  static const Catalogue all(LADDER_BIN);
  return all;
}

/// Environment of rungs. OpenMP rungs get more threads than the smallest grid has rows, which must not matter. References are
/// computed once per model and case.
Environment environment(const std::string& threads = "3") {
  return {{"OMP_NUM_THREADS", threads},
          {"OMP_WAIT_POLICY", "passive"},
          {"LADDER_REFERENCES", REFERENCES},
          {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
}

constexpr double most_seconds = 120;

/// The words that start this many processes.
std::vector<std::string> launcher(const std::string& processes) {
  std::istringstream text(LAUNCHER);
  std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
  words.push_back(processes);
  return words;
}

/// Runs a command in a process, or several, that serve all commands for the executable, because starting it and compiling its
/// OpenCL programs takes longer than most checks. Without a launcher, MPI starts another process, so none would stay.
ProcessResult served(const Executable& executable, const std::vector<std::string>& arguments,
                     const std::string& processes = "1") {
  static Residents residents;
  Resident& resident = executable.backend.starts_with("mpi")
                           ? residents.of(executable.path, environment(processes == "1" ? "3" : "2"), launcher(processes))
                           : residents.of(executable.path, environment());
  return resident.request(arguments, most_seconds);
}

class Rung : public testing::TestWithParam<Executable> {
 protected:
  const Executable& rung = GetParam();
  const Json description = described(rung.description);

  /// A generated case with `side` cells per side, of the same kind as the first or last case in the description.
  std::string first_case(int side) const { return of_size(description.at("cases").front(), std::to_string(side)); }
  std::string last_case(int side) const { return of_size(description.at("cases").back(), std::to_string(side)); }
  /// A case like last_case() with `cells` cells per row; in three dimensions with few rows, to compute its reference quickly.
  std::string long_case(int cells) const {
    const bool is_solid = description.at("model").get<std::string>().starts_with("d3");
    return of_size(description.at("cases").back(), std::to_string(cells) + (is_solid ? "x37x37" : ""));
  }

  ProcessResult run(const std::vector<std::string>& arguments) const {
    return run_process(rung.path, arguments, most_seconds, environment());
  }

 private:
  static std::string of_size(const std::string& name, const std::string& size) {
    return name.substr(0, name.find('-') + 1) + size;
  }
};

TEST_P(Rung, DescribesItselfAsItsFolderIsNamed) {
  EXPECT_EQ(rung.path, std::filesystem::path(LADDER_BIN) / "rungs" / rung.id / rung.build);
  const auto folder = rung.id.substr(0, rung.id.find('/'));
  EXPECT_TRUE(rung.id.starts_with(folder + "/" + rung.backend + "/"));
  // Rungs for testing the harness itself borrow a model.
  EXPECT_EQ(description.at("model"), folder == "selftest" ? "d2q9" : folder);
}

/// The traffic of some rungs depends on the number of threads, which is not set during the build.
TEST_P(Rung, SaysNowWhatItSaidAtBuildTime) {
  const ProcessResult now = run_process("/usr/bin/env", {"-u", "OMP_NUM_THREADS", rung.path.string(), "describe"}, 120);
  EXPECT_EQ(now.code, exit_ok);
  EXPECT_EQ(now.err, "");
  EXPECT_EQ(Json::parse(now.out), description);
}

TEST_P(Rung, LeavesNoLineOfItsDescriptionEmpty) {
  for (const auto* key : {"idea", "layout", "traffic", "source", "bound", "compiler", "flags", "observable", "collision"})
    EXPECT_NE(description.at(key).get<std::string>(), "") << key;
  EXPECT_FALSE(description.at("cases").empty());
  EXPECT_FALSE(description.at("operations").empty());
}

TEST_P(Rung, FollowsARungOfItsModelUnlessItIsTheFirst) {
  const std::string follows = description.at("follows");
  const auto ladder = rung.id.substr(0, rung.id.rfind('/'));
  if (follows.empty()) {
    for (const auto& other : catalogue().rungs()) {
      const bool earlier = other.id.starts_with(ladder + "/") && other.id < rung.id;
      EXPECT_FALSE(earlier) << "only the first of a ladder follows none, and " << other.id << " is before it";
    }
    return;
  }
  EXPECT_NE(follows, rung.id);
  EXPECT_EQ(catalogue().rung(follows).description.model, description.at("model").get<std::string>());
}

TEST_P(Rung, MovesEveryPopulationInAndOutUnlessItSaysThatAPassMakesSeveralStepsOrThatItStoresMoments) {
  const std::string traffic = description.at("traffic");
  const bool several = contains(traffic, "steps") || contains(traffic, "updates") || contains(traffic, "per pass") ||
                       contains(traffic, "moments");
  for (const std::string precision : description.at("numbers")) {
    const auto& moved = description.at("bytes_per_update").at(precision);
    const double least = description.at("bytes_per_update_minimum").at(precision);
    EXPECT_TRUE(several || moved.at("read").get<double>() >= least / 2) << precision << ": " << traffic;
    EXPECT_TRUE(several || moved.at("write").get<double>() >= least / 2) << precision << ": " << traffic;
    EXPECT_GT(moved.at("read").get<double>(), 0) << precision;
    EXPECT_GT(moved.at("write").get<double>(), 0) << precision;
  }
  const double lattices = description.at("lattices");
  // Two lattices of ten or six moments, relative to one of populations.
  const std::map<std::string, double> of_moments = {{"d3q19r", 20. / 19}, {"d3q27r", 20. / 27}, {"d2q9r", 12. / 9}};
  if (const auto found = of_moments.find(description.at("model")); contains(traffic, "moments") && found != of_moments.end())
    EXPECT_DOUBLE_EQ(lattices, found->second);
  else if (contains(traffic, "moments"))
    EXPECT_TRUE(lattices > 0.5 && lattices < 1) << lattices;
  else
    EXPECT_GE(lattices, 1);
}

TEST_P(Rung, SpendsACollisionThatTheModelCounts) {
  std::set<std::string> forms;
  for (const auto& operations : description.at("operations")) {
    forms.insert(operations.at("form").get<std::string>());
    EXPECT_GT(operations.at("total").get<int>(), 0);
  }
  EXPECT_EQ(forms.count(description.at("collision").get<std::string>()), 1u);
}

TEST_P(Rung, DeclaresTunablesWithTheirValues) {
  std::set<std::string> names;
  for (const auto& tunable : description.at("tunables")) {
    const std::string name = tunable.at("name");
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_NE(tunable.at("meaning").get<std::string>(), "") << name;
    const auto values = tunable.at("values").get<std::vector<int>>();
    EXPECT_EQ(std::set<int>(values.begin(), values.end()).size(), values.size()) << name;
    EXPECT_EQ(std::count(values.begin(), values.end(), tunable.at("initial").get<int>()), 1) << name;
  }
}

TEST_P(Rung, AnswersWithItsLegalTuningsAmongThemTheInitialOne) {
  const ProcessResult answer = run({"tunings"});
  if (answer.code == exit_unavailable) GTEST_SKIP() << answer.err;
  ASSERT_EQ(answer.code, exit_ok) << answer.err;
  const Json legal = Json::parse(answer.out);
  std::vector<std::string> names;
  std::vector<int> initial;
  for (const auto& tunable : description.at("tunables")) {
    names.push_back(tunable.at("name"));
    initial.push_back(tunable.at("initial"));
  }
  EXPECT_EQ(legal.at("names").get<std::vector<std::string>>(), names);
  const auto tunings = legal.at("tunings").get<std::vector<std::vector<int>>>();
  EXPECT_EQ(std::count(tunings.begin(), tunings.end(), initial), 1);
  auto refused = legal.at("combinations").get<std::int64_t>() - static_cast<std::int64_t>(tunings.size());
  for (const auto& constraint : legal.at("constraints"))
    refused -= constraint.at("refused").get<std::int64_t>();
  EXPECT_EQ(refused, 0);
}

TEST_P(Rung, ProbesItsBackend) {
  const ProcessResult answer = run({"probe"});
  EXPECT_EQ(answer.code, exit_ok);
  const Json status = Json::parse(answer.out);
  if (status.at("available").get<bool>())
    EXPECT_NE(status.at("device").get<std::string>(), "");
  else
    EXPECT_NE(status.at("reason").get<std::string>(), "");
}

TEST_P(Rung, ExitsWithTwoWhereItIsCalledWrongly) {
  const auto numbers = description.at("numbers").get<std::set<std::string>>();
  const std::string other = !numbers.contains("f16") ? "f16" : !numbers.contains("f64") ? "f64" : "f8";
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"dance"},
                                                       {"check"},
                                                       {"check", "--case", first_case(2)},
                                                       {"check", "--case", first_case(16), "--precision", other},
                                                       {"check", "--case", first_case(16), "--set", "nonesuch=1"},
                                                       {"check", "--case", first_case(16), "--steps", "0"}};
  for (const auto& arguments : wrong) {
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.end, ProcessResult::End::exited) << testing::PrintToString(arguments);
    EXPECT_EQ(result.code, exit_bad_input) << testing::PrintToString(arguments);
    EXPECT_NE(result.err, "") << testing::PrintToString(arguments);
    EXPECT_EQ(result.out, "") << testing::PrintToString(arguments);
  }
}

/// The last seven steps are advanced in one call: some rungs combine several steps in a pass and do the rest one by one. Rungs
/// with vectors also run on rows of complete vectors, which are several warps or tiles long.
TEST_P(Rung, IsRightOrRefusedAtBothEndsOfEachTunable) {
  for (const auto& tunable : description.at("tunables")) {
    const auto values = tunable.at("values").get<std::vector<int>>();
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    for (const int value : std::set<int>{*least, *most}) {
      const std::string setting = tunable.at("name").get<std::string>() + "=" + std::to_string(value);
      std::vector grids = {std::pair{last_case(37), true}, {first_case(9), false}};
      if (tunable.at("name") == "width" || tunable.at("name") == "cells") grids.emplace_back(long_case(136), true);
      for (const auto& [name, is_large] : grids) {
        const ProcessResult result = served(rung, {"check", "--case", name, "--steps", "1", "8", "--set", setting});
        if (result.code == exit_unavailable) GTEST_SKIP() << result.err;
        if (result.code == exit_bad_input) {
          const std::string code = Json::parse(result.out, nullptr, false).value("code", "");
          EXPECT_TRUE(code == "constraint" || code == "device-limit" || (is_large && code == "too-large"))
              << "a declared value may only violate a constraint or exceed limits of the device or the rung: " << result.err;
        } else
          EXPECT_EQ(result.code, exit_ok) << name << ", " << setting << ": " << result.out << result.err;
      }
    }
  }
}

/// Two halves share a register, so that vectors of two cells and of more may take different code.
TEST_P(Rung, StoresHalvesInVectorsOfEachWidth) {
  const auto numbers = description.at("numbers").get<std::vector<std::string>>();
  if (std::ranges::find(numbers, "f16") == numbers.end()) return;
  for (const auto& tunable : description.at("tunables")) {
    const std::string name = tunable.at("name");
    if (name != "cells" && name != "width") continue;
    for (const int value : tunable.at("values").get<std::vector<int>>()) {
      const std::string setting = name + "=" + std::to_string(value);
      const ProcessResult result =
          served(rung, {"check", "--case", last_case(9), "--precision", "f16", "--steps", "1", "3", "--set", setting});
      if (result.code == exit_unavailable) GTEST_SKIP() << result.err;
      EXPECT_EQ(result.code, exit_ok) << setting << ": " << result.out << result.err;
    }
  }
}

TEST_P(Rung, WritesNothingOnStandardErrorWhereAllIsWell) {
  const ProcessResult result = run({"check", "--case", first_case(9), "--steps", "1"});
  if (result.code == exit_unavailable) {
    EXPECT_NE(result.err, "") << "states why it cannot run";
    GTEST_SKIP() << result.err;
  }
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Json::parse(result.out).at("outcome"), "ok");
}

/// A comparison with the reference: a line of the file CHECKS, which CMakeLists.txt writes.
struct Check {
  std::string id, build, precision, case_name;
  std::string
      kind;  ///< `whole`; `large`: a rung may refuse it as too large; `boxes`: cut into four; else a number of processes

  auto operator<=>(const Check&) const = default;

  [[nodiscard]] std::vector<std::string> arguments() const {
    std::vector<std::string> words = {"check", "--case", case_name, "--precision", precision};
    if (kind == "boxes") words.insert(words.end(), {"--boxes", "2", "2", "1", "--steps", "1", "2", "7"});
    // More processes than processors take long for a step. Two also take as many steps as one.
    if (is_launched() && kind != "2") words.insert(words.end(), {"--steps", "1", "2", "7", "20"});
    return words;
  }
  friend void PrintTo(const Check& c, std::ostream* out) {
    *out << c.id << " [" << c.build << "], " << c.case_name << ", " << c.precision << ", " << c.kind;
  }
  [[nodiscard]] bool is_launched() const { return std::isdigit(static_cast<unsigned char>(kind.front())) != 0; }
};

std::vector<Check> listed_checks() {
  std::ifstream file(CHECKS);
  std::vector<Check> checks;
  for (Check check; file >> check.id >> check.build >> check.precision >> check.case_name >> check.kind;)
    checks.push_back(check);
  return checks;
}

class Checked : public testing::TestWithParam<Check> {
 protected:
  static std::string ended(const ProcessResult& result) {
    using End = ProcessResult::End;
    switch (result.end) {
      case End::exited:
        return "exit code " + std::to_string(result.code);
      case End::signalled:
        return std::string("signal: ") + strsignal(result.code);
      case End::timed_out:
        return "timeout";
      case End::out_of_memory:
        return "out of memory";
    }
    return "";
  }
};

TEST_P(Checked, AgreesWithTheReference) {
  const Check& check = GetParam();
  const auto builds = catalogue().match(check.id, check.build);
  ASSERT_EQ(builds.size(), 1u);
  const Executable& rung = *builds.front();
  // Why executables cannot run even as one process, by path and precision.
  static std::map<std::pair<std::string, std::string>, std::string> unavailable;
  const std::pair what(rung.path.string(), check.precision);
  if (const auto found = unavailable.find(what); found != unavailable.end()) GTEST_SKIP() << found->second;
  const ProcessResult result = served(rung, check.arguments(), check.is_launched() ? check.kind : "1");
  if (result.end == ProcessResult::End::exited && result.code == exit_unavailable) {
    if (!check.is_launched()) unavailable[what] = result.err;
    GTEST_SKIP() << result.err;
  }
  if (check.kind == "large" && result.err.find("too large for this rung") != std::string::npos) GTEST_SKIP() << result.err;
  const bool is_right = succeeded(result) && result.out.find(R"("outcome":"ok")") != std::string::npos;
  if (!is_right) FAIL() << testing::PrintToString(check) << ": " << ended(result) << '\n' << result.out << result.err;
}

/// Long runs in f32. Biased rounding errors grow in proportion to the number of steps and exceed the tolerance; unbiased ones
/// grow like a random walk. A few cells suffice.
class LongRun : public testing::Test {
 protected:
  static void expect_right(const std::string& id, const std::vector<std::string>& arguments) {
    const auto rungs = catalogue().match(id);
    const ProcessResult result = run_process(rungs.at(0)->path, arguments, most_seconds, environment("2"));
    EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  }
};

TEST_F(LongRun, OfD3Q19AgreesWithTheReference) {
  expect_right("d3q19/openmp/07_blocked", {"check", "--case", "porous-16x12x10", "--precision", "f32", "--steps", "5000"});
}

/// A measurement fails if the mass changes by more than unbiased rounding explains.
TEST_F(LongRun, OfD2Q9KeepsItsMass) {
  expect_right("d2q9/openmp/09_momentum",
               {"measure", "--case", "box-16", "--precision", "f32", "--steps", "100000", "--samples", "1"});
}

std::string not_built;

/// Called before the first test, where an exception would end the program without a message.
std::vector<Executable> default_builds() try {
  std::vector<Executable> found;
  for (const Executable* rung : catalogue().match("*")) {
    require_built(*rung);
    found.push_back(*rung);
  }
  return found;
} catch (const std::exception& e) {
  not_built = e.what();
  return {};
}

TEST(Catalogue, HoldsEveryRungOfTheManifest) { EXPECT_EQ(not_built, ""); }

/// The cases of each model on which its rungs are checked.
std::map<std::string, std::vector<std::string>> cases_of_models() {
  std::ifstream file(std::filesystem::path(LADDER_BIN) / "cases.txt");
  std::map<std::string, std::vector<std::string>> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string model;
    words >> model;
    cases[model] = {std::istream_iterator<std::string>(words), {}};
  }
  return cases;
}

/// Default builds are checked on each case of the model, in each number format that they store; on the first two cases also in
/// boxes. Rungs that accept obstacles or open boundaries, in models where others do not, are also checked with these.
/// Distributed rungs are also checked with 2, 3 and 4 processes on the first case and with 3 on the second. Further builds are
/// checked on the first case.
TEST(Catalogue, ListsTheChecksOfEveryExecutable) {
  const auto cases_of = cases_of_models();
  std::multiset<Check> expected;
  for (const Executable& rung : catalogue().rungs()) {
    const std::vector<std::string>& cases = cases_of.at(model_of(rung));
    const bool is_default = rung.build == "default";
    for (const std::string& number : rung.description.numbers) {
      const auto add = [&](const std::string& name, const std::string& kind) {
        expected.insert({rung.id, rung.build, number, name, kind});
      };
      for (std::size_t n = 0; n < (is_default ? cases.size() : 1); ++n)
        add(cases[n], n + 1 == cases.size() ? "large" : "whole");
      if (!is_default) continue;
      for (std::size_t n = 0; n < 2; ++n)
        add(cases.at(n), "boxes");
      if (cases[0].starts_with("tgv") && rung.id.ends_with("walls")) {
        add("porous-13x9x11", "whole");
        add("car-48x20x18", "whole");
        add("car-48x20x18", "boxes");
        add("porous-4x30x30", "whole");
      }
      if (rung.id.starts_with("d3q19/") && rung.id.ends_with("_open")) {
        add("open20-24x40x40", "whole");
        add("open20-24x20x20", "boxes");
        add("inflow50-21x20x19", "whole");
      }
      if (!rung.backend.starts_with("mpi")) continue;
      for (const char* const processes : {"2", "3", "4"})
        add(cases[0], processes);
      add(cases[1], "3");
    }
  }
  const std::vector<Check> listed = listed_checks();
  const std::multiset<Check> found(listed.begin(), listed.end());
  std::vector<Check> wrong;
  std::set_symmetric_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(wrong));
  EXPECT_TRUE(wrong.empty()) << wrong.size() << " of " << expected.size() << " checks are missing or not expected, such as "
                             << testing::PrintToString(wrong.front()) << " (PRECISIONS of ladder_add_rung?)";
}

/// Returns a test name that GoogleTest accepts.
std::string plain(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Rung, testing::ValuesIn(default_builds()),
                         [](const auto& rung) { return plain(rung.param.id); });
INSTANTIATE_TEST_SUITE_P(Every, Checked, testing::ValuesIn(listed_checks()), [](const auto& check) {
  const Check& c = check.param;
  return plain(c.id + "__" + c.build + "_" + c.precision + "_" + c.case_name + "_" + c.kind);
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Rung);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Checked);

}  // namespace

/// Name of a test parameter in GoogleTest's output.
void PrintTo(const Executable& executable, std::ostream* out) { *out << executable.id; }

}  // namespace ladder

/// Exits with 3 if nothing failed but none of the selected checks could run.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int n = 0; n < all.total_test_suite_count(); ++n) {
    const testing::TestSuite& suite = *all.GetTestSuite(n);
    if (suite.name() == std::string("Every/Checked") && suite.should_run() &&
        suite.skipped_test_count() == suite.test_to_run_count())
      return failed != 0 ? failed : ladder::exit_unavailable;
  }
  return failed;
}
