// Errors in study.toml: `ladder run` names file, line, value and accepted values, and writes nothing.
#include <gtest/gtest.h>

#include <ostream>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

constexpr const char* good_matrix = R"([[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
)";

/// A study.toml with one mistake, the wrong line (0 for the whole file), and a part of the error message.
struct BadStudy {
  std::string name, text;
  int line = 0;
  std::vector<std::string> message;

  friend void PrintTo(const BadStudy& study, std::ostream* out) { *out << study.name; }
};

class Study : public testing::TestWithParam<BadStudy> {};

TEST_P(Study, IsRefused) {
  const auto& [name, text, line, message] = GetParam();
  const Installation on;
  const std::string file = on.study("one", text);
  const auto before = on.work().listing();
  const ProcessResult result = on.ladder({"run", "one", "--no-report"});
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, line > 0 ? file + ":" + std::to_string(line) + ": " : file));
  for (const auto& part : message)
    EXPECT_TRUE(contains(result.err, part));
  EXPECT_EQ(on.work().listing(), before);
}

/// `[1, 2, … 1000]`.
std::string thousand() {
  std::string list = "[1";
  for (int i = 2; i <= 1000; ++i)
    list += ", " + std::to_string(i);
  return list + "]";
}

std::vector<BadStudy> bad_studies() {
  const std::string good = good_matrix;
  std::vector<BadStudy> all = {
      {"SyntaxError", "rounds = 1\nseed = = 2\n" + good, 2, {}},
      {"UnclosedText", "title = \"one\n" + good, 1, {}},
      {"UnknownKey", "rounds = 1\nsample_second = 0.1\n" + good, 2, {"unknown key 'sample_second'", "'sample_seconds'"}},
      {"UnknownBlock", good + "[[matrixx]]\n", 0, {"unknown key 'matrixx'", "'matrix'"}},
      {"UnknownKeyOfAMatrix", good + "precision = [\"f32\"]\n", 4, {"unknown key 'precision'", "[[matrix]]", "'precisions'"}},
      {"PlacementOfAnUnknownName",
       good + "placements = [\"threads=1\", \"cores=2\"]\n",
       4,
       {"placements: placement 'cores=2'", "nodes, processes, threads and devices"}},
      {"PlacementBeyondTheBackend", good + "placements = [\"threads=2\"]\n", 1, {"threads=2", "backend serial", "threads=1"}},
      {"LauncherWithoutProcesses",
       good + "[launcher]\ncommand = [\"mpirun\", \"-n\", \"4\"]\n",
       5,
       {"command: launcher 'mpirun -n 4'", "{processes}"}},
      {"UnknownKeyOfALauncher",
       good + "[launcher]\ncommand = [\"{processes}\"]\nname = \"x\"\n",
       6,
       {"unknown key 'name'", "[launcher]"}},
      {"LauncherThatIsNoTable", "launcher = \"mpirun\"\n" + good, 1, {"'launcher' is not a table; accepted: a table"}},
      {"UnknownKeyOfCeilings",
       "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"copy\"]\nbyte = [65536]\nbytes = [65536]\n",
       4,
       {"unknown key 'byte'", "[[ceilings]]", "'bytes'"}},
      {"UnknownKeyOfAField",
       good + "[[field]]\nrung = \"d2q9/serial/01_skeleton\"\ncase = \"box-16\"\nsteps = 2\nstep = 1\n",
       8,
       {"unknown key 'step'", "[[field]]", "'steps'"}},
      {"FramesThatDoNotDivide",
       good + "[[field]]\nrung = \"d2q9/serial/01_skeleton\"\ncase = \"box-16\"\nsteps = 10\nframes = 3\n",
       8,
       {"frames: 3 in 10 steps", "accepted is a number that divides the steps"}},
      {"RoundsZero", "rounds = 0\n" + good, 1, {"rounds", "accepted"}},
      {"RoundsText", "rounds = \"many\"\n" + good, 1, {"rounds", "accepted"}},
      {"RoundsFraction", "rounds = 1.5\n" + good, 1, {"rounds", "accepted"}},
      {"RoundsBeyondAnInteger", "rounds = 4294967297\n" + good, 1, {"rounds", "accepted"}},
      {"SeedNegative", "seed = -1\n" + good, 1, {"seed", "accepted"}},
      {"MemoryLimitZero", "memory_limit_bytes = 0\n" + good, 1, {"memory_limit_bytes", "accepted"}},
      {"MemoryLimitFraction", "memory_limit_bytes = 1.5e9\n" + good, 1, {"memory_limit_bytes", "accepted"}},
      {"SampleSecondsZero", "sample_seconds = 0\n" + good, 1, {"sample_seconds", "accepted"}},
      {"SampleSecondsNegative", "sample_seconds = -0.1\n" + good, 1, {"sample_seconds", "accepted"}},
      {"SampleSecondsText", "sample_seconds = \"0.1\"\n" + good, 1, {"sample_seconds", "accepted"}},
      {"SampleSecondsNan", "sample_seconds = nan\n" + good, 1, {"sample_seconds", "accepted"}},
      {"SampleSecondsInfinite", "sample_seconds = inf\n" + good, 1, {"sample_seconds", "accepted"}},
      {"MatrixWithoutCases", "rounds = 1\n[[matrix]]\nrungs = [\"d2q9/*\"]\n", 2, {"no 'cases'"}},
      {"MatrixWithoutRungs", "[[matrix]]\ncases = [\"box-16\"]\n", 1, {"no 'rungs'"}},
      {"MatrixAsATable", "[matrix]\ncases = [\"box-16\"]\n", 1, {"[[matrix]]"}},
      {"RungsNotAList", "[[matrix]]\nrungs = \"d2q9/*\"\ncases = [\"box-16\"]\n", 2, {"rungs", "list"}},
      {"CasesEmpty", "[[matrix]]\nrungs = [\"d2q9/*\"]\ncases = []\n", 3, {"cases", "not empty"}},
      {"CasesOfNumbers", "[[matrix]]\nrungs = [\"d2q9/*\"]\ncases = [16]\n", 3, {"cases", "text"}},
      {"CheckStepsZero", good + "check_steps = [1, 0]\n", 4, {"check_steps", "accepted"}},
      {"StepsNegative", good + "steps = -5\n", 4, {"steps", "accepted"}},
      {"CheckStart", good + "check_start = \"sown\"\n", 4, {"'sown'", "seeded, own"}},
      {"SetNotATable", good + "set = [1, 2]\n", 4, {"set", "table"}},
      {"UnknownReport", good + "[[report]]\nkind = \"pie\"\n", 5, {"'pie'", "accepted"}},
      {"UnknownKeyOfAReport", good + "[[report]]\nkind = \"operations\"\ncolour = \"red\"\n", 6, {"'colour'"}},
      {"SetNegative", good + "set = { wx = [-1] }\n", 4, {"wx", "integer from 0"}},
      {"SetOfText", good + "set = { wx = [\"a\"] }\n", 4, {"wx", "integer"}},
      {"UnknownRung",
       "rounds = 1\n[[matrix]]\nrungs = [\"d2q9/serial/01_skeletn\"]\ncases = [\"box-16\"]\n",
       2,
       {"no rung matches 'd2q9/serial/01_skeletn'", "'d2q9/serial/01_skeleton'"}},
      {"UnknownCase",
       "[[matrix]]\nrungs = [\"d2q9/serial/*\"]\ncases = [\"bok-128\"]\n",
       1,
       {"unknown case 'bok-128'", "'box-128'"}},
      {"CaseTooSmall", "[[matrix]]\nrungs = [\"d2q9/serial/*\"]\ncases = [\"box-16x2\"]\n", 1, {"'box-16x2'", "'2'", "from 3"}},
      {"UnknownPrecision", good + "precisions = [\"f23\"]\n", 1, {"precision 'f23'", "f32, f64 and f16"}},
      {"PrecisionThatNoRungStores", good + "precisions = [\"f32\", \"f16\"]\n", 1, {"'f16'", "accepted: f32, f64"}},
      {"PrecisionThatTheCeilingDoesNotTake",
       "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"triad\", \"fma\"]\nbytes = [65536]\nprecisions = [\"f16\"]\n",
       1,
       {"ceiling 'triad' for openmp", "'f16'", "accepted: f32, f64"}},
      {"UnknownBuild", good + "builds = [\"gcc-O9\"]\n", 1, {"gcc-O9"}},
      {"UnknownTunable",
       "[[matrix]]\nrungs = [\"d2q9/opencl/*\"]\ncases = [\"box-16\"]\nset = { wz = [8] }\n",
       1,
       {"unknown tunable 'wz'", "'wx'", "wy"}},
      {"MoreCellsThanAnybodyMeasures",
       good + "set = { wx = " + thousand() + ", wy = " + thousand() + ", wz = " + thousand() + " }\n",
       1,
       {"more than 100000 cells; accepted: a study of at most 100000"}},
      {"TunableOfARungWithoutAny", good + "set = { wx = [8] }\n", 1, {"unknown tunable 'wx'", "none"}},
      {"TunableValue",
       "[[matrix]]\nrungs = [\"d2q9/opencl/*\"]\ncases = [\"box-16\"]\nset = { wx = [8, 3] }\n",
       1,
       {"'3' is not a value of wx", "accepted: "}},
      {"UnknownBackend",
       "[[ceilings]]\nbackend = \"opnmp\"\nnames = [\"copy\"]\nbytes = [65536]\n",
       1,
       {"'opnmp'", "'openmp'", "accepted: "}},
      {"UnknownCeiling",
       "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"copi\"]\nbytes = [65536]\n",
       1,
       {"no ceiling 'copi'", "'copy'", "accepted: "}},
      {"UnknownStore",
       "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"copy\"]\nbytes = [65536]\nstores = [\"streaming\"]\n",
       1,
       {"'streaming'", "accepted: "}},
      {"CeilingWithoutBytes", "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"copy\"]\n", 1, {"no 'bytes'"}},
      {"UnknownRungOfAField",
       good + "[[field]]\nrung = \"d2q9/serial/01_skeletn\"\ncase = \"box-16\"\nsteps = 2\n",
       4,
       {"unknown rung 'd2q9/serial/01_skeletn'", "'d2q9/serial/01_skeleton'"}},
      {"UnknownCaseOfAField",
       good + "[[field]]\nrung = \"d2q9/serial/01_skeleton\"\ncase = \"bok-16\"\nsteps = 2\n",
       4,
       {"unknown case 'bok-16'"}},
      {"UnknownCaseOfASeries",
       good + "[[series]]\nrung = \"d2q9/serial/01_skeleton\"\ncases = [\"box-16\", \"bok-16\"]\n",
       4,
       {"unknown case 'bok-16'"}},
      {"PrecisionOfASeries",
       good + "[[series]]\nrung = \"d2q9/serial/01_skeleton\"\ncases = [\"box-16\"]\nprecision = \"f23\"\n",
       7,
       {"precision", "f32"}},
      {"NothingToRun", "title = \"empty\"\n", 0, {"[[matrix]]"}},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Run, Study, testing::ValuesIn(bad_studies()), [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace ladder::test
