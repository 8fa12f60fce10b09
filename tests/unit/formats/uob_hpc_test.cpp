// The comparison of result files in the UoB-HPC format, and the credibility of a program's printed time.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "formats/foreign_run.hpp"
#include "formats/uob_files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr UobRun run = {3, 3, 2};

std::string state_text() {
  std::string text;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      text += std::to_string(x) + " " + std::to_string(y) + " 1.0E-02 0.0E+00 1.0E-02 3.0E-02 " + (x == 0 ? "1" : "0") + "\n";
  return text;
}
constexpr const char* speeds_text = "0:\t1.0E-03\n1:\t2.0E-03\n";

class UobFiles : public testing::Test {
 protected:
  Folder folder;

  UobResults read(const std::string& state, const std::string& speeds) const {
    return read_uob_results(folder.write("final_state.dat", state), folder.write("av_vels.dat", speeds), run);
  }
  std::string refusal(const std::string& state, const std::string& speeds) const {
    try {
      read(state, speeds);
    } catch (const BadResult& e) {
      return e.what();
    }
    return "";
  }
  static UobComparison compare(const UobResults& got, const UobResults& reference) {
    return compare_uob(got, reference, run, find_number("f32"), "final_state.dat", "av_vels.dat");
  }
};

TEST_F(UobFiles, AreReadWhateverTheBlanks) {
  const UobResults results = read(state_text(), "0: 1e-3\r\n 1\t+.002\n\n");
  ASSERT_EQ(results.sites.size(), 9u);
  EXPECT_EQ(results.sites[4], (std::array<double, 4>{0.01, 0, 0.01, 0.03}));
  EXPECT_TRUE(results.solid[3]);
  EXPECT_FALSE(results.solid[4]);
  EXPECT_EQ(results.speeds, (std::vector<double>{0.001, 0.002}));
}

