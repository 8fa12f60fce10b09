// Programs from outside this project: `check --program` and [[contender]] blocks. Whatever such a program does, it affects only
// one cell.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <regex>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "harness/record/provenance.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/launch.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

std::string program(const std::string& name) { return (fs::path(LADDER_CONTENDERS) / name).string(); }

TEST(CheckProgram, ComparesFilesByBothCriteria) {
  const Installation on;
  const ProcessResult result =
      on.ladder({"check", "--program", program("right"), "--case", "box-32", "--case", "porous-20x30", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  ASSERT_EQ(answer.size(), 2u);
  for (const auto& one : answer) {
    EXPECT_EQ(one.at("rung"), "contender/right");
    EXPECT_EQ(one.at("outcome"), "ok");
    EXPECT_EQ(one.at("check_steps"), 1000);
    EXPECT_LT(one.at("relative_error"), 1e-3);
    EXPECT_LT(one.at("population_error"), one.at("tolerance"));
    EXPECT_GT(one.at("population_error"), 1e-8) << "the program computes in f32";
  }
  EXPECT_EQ(on.work().listing(), std::vector<std::string>{});
}

TEST(CheckProgram, ShowsBothCriteria) {
  const Installation on;
  const ProcessResult result = on.ladder({"check", "--program", program("silent"), "--case", "box-16", "--steps", "20"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(std::regex_search(result.out, std::regex("error .* \\(accepted .*\\) in 20 steps"))) << result.out;
  EXPECT_TRUE(contains(result.out, "largest difference"));
  EXPECT_TRUE(contains(result.out, "(accepted 1 %)"));
}

TEST(CheckProgram, IsFoundRelativeToTheWorkingFolder) {
  const Installation on;
  fs::copy_file(program("right"), on.path("d2q9-bgk"));
  const ProcessResult result = on.shell("\"$LADDER\" check --program ./d2q9-bgk --case box-16");
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "contender/d2q9-bgk box-16 f32"));
}

TEST(CheckProgram, FindsATimeWhateverThePatternIs) {
  const Installation on;
  const fs::path script =
      on.work().write("mine", "#!/bin/sh\n" + program("right") + " \"$1\" \"$2\"\nprintf 'a%.0s' $(seq 1000); echo '!'\n");
  fs::permissions(script, fs::perms::owner_all);
  const ProcessResult result =
      on.ladder({"check", "--program", script.string(), "--case", "box-16", "--steps", "20", "--time", "(a+)+$"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "it prints no time of the run that matches '(a+)+$'")) << result.out;
}

TEST(CheckProgram, SaysThatOnlyTheCourseworksCriterionHolds) {
  const Installation on;
  // Single precision is right for the coursework, but not to the rounding of double precision.
  const ProcessResult text = on.ladder({"check", "--program", program("right"), "--case", "box-16", "--precision", "f64"});
  EXPECT_EQ(text.code, exit_check_failed) << text.err;
  EXPECT_TRUE(contains(text.out, "coursework's criterion: right, largest difference")) << text.out;
  const ProcessResult json =
      on.ladder({"check", "--program", program("right"), "--case", "box-16", "--precision", "f64", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at(0).at("passes_coursework"), true);
}

/// A program that prints or needs what the script says; it gets the words of a UoB-HPC program.
fs::path script_of(const Installation& on, const std::string& text) {
  const fs::path script = on.work().write("mine", "#!/bin/sh\n" + text);
  fs::permissions(script, fs::perms::owner_all);
  return script;
}

TEST(CheckProgram, ReadsTimesInOtherUnits) {
  const Installation on;
  const std::string run = program("silent") + " \"$1\" \"$2\"\n";
  const std::tuple<std::string, std::vector<std::string>, std::string> prints[] = {
      {"Elapsed time: 5 ms", {}, ""},
      {"Elapsed time: 5ms(s)", {}, ""},
      {"Elapsed time: 0,005 (s)", {}, ""},
      {"Elapsed time: 0.000000 (s)", {}, ""},
      {"Elapsed time: 512", {}, "impossible time: 512 s by its own account"},
      {"Elapsed time: 5", {"--time-unit", "ms"}, ""},
      {"Elapsed time: 512", {"--time", "wall"}, ""},
      {"took 5ms", {"--time", "took (\\S+)"}, ""}};
  for (const auto& [line, options, reason] : prints) {
    const fs::path script = script_of(on, "sleep 0.01\n" + run + "echo '" + line + "'\n");
    std::vector<std::string> words = {"check", "--program", script.string(), "--case", "box-16", "--steps", "20", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, reason.empty() ? exit_ok : exit_check_failed) << line << result.out;
    EXPECT_TRUE(contains(result.out, reason)) << line << result.out;
  }
}

TEST(CheckProgram, FindsATimeInMuchOutput) {
  const Installation on;
  const ProcessResult result =
      on.ladder({"check", "--program", program("prints_milliseconds"), "--case", "box-16", "--steps", "20"});
  EXPECT_EQ(result.code, exit_ok) << result.out;
  const fs::path last = script_of(on, program("silent") +
                                          " \"$1\" \"$2\"\nyes 'a line that says nothing' | head -c 40000000\n"
                                          "echo 'took 0.001 s'\n");
  EXPECT_EQ(
      on.ladder({"check", "--program", last.string(), "--case", "box-16", "--steps", "20", "--time", "took ([0-9.]+)"}).code,
      exit_ok);
}

TEST(CheckProgram, AcceptsFilesWhateverTheClockOfTheirFileSystem) {
  if (!std::string(LADDER_SANITIZE).empty()) GTEST_SKIP() << "sanitizers must be loaded first";
  const Installation on({}, {{"LD_PRELOAD", LADDER_FAKE_CLOCK_LIBRARY}});
  const std::time_t now = std::time(nullptr);
  EXPECT_GE(std::stoll(on.shell("date +%s").out), now + 10) << "the library is not loaded";
  const ProcessResult result = on.ladder({"check", "--program", program("right"), "--case", "box-16", "--steps", "20"});
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
}

TEST(CheckProgram, RefusesOlderFiles) {
  const Installation on;
  const fs::path script = script_of(on, program("right") + " \"$1\" \"$2\"\ntouch -d '1 minute ago' final_state.dat\n");
  const ProcessResult result = on.ladder({"check", "--program", script.string(), "--case", "box-16", "--steps", "20"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "final_state.dat is older than the run")) << result.out;
}

/// Programs that start slowly, on a machine that seems idle. The two-step run comes first, then the full run.
class SlowStart : public testing::Test {
 protected:
  /// Runs `ladder check` on a script that ends by running a correct program. The commands in `start` run first and can read the
  /// number of the run, counting from 1, as `$run`.
  [[nodiscard]] ProcessResult check(const std::string& start) const {
    const fs::path script = script_of(on, "echo >>" + on.path("runs") + "\nrun=$(wc -l <" + on.path("runs") + ")\n" + start +
                                              "\nexec " + program("right") + " \"$1\" \"$2\"\n");
    return on.ladder_on_idle_machine("check --program " + script.string() + " --case box-16 --steps 20");
  }

  Installation on;
};

TEST_F(SlowStart, IsAcceptedInTheFirstRun) {
  const ProcessResult result = check("[ $run -gt 1 ] || sleep 2");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
}

TEST_F(SlowStart, IsAcceptedIfAnotherRunOfTwoStepsIsAsSlow) {
  // Startup takes processor time in all runs but the first.
  const ProcessResult result = check("i=0; while [ $run -gt 1 ] && [ $i -lt 500000 ]; do i=$((i + 1)); done");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
}

TEST_F(SlowStart, IsRefusedIfTheWholeRunIsAlwaysFaster) {
  const ProcessResult result = check("[ $run = 2 ] || sleep 1");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_check_failed) << result.out << result.err;
  EXPECT_TRUE(std::regex_search(result.out, std::regex("impossible time: two steps take .* s, but the whole run takes")))
      << result.out;
  EXPECT_EQ(lines(on.work().read("runs")).size(), 4u) << "two steps are run three times";
}

TEST(CheckProgram, CopiesTheFilesThatItNeeds) {
  const Installation on;
  const fs::path script =
      script_of(on, "test -f a.cl && test -f b.bin && ! test -f c.txt && exec " + program("silent") + " \"$1\" \"$2\"\n");
  for (const char* name : {"a.cl", "b.bin", "c.txt", "obstacles.dat"})
    on.work().write(name, "x");
  const std::vector<std::string> words = {"check", "--program", script.string(), "--case", "box-16", "--steps", "20"};
  EXPECT_EQ(on.ladder(words).code, exit_check_failed);
  std::vector<std::string> copying = words;
  copying.insert(copying.end(), {"--copy", "*.bin"});
  const ProcessResult result = on.ladder(copying);
  EXPECT_EQ(result.code, exit_ok) << result.out;
  copying.back() = "*.none";
  EXPECT_EQ(on.ladder(copying).code, exit_bad_input);
}

TEST(CheckProgram, SaysThatAnotherProcessMayHaveCausedATimeout) {
  const Installation on;
  const std::string text = "timeout_seconds = 1\nrounds = 1\n[[contender]]\nname = \"x\"\ncases = [\"box-16\"]\ncommand = [\"" +
                           program("hangs") + "\", \"{params}\", \"{obstacles}\"]\n";
  on.study("one", text);
  const ProcessResult result = on.shell(
      "for i in 1 2; do while :; do :; done & all=\"$all $!\"; done\n\"$LADDER\" run one --machine here --no-report\nkill "
      "$all\n");
  EXPECT_TRUE(
      contains(read_rows(on.path("experiments/one/results/here.csv")).rows.back().reason, "; meanwhile, other processes kept "))
      << result.err;
}

/// A wrong program, and the outcome and reason of its check.
struct Wrong {
  const char *name, *outcome, *reason;

  friend void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }
};
constexpr Wrong wrong_programs[] = {
    {"wrong_physics", "wrong",
     R"(^av_vels\.dat:\d+: average speed of step \d+ is .*, reference .*: .* % apart, accepted is 1 %$)"},
    {"writes_nan", "wrong", R"(^final_state\.dat:54: pressure of \(5, 3\) is nan$)"},
    {"writes_nothing", "failed", R"(^av_vels\.dat is not written$)"},
    {"cuts_files", "failed", R"(^final_state\.dat ends within line 129; accepted: 256 whole lines$)"},
    {"short_history", "failed", R"(^av_vels\.dat ends within line 600; accepted: 600 whole lines$)"},
    {"stale_files", "failed", R"(^av_vels\.dat is not a regular file$)"},
    {"crashes", "crashed", R"(^ended by signal 6 )"},
    {"fails", "failed", R"(^exit code 1: out of patience$)"},
    {"claims_little", "failed", R"(^impossible time: .* s by its own account, but it (ran|used) .* than for two steps$)"},
    {"claims_much", "failed", R"(^impossible time: .* s by its own account, but it ran for .* s)"},
};

class WrongProgram : public testing::TestWithParam<Wrong> {};

TEST_P(WrongProgram, IsCaught) {
  const auto& [name, outcome, reason] = GetParam();
  const Installation on;
  fs::copy_file(program(name), on.path(name));  // it may write next to its executable
  // Enough steps that the time is long enough to be questioned.
  const std::string case_name = std::string(name).starts_with("claims") ? "box-128" : "box-16";
  const ProcessResult result =
      on.ladder({"check", "--program", on.path(name), "--case", case_name, "--steps", "600", "--json"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  EXPECT_EQ(answer.at(0).at("outcome"), outcome);
  const std::string said = answer.at(0).at("reason");
  EXPECT_TRUE(std::regex_search(said, std::regex(reason))) << said;
}

INSTANTIATE_TEST_SUITE_P(CheckProgram, WrongProgram, testing::ValuesIn(wrong_programs),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(CheckProgram, RefusesBadInput) {
  const Installation on;
  on.work().write("text", "no program");
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"--program", on.path("none")}, "none' is not an executable file"},
      {{"--program", on.path("text")}, "text' is not an executable file"},
      {{"--program", program("right"), "--case", "bok-16"}, "unknown case 'bok-16'"},
      {{"--program", program("right"), "--case", "box-3"},
       "case 'box-3' has 3x3 cells; accepted with format uob-hpc: at least 4x4"},
      {{"--program", program("right"), "--precision", "f23"}, "precision 'f23'"},
      {{"--program", program("right"), "--time", "(("}, "time: '(('"},
      {{"--program", program("right"), "--time", "seconds"}, "a regular expression with one group"},
      {{"--program", program("right"), "--time", std::string(2000, 'a') + "([0-9]+)"}, "a pattern of 2008 characters"},
      {{"--program", program("right"), "--time", ""}, "--time: ''; accepted is a regular expression with one group, or wall"},
      {{"--program", ""}, "--program: ''; accepted is a name"},
      {{"--program", program("right"), "--time", "(1)\\1"}, "no back references"},
      {{"--program", program("right"), "--time", "(?=(?:(?=a*)a)*)time: ([0-9]+)"}, "at most one lookahead"},
      {{"--program", program("right"), "--time", R"(\(?=\(?= ([0-9.]+))", "--case", "box-016"}, "accepted: box-16"},
      {{"--program", program("right"), "--case", "box-016"}, "case 'box-016': numbers have no leading zeros; accepted: box-16"},
      {{"--case", "box-016"}, "accepted: box-16"},
      {{"--program", program("right"), "d2q9/*"}, "accepted: a program, or a glob of rungs"},
      {{"--time", "([0-9]+)"}, "--time: accepted with --program"},
      {{"--time-unit", "ms"}, "--time-unit: accepted with --program"},
      {{"--copy", "*.bin"}, "--copy: accepted with --program"},
      {{"--program", program("right"), "--time-unit", "days"}, "days not in"},
      {{"--program", program("right"), "--placement", "ranks=2"}, "placement 'ranks=2': accepted is name=value"},
  };
  for (const auto& [words, message] : bad) {
    std::vector<std::string> all = {"check"};
    all.insert(all.end(), words.begin(), words.end());
    const ProcessResult result = on.ladder(all);
    EXPECT_EQ(result.code, exit_bad_input) << message;
    EXPECT_TRUE(contains(result.err, message));
  }
}

TEST(CheckProgram, NeedsNoTargetsForAMissingProgram) {
  const Installation on;
  const ProcessResult missing = on.ladder({"targets", "check", "--program", on.path("none")});
  EXPECT_EQ(missing.code, exit_bad_input);
  EXPECT_EQ(missing.out, "");
  const ProcessResult there = on.ladder({"targets", "check", "--program", program("right")});
  EXPECT_EQ(there.code, exit_ok);
  EXPECT_NE(there.out, "");
}

std::string block(const std::string& name, const std::string& more = "") {
  return "[[contender]]\nname = \"" + name + "\"\ncommand = [\"" + program(name) +
         "\", \"{params}\", \"{obstacles}\"]\ncases = [\"box-16\"]\n" + more;
}

constexpr const char* head = "rounds = 2\nsample_seconds = 0.02\ntimeout_seconds = 4\n";
/// For runs that take longer on a busy machine.
constexpr const char* patient = "rounds = 1\nsample_seconds = 0.02\ntimeout_seconds = 100\n";
constexpr const char* rung_block = "[[matrix]]\nrungs = [\"d2q9/serial/01_skeleton\"]\ncases = [\"box-16\"]\n";

class Contender : public testing::Test {
 protected:
  Installation on{{}, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}}};

  std::vector<Row> rows(const std::string& study) const {
    return read_rows(on.path("experiments/" + study + "/results/here.csv")).rows;
  }
  ProcessResult run(const std::string& study, const std::string& text, std::vector<std::string> more = {"--no-report"}) const {
    on.study(study, text);
    std::vector<std::string> words = {"run", study, "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }
};

TEST_F(Contender, CostsOneCellWhateverItDoes) {
  std::string text = std::string(head) + rung_block + block("right") + block("hangs");
  for (const Wrong& wrong : wrong_programs) {
    const std::string name = wrong.name;
    if (name == "stale_files" || name.starts_with("claims")) continue;
    text += block(name);
  }
  on.study("one", text);
  // Not run_process(), which would end the processes that `ladder` left behind.
  const pid_t started = on.start({"run", "one", "--machine", "here", "--no-report"}, on.path("out"), on.path("err"));
  int status = 0;
  ASSERT_EQ(waitpid(started, &status, 0), started);
  EXPECT_EQ(on.processes(), std::vector<pid_t>{}) << "left behind";
  EXPECT_EQ(WEXITSTATUS(status), exit_check_failed) << on.work().read("err");
  std::map<std::string, const Row*> checks;
  std::map<std::string, int> samples;
  const auto stored = rows("one");
  for (const Row& row : stored) {
    if (row.kind == "check") checks[row.rung] = &row;
    if (row.kind == "sample" && row.ok()) ++samples[row.rung];
  }
  EXPECT_EQ(samples, (std::map<std::string, int>{{skeleton, 2}, {"contender/right", 2}}));
  ASSERT_TRUE(checks.contains("contender/hangs"));
  EXPECT_EQ(checks.at("contender/hangs")->outcome, "timeout");
  for (const Wrong& wrong : wrong_programs)
    if (const auto found = checks.find(std::string("contender/") + wrong.name); found != checks.end()) {
      EXPECT_EQ(found->second->outcome, wrong.outcome) << wrong.name;
      EXPECT_FALSE(found->second->reason.empty()) << wrong.name;
    }
}

TEST_F(Contender, IsNotStoredIfItsFilesChangeMeanwhile) {
  for (const char* changed : {"program", "script", "need"}) {
    const std::string file = on.path(changed);
    const std::string text = "#!/bin/sh\necho >> " + file + "\nexec " + program("right") + " \"$1\" \"$2\"\n";
    for (const char* name : {"program", "script"}) {
      on.work().write(name, text);
      fs::permissions(on.path(name), fs::perms::owner_all);
    }
    on.work().write("need", "x");
    const std::string command = changed == std::string("script") ? "\"/bin/sh\", \"" + file : "\"" + on.path("program");
    const ProcessResult result =
        run(changed, std::string(head) + "[[contender]]\nname = \"x\"\ncases = [\"box-16\"]\nneeds = [\"" + on.path("need") +
                         "\"]\ncommand = [" + command + "\", \"{params}\", \"{obstacles}\"]\n");
    EXPECT_EQ(result.code, exit_bad_input) << changed << result.err;
    EXPECT_TRUE(contains(result.err, "not run, and nothing is stored: " + file + " was changed or removed")) << result.err;
    EXPECT_TRUE(rows(changed).empty()) << changed;
  }
}

TEST_F(Contender, CannotAvoidItsResultByReportingAFullDisk) {
  const fs::path script = script_of(on, "echo 'No space left on device' >&2; exit 1\n");
  EXPECT_EQ(run("one", std::string(head) + "[[contender]]\nname = \"x\"\ncases = [\"box-16\"]\ncommand = [\"" +
                           script.string() + "\", \"{params}\", \"{obstacles}\"]\n")
                .code,
            exit_check_failed);
  ASSERT_EQ(rows("one").size(), 1u);
  EXPECT_EQ(rows("one").back().outcome, "failed");
}

TEST_F(Contender, IsStoredAsForeignWithItsTimes) {
  ASSERT_EQ(run("one", std::string(head) + rung_block + block("right", "follows = \"d2q9/serial/01_skeleton\"\nsteps = 700\n") +
                           block("silent"))
                .code,
            exit_ok);
  std::map<std::string, Row> samples;
  for (const Row& row : rows("one")) {
    if (row.kind == "sample") samples[row.rung] = row;
    if (row.kind == "check" && row.is_foreign()) {
      EXPECT_GT(row.relative_error, 0);
      EXPECT_GT(row.population_error, 0);
      EXPECT_GT(row.check_steps, 0);
    }
  }
  const Row& own = samples["contender/right"];
  EXPECT_EQ(own.backend, foreign_backend);
  EXPECT_EQ(own.time_source, "program");
  EXPECT_EQ(own.validation, "files");
  EXPECT_EQ(own.steps, 700);
  EXPECT_LT(own.seconds, own.wall_seconds);
  EXPECT_GT(own.cpu_seconds, 0);
  EXPECT_EQ(own.bytes_per_update_model, 72) << "the model's minimum";
  EXPECT_EQ(own.q, 9);
  EXPECT_EQ(own.cells, 256);
  const Row& wall = samples["contender/silent"];
  EXPECT_EQ(wall.time_source, "wall");
  EXPECT_EQ(wall.seconds, wall.wall_seconds);
  EXPECT_EQ(samples[skeleton].time_source, "");
}

TEST_F(Contender, HasItsTimedRunsVerified) {
  for (const std::string name : {"serves_files", "skips_steps"}) {
    fs::copy_file(program(name), on.path(name));
    std::string text = std::string(patient) +
                       "[[contender]]\nname = \"mine\"\ncases = [\"box-32\"]\nsteps = 3000\ncommand = [\"" + on.path(name) +
                       "\", \"{params}\", \"{obstacles}\"]\ncheck_steps = " + (name == "skips_steps" ? "1000" : "3000") + "\n";
    EXPECT_EQ(run(name, text).code, exit_check_failed);
    const std::vector<Row> all = rows(name);
    EXPECT_EQ(all.front().outcome, "ok") << name << ": the check finds nothing: " << all.front().reason;
    EXPECT_NE(all.back().kind, "check");
    EXPECT_EQ(all.back().outcome, "wrong");
    EXPECT_TRUE(contains(all.back().reason, "a timed run of 3000 steps with force ")) << all.back().reason;
  }
}

TEST_F(Contender, HasTheConditionsOfItsRunsRecorded) {
  ASSERT_EQ(run("one", std::string(patient) + block("right", "steps = 20000\n")).code, exit_ok);
  const Row& sample = rows("one").back();
  EXPECT_NE(sample.affinity, "");
  EXPECT_EQ(sample.pages, "") << "this process's, not the program's";
  if (sample.wall_seconds > 0.2) {
    EXPECT_GE(sample.other_load, 0);
    EXPECT_LT(sample.other_load, static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  }
  EXPECT_TRUE(contains(sample.suspicious, "steady")) << "a small box is at its final state long before";
}

TEST_F(Contender, HasItsWallTimeTakenIfOthersProlongTheRun) {
  // The whole run lasts a second longer than its printed time explains.
  for (const char* others : {"100", "0"}) {
    const Installation idle;
    const fs::path script = script_of(idle, "[ $(sed -n 3p \"$1\") = 2 ] || { sleep 1; " + idle.path("spend") + " " + others +
                                                " 0; }\nexec " + program("right") + " \"$1\" \"$2\"\n");
    idle.study("one", std::string(patient) + "[[contender]]\nname = \"mine\"\ncommand = [\"" + script.string() +
                          "\", \"{params}\", \"{obstacles}\"]\ncases = [\"box-16\"]\nsteps = 20\n");
    const ProcessResult result = idle.ladder_on_idle_machine("run one --machine here --no-report");
    if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
    const Row last = read_rows(idle.path("experiments/one/results/here.csv")).rows.back();
    if (others == std::string("0")) {
      EXPECT_EQ(last.outcome, "failed") << "a quiet machine explains nothing";
      EXPECT_TRUE(contains(last.reason, "s longer than for two steps"));
      continue;
    }
    EXPECT_NE(last.kind, "check");
    EXPECT_EQ(last.outcome, "ok") << last.reason;
    EXPECT_EQ(last.time_source, "wall");
    EXPECT_GT(last.seconds, 1);
    EXPECT_EQ(last.seconds, last.wall_seconds);
  }
}

TEST_F(Contender, IsNamedByVerifyIfItsProgramChanged) {
  fs::copy_file(program("right"), on.path("mine"));
  const std::string text = std::string(head) + rung_block + "[[contender]]\nname = \"mine\"\ncommand = [\"" + on.path("mine") +
                           "\", \"{params}\", \"{obstacles}\"]\ncases = [\"box-16\"]\n[[report]]\nkind = \"steps\"\ncases = "
                           "[\"box-16\"]\nrows = [{ label = \"theirs\", rung = \"contender/mine\" }]\n";
  on.study("one", text);
  // Under the name that this machine has by default: only there its programs are compared.
  ASSERT_EQ(on.ladder({"run", "one", "--out", on.path("report")}).code, exit_ok);
  const auto verified = [&] { return on.ladder({"report", "one", "--verify", "--out", on.path("report")}).out; };
  EXPECT_FALSE(contains(verified(), "contender/mine"));
  fs::copy_file(program("silent"), on.path("mine"), fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(verified(), "contender/mine: its program has changed"));
  fs::remove(on.path("mine"));
  EXPECT_TRUE(contains(verified(), "contender/mine: its program cannot be compared: "));
}

TEST_F(Contender, MayWriteItsFilesToSubfolders) {
  const fs::path script =
      on.work().write("mine", "#!/bin/sh\n" + program("silent") + " \"$1\" \"$2\" && mv *_vels.dat out/a && mv final* out/b\n");
  fs::permissions(script, fs::perms::owner_all);
  EXPECT_EQ(run("one", std::string(head) + "[[contender]]\nname = \"mine\"\ncommand = [\"" + script.string() +
                           "\", \"{params}\", \"{obstacles}\"]\ncases = [\"box-16\"]\nfiles = [\"out/b\", \"out/a\"]\n")
                .code,
            exit_ok);
}

TEST_F(Contender, IsMeasuredAgainOnlyIfItChanged) {
  const std::string text = std::string(head) + "[[contender]]\nname = \"mine\"\ncommand = [\"" + on.path("mine") +
                           "\", \"{params}\", \"{obstacles}\"]\ncases = [\"box-16\"]\n";
  fs::copy_file(program("right"), on.path("mine"));
  ASSERT_EQ(run("one", text).code, exit_ok);
  EXPECT_TRUE(contains(run("one", text).out, "nothing to do"));
  fs::copy_file(program("silent"), on.path("mine"), fs::copy_options::overwrite_existing);
  ASSERT_EQ(run("one", text).code, exit_ok);
  std::map<std::string, int> keys;
  for (const Row& row : rows("one"))
    if (row.kind == "sample") ++keys[row.key];
  EXPECT_EQ(keys.size(), 2u) << "each executable has a key";
  for (const char* const data : {"1", "2"}) {
    on.work().write("data", data);
    ASSERT_EQ(run("one", text + "needs = [\"" + on.path("data") + "\"]\n").code, exit_ok);
  }
  for (const Row& row : rows("one"))
    if (row.kind == "sample") ++keys[row.key];
  EXPECT_EQ(keys.size(), 4u) << "and so has each content of a file that it needs";
}

TEST_F(Contender, OfAPrintedRateIsNotChecked) {
  const std::string text = std::string(head) + rung_block + R"([[contender]]
name = "rate"
command = ["/bin/sh", "-c", "sleep 0.05; echo '{nx} {ny} {nz} {steps}'; pwd; echo 'speed 1.5 MLUPS'; echo 'speed 2.5 MLUPS'"]
format = "none"
rate = 'speed ([0-9.]+) MLUPS'
steps = 100
cases = ["box-16"]
[[contender]]
name = "too-fast"
command = ["/bin/sh", "-c", "echo 'speed 0.000001 MLUPS'"]
format = "none"
rate = 'speed ([0-9.]+) MLUPS'
steps = 100
cases = ["box-16"]
[[contender]]
name = "says-nothing"
command = ["true"]
format = "none"
rate = 'speed ([0-9.]+) MLUPS'
steps = 100
cases = ["box-16"]
[[report]]
kind = "steps"
cases = ["box-16"]
rows = [{ label = "ours", rung = "d2q9/serial/01_skeleton" }, { label = "theirs", rung = "contender/rate" }]
[[report]]
kind = "roofline"
cases = ["box-16"]
rungs = ["d2q9/*", "contender/*"]
)";
  const ProcessResult result = run("one", text, {"--out", on.path("report")});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  std::map<std::string, Row> last;
  for (const Row& row : rows("one"))
    if (row.kind == "sample") last[row.rung] = row;
  const Row& rate = last["contender/rate"];
  EXPECT_EQ(rate.outcome, "ok") << rate.reason;
  EXPECT_EQ(rate.validation, "none");
  EXPECT_EQ(rate.time_source, "rate");
  EXPECT_DOUBLE_EQ(rate.updates_per_second, 2.5e6) << "the last printed value";
  EXPECT_DOUBLE_EQ(rate.seconds, 256 * 100 / 2.5e6);
  EXPECT_EQ(last["contender/too-fast"].outcome, "failed");
  EXPECT_TRUE(contains(last["contender/too-fast"].reason, "impossible time"));
  EXPECT_EQ(last["contender/says-nothing"].outcome, "failed");
  EXPECT_TRUE(contains(last["contender/says-nothing"].reason, "it prints no rate that matches 'speed"));
  std::string tables;
  for (const auto& entry : fs::directory_iterator(on.path("report/tables")))
    if (entry.path().extension() == ".md") tables += on.work().read("report/tables/" + entry.path().filename().string());
  EXPECT_TRUE(contains(tables, "theirs (not checked)"));
  EXPECT_TRUE(contains(tables, "contender/rate, foreign, own rate, not checked"));
  EXPECT_TRUE(contains(on.work().read("report/index.html"), "Programs from outside this project: contender/rate"));
}

TEST_F(Contender, IsDoubtedIfAQuotaThrottlesIt) {
  // Like the kernel, the program counts throttled periods, but only once, in a folder that hides the real control groups.
  on.study("one", std::string(patient) + R"([[contender]]
name = "slow"
command = ["/bin/sh", "-c", "printf 'nr_periods 20\nnr_throttled 10\n' >/sys/fs/cgroup/cpu.stat; sleep 0.05; echo 'speed 2.5 MLUPS'"]
format = "none"
rate = 'speed ([0-9.]+) MLUPS'
steps = 100
cases = ["box-16"]
)");
  on.work().write("groups", R"(mount -t tmpfs none /sys/fs/cgroup || exit 77
echo 150000 100000 >/sys/fs/cgroup/cpu.max
printf 'nr_periods 10\nnr_throttled 2\n' >/sys/fs/cgroup/cpu.stat
exec "$LADDER" run one --machine here --out report
)");
  const ProcessResult result = on.shell_with_mounts("groups");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.err;
  const std::vector<Row> all = rows("one");
  EXPECT_EQ(std::ranges::count_if(all, [](const Row& row) { return contains(row.suspicious, "quota"); }), 1);
  const Provenance session = read_provenance(on.path("experiments/one/results/here." + all.back().session + ".json"));
  EXPECT_EQ(session.quota, 1.5);
  EXPECT_TRUE(contains(on.work().read("report/index.html"), "1.5 processors (cpu.max)"));
}

TEST_F(Contender, StoresNothingWithoutAFolderForTemporaryFiles) {
  const std::string text = std::string(head) + rung_block + block("right");
  on.study("one", text);
  const ProcessResult none = on.shell("TMPDIR=/nonexistent \"$LADDER\" run one --machine here --no-report");
  EXPECT_EQ(none.code, exit_bad_input);
  EXPECT_TRUE(contains(none.err, "not run, and nothing is stored: ")) << none.err;
  for (const Row& row : rows("one"))
    EXPECT_EQ(row.rung, skeleton);
  const ProcessResult next = run("one", text);
  EXPECT_EQ(next.code, exit_ok) << next.err;
  EXPECT_TRUE(contains(next.err, "continuing session"));
  EXPECT_EQ(rows("one").back().outcome, "ok");
}

TEST_F(Contender, StoresNothingWithoutInodes) {
  on.study("one", std::string(head) + block("right"));
  on.work().write("disk", "mkdir small\nmount -t tmpfs -o nr_inodes=5 none small || exit 77\n" +
                              std::string("TMPDIR=$PWD/small exec \"$LADDER\" run one --machine here --no-report\n"));
  const ProcessResult result = on.shell_with_mounts("disk");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "4 inodes are free, but the program's files may need 64")) << result.err;
  EXPECT_TRUE(rows("one").empty());
}

TEST_F(Contender, StoresNothingIfTheProgramThatRunsItIsKilled) {
  const std::string text =
      std::string(head) + "[[contender]]\nname = \"mine\"\ncases = [\"box-16\"]\ncommand = [\"/bin/sh\", " +
      "\"-c\", 'test -e " + on.path("mark") + " || { touch " + on.path("mark") + "; kill -$(cat " + on.path("signal") +
      ") $PPID; sleep 60; }; exec " + program("right") + " \"$0\" \"$1\"', \"{params}\", \"{obstacles}\"]\n";
  for (const auto& [signal, message] : std::map<std::string, std::string>{
           {"KILL", "was ended by signal 9, perhaps by the program"}, {"TERM", "ended with exit code 130"}}) {
    on.work().write("signal", signal);
    fs::remove(on.path("mark"));
    const ProcessResult killed = run("one", text);
    EXPECT_EQ(killed.code, exit_bad_input);
    EXPECT_TRUE(contains(killed.err, "uob-hpc, which runs the program, " + message)) << killed.err;
    EXPECT_TRUE(rows("one").empty());
  }
  EXPECT_EQ(run("one", text).code, exit_ok);
  EXPECT_EQ(rows("one").back().outcome, "ok");
}

TEST_F(Contender, IsWrongForAReasonThatNamesBothCriteria) {
  // It computes in single precision.
  const ProcessResult result = run("one", std::string(head) + block("right", "precision = \"f64\"\n"));
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  const Row row = rows("one").back();
  EXPECT_EQ(row.outcome, "wrong");
  EXPECT_TRUE(contains(row.reason, "; right by the coursework's criterion: ")) << row.reason;
  EXPECT_TRUE(contains(row.reason, " %; accepted is 1 %")) << row.reason;
}