TEST_F(UobFiles, ThatAreNotWholeAreRefused) {
  const std::string state = state_text();
  EXPECT_TRUE(contains(refusal(state.substr(0, state.size() - 3), speeds_text), "final_state.dat ends within line 9"));
  EXPECT_TRUE(contains(refusal(state + "0 3 1 1 1 1 0\n", speeds_text), "final_state.dat has more than 9 lines"));
  EXPECT_TRUE(contains(refusal("1" + state, speeds_text), "final_state.dat:1: x is expected to be 0"));
  EXPECT_TRUE(contains(refusal(state, "0:\t1.0\n"), "av_vels.dat ends within line 2; accepted: 2 whole lines"));
  EXPECT_TRUE(contains(refusal(state, "0:\t1.0\n1:\tx\n"), "av_vels.dat:2: the average speed is missing"));
  EXPECT_TRUE(contains(refusal(state, "0:\t1.0\n2:\t1\n"), "av_vels.dat:2: the step is expected to be 1"));
  EXPECT_TRUE(contains(refusal(state, "0:\t1.0 7\n1:\t1\n"), "the end of the line"));
  EXPECT_TRUE(
      contains(refusal(state.substr(0, state.size() - 2) + "nan\n", speeds_text), "final_state.dat:9: a finite obstacle flag"));
  EXPECT_TRUE(contains(refusal(state, ""), "av_vels.dat ends within line 1"));
  EXPECT_TRUE(contains(refusal(state, std::string(100'000, '1')), "too many for 2 lines"));
}

/// How much the resident memory of a child process grows while it does the work.
long growth_in_child(const std::function<void()>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    work();
    getrusage(RUSAGE_SELF, &after);
    const long kilobytes = after.ru_maxrss - before.ru_maxrss;
    _exit(write(ends[1], &kilobytes, sizeof kilobytes) == sizeof kilobytes ? 0 : 1);
  }
  close(ends[1]);
  long kilobytes = -1;
  const bool is_whole = read(ends[0], &kilobytes, sizeof kilobytes) == sizeof kilobytes;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return is_whole ? kilobytes : -1;
}

TEST_F(UobFiles, NeedLittleMemory) {
  UobRun longer = run;
  longer.steps = 100'000;
  std::string speeds;
  for (int step = 0; step < longer.steps; ++step)
    speeds += std::to_string(step) + ":\t1.0E-03" + std::string(400, ' ') + '\n';
  const auto av_vels = folder.write("av_vels.dat", speeds), state = folder.write("final_state.dat", state_text());
  const long kilobytes = growth_in_child([&] { read_uob_results(state, av_vels, longer); });
  EXPECT_GE(kilobytes, 0);
  EXPECT_LT(kilobytes, 20'000) << "the file has 42 MB";
}

TEST_F(UobFiles, WithALineThatDoesNotEndAreRefused) {
  EXPECT_TRUE(contains(refusal(state_text(), "0:" + std::string(5000, ' ') + "1.0E-03\n1:\t2.0E-03\n"),
                       "av_vels.dat:1: the line is too long"));
}

TEST(ForeignCommand, ReplacesPlaceholdersOnce) {
  const Folder outer;
  const auto folder = outer.path() / "{params}";
  std::filesystem::create_directory(folder);
  ForeignProgram program;
  program.command = {"/bin/sh", "-c", "echo \"$1 $2\" >got", "sh", "{params}", "-n={nx}x{ny}"};
  program.sides = {4, 5, 1};
  program.timeout_seconds = 20;
  run_foreign(program, 1, folder, {{"{params}", (folder / "in").string()}}, "time");
  EXPECT_EQ(outer.read("{params}/got"), (folder / "in").string() + " -n=4x5\n");
}

TEST(ForeignCommand, NamesAMissingInterpreter) {
  const Folder folder;
  const auto reason = [&](const std::string& text) {
    const auto script = folder.write("mine", text);
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    ForeignProgram program;
    program.command = {script.string()};
    program.timeout_seconds = 20;
    return run_foreign(program, 1, folder.path(), {}, "time").outcome.reason;
  };
  EXPECT_TRUE(contains(reason("#!/bin/sh\r\nexit 0\r\n"), "its interpreter '/bin/sh\\r' does not exist"));
  EXPECT_TRUE(contains(reason("#! /none/python -u\n"), "its interpreter '/none/python' does not exist"));
  EXPECT_EQ(reason("#!/bin/sh\nexit 127\n"), "exit code 127");
}

TEST_F(UobFiles, ThatAreMissingOrLinksAreRefused) {
  const auto message = [&](const std::string& name) {
    try {
      read_uob_results(folder.path() / name, folder.path() / "av_vels.dat", run);
    } catch (const BadResult& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("final_state.dat"), "av_vels.dat is not written");
  folder.write("av_vels.dat", speeds_text);
  std::filesystem::create_symlink("av_vels.dat", folder.path() / "link");
  EXPECT_EQ(message("link"), "link is not a regular file");
  EXPECT_EQ(message(""), " is not a regular file");
}

TEST_F(UobFiles, AgreeWithThemselves) {
  const UobResults results = read(state_text(), speeds_text);
  const UobComparison same = compare(results, results);
  EXPECT_EQ(same.wrong, "");
  EXPECT_EQ(same.error, 0);
  EXPECT_EQ(same.relative_error, 0);
}

TEST_F(UobFiles, AreComparedAsTheCheckScriptDoes) {
  const UobResults reference = read(state_text(), speeds_text);
  UobResults got = reference;
  got.speeds[1] = 0.00198;  // off by (0.002 - 0.00198) / 0.00198 > 1 %
  EXPECT_EQ(compare(got, reference).wrong,
            "av_vels.dat:2: average speed of step 1 is 0.00198, reference 0.002: 1.01 % apart, accepted is 1 %");
  got.speeds[1] = 0.00202;  // off by less than 1 % of itself
  EXPECT_EQ(compare(got, reference).wrong, "");
  EXPECT_NEAR(compare(got, reference).relative_error, 0.0099, 1e-4);
  got.sites[5][3] = 0.02;
  EXPECT_TRUE(contains(compare(got, reference).wrong, "final_state.dat:6: pressure of (2, 1) is 0.02, reference 0.03: 50 %"));
}

TEST_F(UobFiles, AreComparedWithOurToleranceToo) {
  const UobResults reference = read(state_text(), speeds_text);
  UobResults got = reference;
  got.sites[4][3] *= 1.001;  // the script would accept this
  const UobComparison compared = compare(got, reference);
  EXPECT_NEAR(compared.error, 0.001, 1e-9);
  EXPECT_LT(compared.tolerance, 0.001);
  EXPECT_TRUE(contains(compared.wrong, "final_state.dat:5: pressure of (1, 1)"));
  EXPECT_TRUE(contains(compared.wrong, "error 0.001 > "));
  got = reference;
  got.sites[4][0] = 0.02;  // the script ignores velocities
  EXPECT_TRUE(contains(compare(got, reference).wrong, "velocity along x of (1, 1)"));
  got = reference;
  got.solid[8] = true;
  EXPECT_EQ(compare(got, reference).wrong, "final_state.dat:9: obstacle flag of (2, 2) is 1, reference 0");
}

TEST_F(UobFiles, WithNanAreNeverRight) {
  const UobResults reference = read(state_text(), speeds_text);
  for (std::size_t field = 0; field < 4; ++field) {
    UobResults got = reference;
    got.sites[7][field] = nan;
    EXPECT_NE(compare(got, reference).wrong, "") << field;
    EXPECT_TRUE(std::isnan(compare(got, reference).error)) << field;
    EXPECT_TRUE(contains(not_finite(got, run, "final_state.dat", "av_vels.dat"), "final_state.dat:8: "));
  }
  const UobResults infinite = read(state_text(), "0: 1\n1: 1e999\n");
  EXPECT_EQ(not_finite(infinite, run, "f", "av_vels.dat"), "av_vels.dat:2: average speed of step 1 is inf");
}

TEST_F(UobFiles, OfMoreStepsAreComparedByTheirFirstSpeeds) {
  const UobResults reference = read(state_text(), speeds_text);
  UobResults got = reference;
  got.speeds.push_back(0.5);
  got.sites[4][3] = 9;
  EXPECT_EQ(compare(got, reference).wrong, "");
  got.speeds[0] = 0.5;
  EXPECT_TRUE(contains(compare(got, reference).wrong, "av_vels.dat:1: "));
}

TEST(PrintedNumber, IsTheLastThatMatches) {
  EXPECT_EQ(find_number_in("time: 1.5 s\nother\ntime: 2e-3 s\r", "time: ([0-9.e-]+)"), 0.002);
  EXPECT_EQ(find_number_in("time: now\n", "time: ([0-9]+)"), std::nullopt);
  EXPECT_EQ(find_number_in("time: 1.2.3\n", "time: ([0-9.]+)"), std::nullopt) << "not a number";
  EXPECT_EQ(find_number_in(std::string(1'000'000, 'a') + "\ntime: 3\n", "(?:a|b)*time: ([0-9]+)"), 3);
  EXPECT_EQ(find_number_in(std::string(1000, 'a') + "!\ntime: 3\n", "(?:a+)+$|time: ([0-9]+)"), 3)
      << "backtracking takes forever";
}

TEST(PrintedTime, IsReadWithItsUnit) {
  const std::pair<const char*, double> texts[] = {{"512 ms", 0.512},
                                                  {"149ms(s)", 0.149},
                                                  {"0,31 (s)", 0.31},
                                                  {"0.5", 0.5},
                                                  {"5.", 5},
                                                  {"1m30.5s", 90.5},
                                                  {"1h2m3s", 3723},
                                                  {"2 minutes 3 s", 123},
                                                  {"2 min", 120},
                                                  {"1:02.5", 62.5},
                                                  {"0:01:02,5", 62.5},
                                                  {"250 \u00b5s", 250e-6},
                                                  {"250 \u03bcs", 250e-6},
                                                  {"7us", 7e-6},
                                                  {"40 ns", 40e-9},
                                                  {"1,234.5 s", 1234.5},
                                                  {"1.234,5 s", 1234.5},
                                                  {"1,234,567 us", 1.234567},
                                                  {"1.5E-03 s", 1.5e-3},
                                                  {"+3e2ms", 0.3},
                                                  {"-1 s", -1},
                                                  {"0.5 s 100 steps", 0.5},
                                                  {"3 s, 20 ms a step", 3},
                                                  {"2 Seconds", 2},
                                                  {"0.25, that is fast", 0.25},
                                                  {"12 cells", 12},
                                                  {"0.5 (min of 3)", 0.5},
                                                  {"0.5 [min]", 30},
                                                  {"500 (ms in all)", 0.5},
                                                  {"0.03 ks", 30},
                                                  {"1 day", 86400},
                                                  {"1.5D-03 s", 1.5e-3},
                                                  {"30,696 s", 30.696},
                                                  {"0,696 ms", 696e-6},
                                                  {"30,69 ms", 0.03069},
                                                  {"30,696 us", -100},
                                                  {"691 us/step", -100},
                                                  {"691 (us/step)", -100},
                                                  {"0.691 ms per step", -100},
                                                  {"0.691 (ms per step)", -100},
                                                  {"0.000691 per step", -100},
                                                  {"691 us a step", -100},
                                                  {"0.02/step", -100},
                                                  {"20 ms per-step", -100},
                                                  {"20 ms PER\tSTEP", -100},
                                                  {"20 ms each step", -100},
                                                  {"20 ms (average per step)", -100},
                                                  {"20 ms @ step", -100},
                                                  {"20 ms step\u207b\u00b9", -100},
                                                  {"0.2 (paper run)", 0.2},
                                                  {"0.2 super run", 0.2},
                                                  {"0.31 s @ 2.4 GHz", 0.31},
                                                  {"20 ms step^-1", -100},
                                                  {"3 s (20 ms per step)", 3},
                                                  {"3 (0.003 per step)", 3},
                                                  {"3 s for 1000 steps (3 ms per step)", 3},
                                                  {"3 s 20 ms per step", 3},
                                                  {"1 s 100 ms", 1.1},
                                                  {"1'234 ms", -100},
                                                  {"1\u202f234 ms", -100},
                                                  {"1\u2007234 ms", -100},
                                                  {"1_234 ms", -100},
                                                  {"0.25 centiseconds", -100},
                                                  {"0.2 MS", -100},
                                                  {"20cs", -100},
                                                  {"2 (dsec)", -100},
                                                  {"4.5e5 cycles", -100},
                                                  {"0.2 of 0.3 s", -100},
                                                  {"0.3 on 4 threads", 0.3},
                                                  {"0.3 for 50 steps", 0.3},
                                                  {"2 500 ms", -100},
                                                  {"1 999 999 us", -100},
                                                  {"1 205,5 ms", -100},
                                                  {"0.512 256 256", 0.512},
                                                  {"0.25 (min 0.24, max 0.27)", 0.25},
                                                  {"0.25 (min over 5 runs)", 0.25},
                                                  {"0.25 S", 0.25},
                                                  {"0.25 is the best", 0.25},
                                                  {"0.25 as measured", 0.25},
                                                  {"1 s 500 000 us", -100},
                                                  {"0.5 50 steps", 0.5},
                                                  {"0.5 1000 steps", 0.5},
                                                  {"0,1,2", -100},
                                                  {"1d12h", 129600},
                                                  {"[ms]", -100},
                                                  {"1.2.3 s", -100},
                                                  {"", -100},
                                                  {".", -100}};
  for (const auto& [text, seconds] : texts)
    EXPECT_DOUBLE_EQ(parse_printed_time(text, "").value_or(-100), seconds) << text;
  EXPECT_DOUBLE_EQ(parse_printed_time("512 (s)", "ms").value(), 0.512) << "a unit that is given wins";
  EXPECT_EQ(parse_printed_time("30,696", "us"), std::nullopt) << "30.696 or 30,696?";
}

TEST(PrintedTime, IsTheLastThatMatches) {
  const char* const group = R"(time(?: \([a-z]+\))?: (\S+))";
  EXPECT_EQ(find_time_in("time: 3 s\ntime: 2 ms\n", group, ""), 0.002);
  EXPECT_EQ(find_time_in("time: 3 s\ntime: soon\n", group, ""), 3);
  EXPECT_EQ(find_time_in("time (ms): 512\n", group, ""), 0.512);
  EXPECT_EQ(find_time_in("time (min of 3): 0.5\n", R"(time(?: \([^)]*\))?: (\S+))", ""), 0.5);
  for (const char* const text : {"time (us/step): 691\n", "time (ms per step): 0.691\n", "time [us / step]: 691\n",
                                 "time (per step): 0.01 s\n", "time (s, per step): 0.01\n", "time (in ms/step): 0.691\n"})
    EXPECT_EQ(find_time_in(text, R"(time(?: [(\[][^)\]]*[)\]])?: (\S+))", ""), std::nullopt) << text;
  EXPECT_EQ(find_time_in("time: 2 s\ntime: 10 ms (per step)\n", group, ""), 2);
  for (const char* const text : {"time (ms): 0.2 s\n", "time (s): 1m30s\n", "time (ms): 20 cs\n", "time (cycles): 512\n"})
    EXPECT_EQ(find_time_in(text, group, ""), std::nullopt) << text;
  EXPECT_EQ(find_time_in("time (ms): 512 ms\n", group, ""), 0.512);
  EXPECT_EQ(find_time_in("time (s): 1.5D-03\n", group, ""), 0.0015);
  for (const char* const label : {"", "[1,0]<stdout>:", "[0] ", "0: "})
    EXPECT_EQ(find_time_in(label + std::string("Elapsed time (min over ranks): 0.25 s\n"), elapsed_pattern(""), ""), 0.25)
        << label;
  EXPECT_EQ(find_time_in("time (ms): 512 s\n", group, "s"), 512) << "a unit that is given wins";
  for (const char* const text : {"time (wall/CPU): 0.2\n", "time (in ms): 200\n"})
    EXPECT_EQ(find_time_in(text, R"(time(?: [(\[][^)\]]*[)\]])?: (\S+))", ""), 0.2) << text;
  for (const char* const text : {"time: 1,5 ms", "time: 1:30", "time: 0,31 s"})
    EXPECT_EQ(find_time_in(text, "time: ([0-9.]+)", ""), std::nullopt) << text;
  EXPECT_EQ(find_time_in("Elapsed time: 1:02.5\n", elapsed_pattern(""), ""), 62.5);
  EXPECT_EQ(find_time_in(" \tElapsed time: 0.2 s\nMPI elapsed time: 0.01 s\n", elapsed_pattern(""), ""), 0.2) << "of a part";
  EXPECT_EQ(find_time_in(std::string(5000, '1') + "x\n", "^([0-9]+)x", ""), std::nullopt) << "the middle of a line";
  for (const char* const text : {"time=0.15,200", "time=0.15:16", "time=0.15.1"})
    EXPECT_EQ(find_time_in(text, "time=([0-9]+[.][0-9]+)", ""), 0.15) << text;
  EXPECT_EQ(find_time_in(std::string(5000, '.') + " time: 0.4 s", group, ""), 0.4);
  EXPECT_EQ(find_time_in("no such line", group, ""), std::nullopt);
  std::string long_text = "time: 2 s\n";
  while (long_text.size() < 1'000'000)
    long_text += "step done\n";
  EXPECT_EQ(find_time_in(long_text, group, ""), 2);
}

/// The run of a shell script, started with `launcher` if there is one.
ForeignRun run_of(const std::string& script, const std::vector<std::string>& launcher = {}) {
  const Folder folder;
  ForeignProgram program;
  program.command = {"/bin/sh", "-c", script};
  program.launcher = launcher;
  program.timeout_seconds = 20;
  return run_foreign(program, 1, folder.path(), {}, elapsed_pattern("(?:[Cc]ompute )?"));
}

TEST(PrintedTime, IsAlsoTheTotalOfThreeParts) {
  const std::string three = "sleep 0.1; echo 'Elapsed Init time: 10 ms'; echo 'Elapsed Compute time: 0.02 (s)';";
  const ForeignRun run = run_of(three + "echo 'Elapsed Collate time: 0.03'");
  EXPECT_EQ(run.times.seconds, 0.02);
  EXPECT_NEAR(run.times.total_seconds, 0.06, 1e-12);
  EXPECT_TRUE(std::isnan(run_of(three).times.total_seconds)) << "one part is missing";
  EXPECT_TRUE(std::isnan(run_of(three + "echo 'Elapsed Collate time: 30'").times.total_seconds)) << "longer than the run";
}

TEST(ForeignCommand, IsStartedByItsLauncher) {
  // Behaves like mpirun, which starts the program, and adds paragraphs between lines of dashes.
  const std::vector<std::string> launcher = {
      "/bin/sh", "-c", "\"$@\"; code=$?; printf -- '-------\\nmpirun says more\\n-------\\n' >&2; exit $code", "sh"};
  EXPECT_EQ(run_of("echo 'Elapsed time: 0.01'", launcher).times.seconds, 0.01);
  const ForeignRun failed = run_of("echo 'not among 3' >&2; echo 'not among 3' >&2; exit 7", launcher);
  EXPECT_EQ(failed.outcome.name, "failed");
  EXPECT_EQ(failed.outcome.reason, "exit code 7: not among 3");
  EXPECT_EQ(run_of("exit 7", launcher).outcome.reason, "exit code 7: mpirun says more");
  const ForeignRun crashed = run_of("exit 134", launcher);
  EXPECT_EQ(crashed.outcome.name, "crashed");
  EXPECT_TRUE(contains(crashed.outcome.reason, "signal 6")) << crashed.outcome.reason;
}

TEST(PrintedTime, OfSeveralProcessesIsTheLargest) {
  const std::string ranks =
      "sleep 0.1; for t in 0.02 0.03 0.01; do for part in Init Compute Collate; do echo \"Elapsed $part time: $t\"; done; done";
  const ForeignTimes times = run_of(ranks, {"/usr/bin/env"}).times;
  EXPECT_EQ(times.seconds, 0.03);
  EXPECT_NEAR(times.total_seconds, 0.09, 1e-12);
  EXPECT_EQ(run_of(ranks).times.seconds, 0.01) << "one process: the last";
}

TEST(ForeignCommand, MayExitWithALargeCodeUnderALauncher) {
  const std::vector<std::string> launcher = {"/usr/bin/env"};
  for (const int code : {129, 130, 200, 255}) {
    const Outcome outcome = run_of(fmt::format("echo 'no input' >&2; exit {}", code), launcher).outcome;
    EXPECT_EQ(outcome.name, "failed");
    EXPECT_EQ(outcome.reason, fmt::format("exit code {}: no input", code));
  }
  for (const int code : {132, 134, 135, 136, 137, 139})
    EXPECT_EQ(run_of(fmt::format("exit {}", code), launcher).outcome.name, "crashed") << code;
}

TEST(ForeignCommand, KeepsItsMessageNextToThoseOfALauncher) {
  const std::string after =
      "\"$@\"; code=$?; printf -- '-------\\nPrimary job  terminated normally, but\\na non-zero exit "
      "code.\\n-------\\n-------\\n"
      "mpirun detected that one or more\\n\\n  Exit code: 7\\n-------\\n' >&2; exit $code";
  const std::vector<std::string> launcher = {"/bin/sh", "-c", after, "sh"};
  const auto reason = [&](const std::string& script) { return run_of(script + "; exit 7", launcher).outcome.reason; };
  EXPECT_EQ(reason("echo '-----' >&2; echo 'bad input' >&2"), "exit code 7: bad input");
  EXPECT_EQ(reason("echo 'bad' >&2; echo '------' >&2; echo 'input' >&2; echo '------' >&2"), "exit code 7: bad input");
  EXPECT_EQ(reason("echo 'bad input'"), "exit code 7: bad input");
  EXPECT_EQ(reason("true"), "exit code 7");
}

TEST(PrintedTime, IsImpossibleIfTheProcessEndedBefore) {
  EXPECT_EQ(why_impossible({.source = "program", .seconds = 1, .wall_seconds = 1.1, .cpu_seconds = 1}, {}, 2), "");
  EXPECT_TRUE(contains(why_impossible({.source = "program", .seconds = 2, .wall_seconds = 1.1, .cpu_seconds = 1}, {}, 2),
                       "ran for 1.1 s"));
  EXPECT_TRUE(contains(why_impossible({.source = "program", .seconds = 512, .wall_seconds = 0.6, .cpu_seconds = 1}, {}, 2),
                       "as ms, 0.512 s would be possible (--time-unit ms)"));
}

TEST(PrintedTime, IsImpossibleIfTwoStepsTakeLonger) {
  const ForeignTimes start = {.source = "program", .seconds = 1e-4, .wall_seconds = 2, .cpu_seconds = 2};
  EXPECT_TRUE(contains(why_impossible({.source = "program", .seconds = 0.1, .wall_seconds = 1, .cpu_seconds = 1}, start, 2),
                       "two steps take 2 s, but the whole run takes 1 s"));
  EXPECT_EQ(why_impossible({.source = "program", .seconds = 0.1, .wall_seconds = 1.9, .cpu_seconds = 1.9}, start, 2), "");
}

TEST(PrintedTime, IsImpossibleIfNoMachineIsSoFast) {
  const ForeignTimes times = {.source = "program", .seconds = 1, .wall_seconds = 1, .cpu_seconds = 1};
  EXPECT_EQ(why_too_fast(times, 9e9, 2, false), "") << "a billion sites per second";
  EXPECT_TRUE(contains(why_too_fast(times, 9e12, 2, false), "2 cores cannot exceed"));
  EXPECT_EQ(why_too_fast(times, 9e12, 2, true), "");
  EXPECT_TRUE(contains(why_too_fast(times, 9e15, 2, true), "its cores and GPUs cannot exceed"));
  const ForeignTimes idle = {.source = "wall", .seconds = 1, .wall_seconds = 1, .cpu_seconds = 0.01};
  EXPECT_TRUE(contains(why_too_fast(idle, 9e10, 2, false), "s of processor time"));
}

TEST(PrintedTime, IsImpossibleIfTheProcessWorkedForMuchLonger) {
  const ForeignTimes start = {.source = "program", .seconds = 1e-4, .wall_seconds = 0.5, .cpu_seconds = 0.5};
  const auto why = [&](double seconds, double wall, double cpu) {
    return why_impossible({.source = "program", .seconds = seconds, .wall_seconds = wall, .cpu_seconds = cpu}, start, 2);
  };
  EXPECT_EQ(why(1.0, 1.5, 2.4), "") << "two threads";
  EXPECT_EQ(why(1.0, 3.5, 1.5), "") << "a busy machine";
  EXPECT_TRUE(contains(why(0.01, 1.5, 0.5), "ran 1 s longer than for two steps")) << "a GPU's work";
  EXPECT_TRUE(contains(why(0.001, 0.7, 0.7), "used 0.2 s of processor time more"));
}

TEST(PrintedTime, MayDifferFromTheProcessorTimeByHalfOfALaunchersStart) {
  const ForeignTimes start = {.source = "program", .seconds = 1e-4, .wall_seconds = 0.5, .cpu_seconds = 0.2};
  const auto why = [&](double cpu, bool is_launched) {
    return why_impossible(
        {.source = "program", .seconds = 0.001, .wall_seconds = 0.6, .cpu_seconds = cpu, .is_launched = is_launched}, start, 2);
  };
  EXPECT_EQ(why(0.34, true), "");
  EXPECT_TRUE(contains(why(0.34, false), "used 0.14 s of processor time more"));
  EXPECT_TRUE(contains(why(0.37, true), "used 0.17 s of processor time more"));
  EXPECT_TRUE(run_of("true", {"/usr/bin/env"}).times.is_launched);
}

}  // namespace
}  // namespace ladder::test