TEST_F(Contender, IsLeftOutIfItIsOptionalAndMissing) {
  const std::string missing =
      "[[contender]]\nname = \"none\"\noptional = true\ncases = [\"box-16\"]\n"
      "command = [\"no-such-program\", \"{params}\", \"{obstacles}\"]\n";
  const ProcessResult result = run("one", std::string(head) + missing + block("right"));
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "contender 'none' is left out: there is no program 'no-such-program'")) << result.err;
  EXPECT_EQ(rows("one").back().rung, "contender/right");
}

TEST_F(Contender, IsRefusedIfTheFilesThatItNeedsExceedTheDisk) {
  on.study("one", "");
  on.work().write("experiments/one/big", "");
  std::error_code error;
  fs::resize_file(on.path("experiments/one/big"), fs::space(fs::temp_directory_path()).available + 1'000'000'000'000, error);
  if (error) GTEST_SKIP() << "no sparse files: " << error.message();
  const ProcessResult result = run("one", std::string(head) + block("right", "needs = [\"big\"]\n"));
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "big take ")) << result.err;
  EXPECT_TRUE(contains(result.err, " MB are free; accepted: TMPDIR names")) << result.err;
}

TEST_F(Contender, IsMeasuredUnderEachOfItsNames) {
  ASSERT_EQ(run("one", std::string(head) + block("right")).code, exit_ok);
  std::string again = block("right");
  again.replace(again.find("\"right\""), 7, "\"again\"");
  ASSERT_EQ(run("one", std::string(head) + block("right") + again).code, exit_ok);
  std::map<std::string, std::string> keys;
  for (const Row& row : rows("one"))
    if (row.kind == "sample") keys[row.rung] = row.key;
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_NE(keys["contender/right"], keys["contender/again"]);
}

TEST_F(Contender, RunsInAFolderOfItsOwnWithTheFilesThatItNeeds) {
  on.study("one", "");
  on.work().write("experiments/one/kernels.cl", "some kernel");
  const ProcessResult result = run("one", std::string(head) + R"([[contender]]
name = "lists"
command = ["/bin/sh", "-c", "ls | tr '\n' ' '; test $PWD = {out} && echo 'in out'; cat kernels.cl; echo 'time 0.001'; exit 5"]
needs = ["kernels.cl"]
format = "none"
steps = 1
cases = ["box-16"]
)");
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(rows("one").back().reason, "exit code 5: kernels.cl in out some kernel"));
}

/// Contenders that use MPI.
class ParallelContender : public Contender {
 protected:
  void SetUp() override {
    if (!fs::exists(program("with_mpi"))) GTEST_SKIP() << "this build has no MPI";
    if (usable_cores().size() < 2) GTEST_SKIP() << "two processes need two cores";
  }
  ProcessResult check(const std::string& name, std::vector<std::string> more) const {
    std::vector<std::string> words = {"check", "--program",   program(name),           "--steps",
                                      "100",   "--placement", "processes=2;threads=1", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }
};

TEST_F(ParallelContender, IsCheckedInSeveralProcesses) {
  const ProcessResult result = check("with_mpi", {"--case", "box-16", "--placement", "threads=1"});
  ASSERT_EQ(result.code, exit_ok) << result.out << result.err;
  const auto answer = nlohmann::json::parse(result.out);
  ASSERT_EQ(answer.size(), 2u);
  EXPECT_EQ(answer.at(0).at("placement"), "processes=2;threads=1");
  EXPECT_EQ(answer.at(1).at("placement"), "threads=1");
}

TEST_F(ParallelContender, ThatRefusesItsNumberOfProcessesFails) {
  const ProcessResult result = check("with_mpi", {"--case", "box-17"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  const auto answer = nlohmann::json::parse(result.out).at(0);
  EXPECT_EQ(answer.at("outcome"), "failed");
  EXPECT_EQ(answer.at("reason"), "exit code 1: 17 rows cannot be divided among 2 processes");
}

TEST_F(ParallelContender, ThatCrashesOrHangsCostsOneCell) {
  const ProcessResult crashed = check("crashes", {"--case", "box-16"});
  EXPECT_EQ(crashed.code, exit_check_failed) << crashed.err;
  EXPECT_EQ(nlohmann::json::parse(crashed.out).at(0).at("outcome"), "crashed") << crashed.out;
  const std::string placed = "placements = [\"processes=2;threads=1\"]\n";
  EXPECT_EQ(run("one", std::string(head) + block("hangs", placed) + block("with_mpi", placed)).code, exit_check_failed);
  EXPECT_EQ(rows("one").at(0).outcome, "timeout");
  EXPECT_EQ(rows("one").back().rung, "contender/with_mpi");
  EXPECT_EQ(rows("one").back().outcome, "ok") << rows("one").back().reason;
}

TEST_F(ParallelContender, IsStoredWithItsPlacementAndTotalTime) {
  ASSERT_EQ(run("one", std::string(head) + rung_block +
                           block("with_mpi",
                                 "placements = [\"processes=2;threads=1\"]\nfollows = \"" + std::string(skeleton) + "\"\n"))
                .code,
            exit_ok);
  for (const Row& row : rows("one")) {
    if (!row.is_foreign() || row.kind != "sample") continue;
    EXPECT_EQ(row.placement, "processes=2;threads=1");
    EXPECT_EQ(row.time_source, "program");
    EXPECT_GE(row.total_seconds, row.seconds);
    EXPECT_GT(row.cpu_seconds, 0);
  }
}

TEST_F(ParallelContender, StoresNothingIfItsLauncherFails) {
  const std::string placed = "[launcher]\ncommand = [\"false\", \"{processes}\"]\n";
  const ProcessResult result =
      run("one", std::string(head) + placed + block("with_mpi", "placements = [\"processes=2;threads=1\"]\n"));
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "not run, and nothing is stored: false did not start it")) << result.err;
  EXPECT_TRUE(rows("one").empty());
}

TEST_F(ParallelContender, IsNotToBlameIfNoProgramCanStartMpi) {
  const Installation with_mpi({fs::path(LADDER_BIN) / "rungs/d2q9/mpi/01_messages/default"},
                              {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
  const ProcessResult result =
      with_mpi.ladder({"check", "--program", program("with_mpi"), "--case", "box-16", "--steps", "20", "--placement",
                       "processes=2;threads=1", "--launcher", "mpirun --mca btl none -n {processes}"});
  EXPECT_EQ(result.code, exit_bad_input) << result.out;
  EXPECT_TRUE(contains(result.err, "ladder: mpirun did not start it: ")) << result.err;
}

TEST_F(ParallelContender, BlamesTheLauncherForOtherNumbersOfProcessesAndItsOwnEnd) {
  const fs::path launcher = on.path("launcher");
  const std::vector<std::pair<std::string, std::string>> launchers = {
      {"shift; exec \"$@\"", "launcher started echo 1 times instead of 2"},
      {"shift; \"$@\"; \"$@\"; \"$@\"", "launcher started echo 3 times instead of 2"},
      {"exit 0", "launcher started echo 0 times instead of 2"},
      {"exit 1", "launcher did not start it: exit code 1"},
      {"exit 7", "launcher did not start it: exit code 7"},
      {"kill -9 $$", "launcher failed: ended by signal 9 (Killed)"}};
  for (const auto& [script, message] : launchers) {
    std::ofstream(launcher) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(launcher, fs::perms::owner_all);
    const ProcessResult result = check("with_mpi", {"--case", "box-16", "--launcher", launcher.string() + " {processes}"});
    EXPECT_EQ(result.code, exit_bad_input) << script;
    EXPECT_TRUE(contains(result.err, message)) << script << ": " << result.err;
  }
}

TEST_F(ParallelContender, StoresNothingIfItsLauncherFailsLater) {
  const fs::path launcher = on.path("launcher");
  const auto install = [&](const std::string& script) {
    std::ofstream(launcher) << "#!/bin/sh\necho >>" << on.path("calls") << "\n" << script << "\nshift; \"$@\"; \"$@\"\n";
    fs::permissions(launcher, fs::perms::owner_all);
  };
  const std::string text = std::string(head) + "[launcher]\ncommand = [\"" + launcher.string() + "\", \"{processes}\"]\n" +
                           block("silent", "placements = [\"processes=2;threads=1\"]\n");
  // A trial of the launcher and two runs of the check come before the first sample.
  for (const auto& [calls, kinds] : std::map<std::string, std::vector<std::string>>{{"1", {}}, {"3", {"check"}}}) {
    fs::remove(on.path("calls"));
    fs::remove_all(on.path("experiments/one/results"));
    install("[ $(wc -l <" + on.path("calls") + ") -le " + calls + " ] || { echo 'no slots' >&2; exit 1; }");
    const ProcessResult failed = run("one", text);
    EXPECT_EQ(failed.code, exit_bad_input) << failed.err;
    EXPECT_TRUE(contains(failed.err, "not run, and nothing is stored: launcher did not start it: no slots")) << failed.err;
    std::vector<std::string> stored;
    for (const Row& row : rows("one"))
      stored.push_back(row.kind);
    EXPECT_EQ(stored, kinds);
    install("");
    EXPECT_EQ(run("one", text).code, exit_ok);
    EXPECT_EQ(rows("one").back().outcome, "ok");
  }
}

/// A [[contender]] block with one wrong line, and a part of the error message.
struct BadBlock {
  std::string name, text;
  int line;
  std::string message;

  friend void PrintTo(const BadBlock& bad, std::ostream* out) { *out << bad.name; }
};

class BadContender : public testing::TestWithParam<BadBlock> {};

TEST_P(BadContender, IsRefusedWithFileLineAndValue) {
  const Installation on;
  const auto& [name, text, line, message] = GetParam();
  const std::string file = on.study("one", text);
  const ProcessResult result = on.ladder({"run", "one", "--no-report"});
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, file + ":" + std::to_string(line) + ": "));
  EXPECT_TRUE(contains(result.err, message));
}

std::vector<BadBlock> bad_blocks() {
  const std::string begin = "[[contender]]\nname = \"x\"\n";
  const std::string command = "command = [\"" + program("right") + "\", \"{params}\", \"{obstacles}\"]\n";
  const std::string cases = "cases = [\"box-16\"]\n";
  const std::string good = begin + command + cases;
  const std::string unchecked = begin + "command = [\"" + program("right") + "\", \"{nx}\"]\n" + cases + "format = \"none\"\n";
  return {
      {"NoName", "[[contender]]\n" + command + cases, 1, "no 'name'"},
      {"NoCommand", begin + cases, 1, "no 'command'"},
      {"NoCases", begin + command, 1, "no 'cases'"},
      {"NameWithASlash", "[[contender]]\nname = \"a/b\"\n" + command + cases, 2, "name: 'a/b'; accepted: at most 80 letters"},
      {"UnknownKey", good + "needz = [\"a\"]\n", 5, "'needs'"},
      {"UnknownPlaceholder", begin + "command = [\"true\", \"{params}\", \"{obstacles}\", \"{seed}\"]\n" + cases, 3,
       "'{seed}'; accepted: {params}, {obstacles}"},
      {"NoObstacles", begin + "command = [\"true\", \"{params}\"]\n" + cases, 3, "a command with {params} and {obstacles}"},
      {"NoSuchProgram", begin + "command = [\"./none\", \"{params}\", \"{obstacles}\"]\n" + cases, 1,
       "is not an executable file"},
      {"UnknownCase", begin + command + "cases = [\"bok-16\"]\n", 1, "unknown case 'bok-16'"},
      {"UnknownFormat", good + "format = \"vtk\"\n", 5, "'vtk'; accepted: uob-hpc, none"},
      {"NoneWithoutSteps", unchecked, 5, "accepted with it: 'steps'"},
      {"FilesWithoutFormat", good + "format = \"none\"\nsteps = 1\n", 3,
       "'{params}'; accepted: {out}, {nx}, {ny}, {nz}, {steps}"},
      {"UnknownModel", unchecked + "steps = 1\nmodel = \"d2q8\"\n", 1, "unknown model 'd2q8'"},
      {"ModelOfAnotherFormat", good + "model = \"d3q19\"\n", 5, "accepted with format uob-hpc: d2q9"},
      {"Precision", good + "precision = \"f23\"\n", 5, "precision 'f23'"},
      {"PatternWithoutAGroup", good + "time = 'seconds'\n", 5, "a regular expression with one group"},
      {"PatternThatIsNone", good + "time = '('\n", 5, "time: '('"},
      {"TimeAndRate", good + "time = '(1)'\nrate = '(2)'\n", 6, "'time' or 'rate', not both"},
      {"TimeUnitOfARate", good + "rate = '(2)'\ntime_unit = \"ms\"\n", 6, "time_unit: 'ms'; accepted only without 'rate'"},
      {"TimeUnit", good + "time_unit = \"days\"\n", 5, "'days'"},
      {"FilesOutside", good + "files = [\"../a\", \"b\"]\n", 5, "'../a'; accepted: a file in the folder"},
      {"FileThatIsTheFolder", good + "files = [\"./\", \"b\"]\n", 5, "'./'; accepted: a file in the folder"},
      {"FileWithANul", good + "files = [\"a\\u0000\", \"b\"]\n", 5, "'a\\u0000'; accepted: text without NUL characters"},
      {"FileWithALongName", good + "files = [\"" + std::string(256, 'a') + "\", \"b\"]\n", 5,
       "a'; accepted: a file in the folder"},
      {"FileTwice", good + "files = [\"a\", \"./a\"]\n", 5,
       "'a' and './a' clash; accepted: different files, read instead of final_state.dat"},
      {"FileInAFile", good + "files = [\"a/b\", \"a\"]\n", 5, "'a/b' and 'a' clash; accepted: different files"},
      {"FileThatIsAnInput", good + "files = [\"a\", \"obstacles.dat\"]\n", 5,
       "'obstacles.dat' and 'obstacles.dat' clash; accepted: different files"},
      {"OneFile", good + "files = [\"a\"]\n", 5, "accepted: 2, read instead of final_state.dat and av_vels.dat"},
      {"MissingNeed", good + "needs = [\"kernels.cl\"]\n", 1, "kernels.cl: no such file"},
      {"UnknownPlacement", good + "placements = [\"ranks=2\"]\n", 5, "placement 'ranks=2': accepted is name=value"},
      {"SeveralNodes", good + "placements = [\"nodes=2;processes=2\"]\n", 5,
       "'nodes=2;processes=2'; accepted: processes and threads on one node"},
      {"UnknownRungToFollow", good + "follows = \"d2q9/serial/99\"\n", 1, "unknown rung 'd2q9/serial/99'"},
      {"CheckLongerThanASample", good + "steps = 5\ncheck_steps = 6\n", 6, "check_steps: 6; accepted: at most the 5 steps"},
      {"SecondOfAName", good + good, 5, "a second contender 'x'"},
  };
}

INSTANTIATE_TEST_SUITE_P(Contender, BadContender, testing::ValuesIn(bad_blocks()), [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace ladder::test
