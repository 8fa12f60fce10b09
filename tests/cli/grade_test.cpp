// `ladder grade`: the programs of a class in one table.
#include "program/grade.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "harness/record/csv.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/launch.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

void submit(const Installation& on, const std::string& path, const std::string& program) {
  fs::create_directories(fs::path(on.path(path)).parent_path());
  fs::copy_file(fs::path(LADDER_CONTENDERS) / program, on.path(path));
}

void submit_script(const Installation& on, const std::string& path, const std::string& script) {
  fs::create_directories(fs::path(on.path(path)).parent_path());
  fs::permissions(on.work().write(path, "#!/bin/sh\n" + script), fs::perms::owner_all);
}

/// The words of a text such as `load, steal`.
Texts words_of(const std::string& text) {
  Texts all;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    all.push_back(word.substr(0, word.find(',')));
  return all;
}

/// A column of a table in the folder `out`.
Texts column(const Installation& on, const char* name, const std::string& file = "grade.csv") {
  const CsvFile table = CsvFile::read(on.path("out/" + file));
  Texts all;
  for (const CsvRecord& record : table.records())
    all.push_back(record.fields[table.column(name)]);
  return all;
}

TEST(Grade, WritesOneTableForAClass) {
  const Installation on;
  submit(on, "class/Ann Lee/d2q9-bgk", "right");
  submit(on, "class/bob", "wrong_physics");
  submit(on, "class/carl/d2q9-bgk", "hangs");
  submit(on, "class/dora", "silent");
  on.work().write("class/notes.txt", "for the lecturer");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-32", "--rounds", "1", "--steps", "400",
                                          "--timeout", "4s", "--out", on.path("out"), "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(result.err, "notes.txt: left out"));
  EXPECT_TRUE(contains(result.out, "Ann Lee"));
  const CsvFile table = CsvFile::read(on.path("out/grade.csv"));
  ASSERT_EQ(table.records().size(), 4u);
  const auto field = [&](std::size_t row, const char* column) { return table.records()[row].fields[table.column(column)]; };
  const char* const expected[][4] = {{"Ann Lee", "right", "program", "cores is busy"},
                                     {"bob", "wrong", "—", "av_vels.dat:"},
                                     {"carl", "timeout", "—", "no answer within 4 s"},
                                     {"dora", "right", "wall", "cores is busy"}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(field(i, "program"), expected[i][0]);
    EXPECT_EQ(field(i, "case"), "box-32");
    EXPECT_EQ(field(i, "result"), expected[i][1]);
    EXPECT_EQ(field(i, "time_source"), expected[i][2]);
    const bool is_right = field(i, "result") == "right";
    if (!is_right) {
      EXPECT_TRUE(contains(field(i, "next"), expected[i][3]));
    }
    for (const char* column : {"seconds", "mlups", "over_skeleton", "fraction_of_copy"})
      EXPECT_EQ(!field(i, column).empty(), is_right) << column << " of " << expected[i][0];
  }
  EXPECT_TRUE(contains(on.work().read("out/grade.md"), "| Ann Lee | box-32 | right |"));
  EXPECT_TRUE(contains(on.work().read("out/grade-ranking.csv"), "case,rank,program,mlups,")) << "right programs";
  EXPECT_TRUE(contains(on.work().read("out/grade-summary.csv"), "case,programs,right,timeout,wrong,mlups_slowest,"));
  EXPECT_TRUE(contains(on.work().read("out/grade-summary.csv"), "\nbox-32,4,2,1,1,"));
  EXPECT_TRUE(contains(on.work().read("out/grade-summary.md"), "| box-32 | 4 | 2 | 1 | 1 |"));
}

TEST(Grade, SortsByProgramAndRanksEachCaseAndPlacement) {
  const Installation on({}, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
  if (!fs::exists(fs::path(LADDER_CONTENDERS) / "with_mpi")) GTEST_SKIP() << "this build has no MPI";
  if (usable_cores().size() < 2) GTEST_SKIP() << "two processes need two cores";
  submit(on, "class/ann", "with_mpi");
  submit(on, "class/bob", "crashes");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--case", "box-32", "--rounds", "1",
                                          "--steps", "400", "--placement", "processes=2;threads=1", "--placement", "threads=1",
                                          "--out", on.path("out"), "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_EQ(column(on, "program"), (Texts{"ann", "ann", "ann", "ann", "bob", "bob", "bob", "bob"}));
  EXPECT_EQ(column(on, "case"), (Texts{"box-16", "box-16", "box-32", "box-32", "box-16", "box-16", "box-32", "box-32"}));
  const Texts seconds = column(on, "seconds"), totals = column(on, "total_seconds");
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_GE(std::stod(totals[i]), std::stod(seconds[i]));
  EXPECT_EQ(column(on, "case", "grade-ranking.csv"), (Texts{"box-16", "box-16", "box-32", "box-32"}));
  EXPECT_EQ(column(on, "rank", "grade-ranking.csv"), (Texts{"1", "2", "1", "2"}));
  const Texts speeds = column(on, "mlups", "grade-ranking.csv");
  EXPECT_GE(std::stod(speeds[0]), std::stod(speeds[1]));
  EXPECT_EQ(column(on, "placement", "grade-summary.csv"),
            (Texts{"processes=2;threads=1", "threads=1", "processes=2;threads=1", "threads=1"}));
  EXPECT_EQ(column(on, "right", "grade-summary.csv"), (Texts{"1", "1", "1", "1"}));
  EXPECT_EQ(column(on, "crashed", "grade-summary.csv"), (Texts{"1", "1", "1", "1"}));
}

TEST(Grade, CountsACaseGivenTwiceOnce) {
  const Installation on;
  submit(on, "class/bob", "right");
  const ProcessResult result =
      on.ladder({"grade", on.path("class"), "--case", "box-16", "--case", "box-16", "--placement", "threads=1", "--placement",
                 "threads=1", "--rounds", "1", "--steps", "50", "--out", on.path("out"), "--machine", "here"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  for (const char* file : {"grade.csv", "grade-ranking.csv", "grade-summary.csv"})
    EXPECT_EQ(column(on, "case", file), Texts{"box-16"}) << file;
  EXPECT_EQ(column(on, "programs", "grade-summary.csv"), Texts{"1"});
}

TEST(Grade, KeepsFilesOfOtherPrograms) {
  const Installation on;
  submit(on, "class/bob", "right");
  const std::vector<std::string> words = {"grade", on.path("class"), "--case",       "box-16",    "--rounds", "1", "--steps",
                                          "50",    "--out",          on.path("out"), "--machine", "here"};
  fs::create_directory(on.path("out"));
  for (const std::string name : {"out/grade.csv", "out/grade.md", "out/grade-summary.csv", "out/grade-ranking.md"}) {
    on.work().write(name, "name,mark\nbob,1\n");
    const ProcessResult refused = on.ladder(words);
    EXPECT_EQ(refused.code, exit_bad_input);
    EXPECT_TRUE(contains(refused.err, name + ": another program wrote this file")) << refused.err;
    EXPECT_EQ(on.work().read(name), "name,mark\nbob,1\n");
    fs::remove(on.path(name));
  }
  for (int run = 0; run < 2; ++run)  // the second replaces the table of the first
    EXPECT_EQ(on.ladder(words).code, exit_ok);
}

TEST(Grade, FailsIfAProgramIsNotMeasured) {
  const Installation on;
  submit(on, "class/bob", "right");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50",
                                          "--budget", "0.000001s", "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(result.out, "not measured")) << result.out;
}

TEST(Grade, FailsIfAProgramIsSkipped) {
  const Installation on;
  submit(on, "class/bob", "right");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50",
                                          "--placement", "threads=500000", "--out", on.path("out"), "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_EQ(column(on, "result"), (Texts{"skipped"}));
}

TEST(Grade, MarksProgramsThatLeaveMostOfTheirRunUntimed) {
  const Installation on;
  submit(on, "class/bob", "right");
  submit_script(on, "class/eve", "sleep 1; exec \"" LADDER_CONTENDERS "/right\" \"$@\"\n");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50",
                                          "--out", on.path("out"), "--machine", "here"});
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  ASSERT_EQ(column(on, "program"), (Texts{"bob", "eve"}));
  const Texts doubts = column(on, "doubts");
  EXPECT_FALSE(contains(doubts[0], "untimed"));
  EXPECT_TRUE(contains(doubts[1], "untimed"));
}

TEST(Grade, StoresAndShowsWhatDisturbedItsSamples) {
  const Installation on;
  const auto disturbed = [&](const std::string& name, const std::string& by) {
    submit_script(on, "class/" + name, by + "\nsleep 0.2; exec \"" LADDER_CONTENDERS "/right\" \"$@\"\n");
  };
  disturbed("load", on.path("spend") + " 100 0");
  disturbed("none", "");
  disturbed("steal", on.path("spend") + " 0 100");
  const ProcessResult result =
      on.ladder_on_idle_machine("grade class --case box-16 --rounds 1 --steps 50 --out out --machine here");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  ASSERT_EQ(column(on, "program"), (Texts{"load", "none", "steal"}));
  const Texts doubts = column(on, "doubts"), next = column(on, "next");
  for (const std::string reason : {"load", "steal"})
    for (std::size_t i = 0; i < 3; ++i) {
      const Texts all = words_of(doubts[i]);
      EXPECT_EQ(std::ranges::count(all, reason), column(on, "program")[i] == reason) << reason << " in " << doubts[i];
    }
  EXPECT_TRUE(contains(next[0], "other processes kept "));
  EXPECT_TRUE(contains(next[2], "the hypervisor took "));
  EXPECT_TRUE(contains(on.work().read("out/grade.md"), "| " + doubts[2] + " |"));
  for (const Row& row : read_rows(on.path("experiments/grade/results/here.csv")).rows) {
    if (row.kind != "sample" || row.rung == skeleton) continue;
    // 100 ticks during the run
    const double processors = 100 / static_cast<double>(sysconf(_SC_CLK_TCK)) / row.wall_seconds;
    if (row.rung == "contender/steal") {
      EXPECT_NEAR(row.steal, processors, 0.1 * processors);
    } else {
      EXPECT_EQ(row.steal, 0) << row.rung;
    }
    EXPECT_EQ(row.other_load > 0.5 * processors, row.rung == "contender/load") << row.rung;
  }
}

TEST(Grade, ShowsThatAQuotaThrottledASample) {
  const Installation on;
  // Like the kernel, the program counts throttled periods.
  on.work().write("count", "read -r n <" + on.path("periods") + "; n=$((n + 10)); echo $n >" + on.path("periods") +
                               "; printf \"nr_periods $n\\nnr_throttled $n\\n\" >/sys/fs/cgroup/cpu.stat\n");
  on.work().write("periods", "0\n");
  submit_script(on, "class/bob", ". " + on.path("count") + "\nexec \"" LADDER_CONTENDERS "/right\" \"$@\"\n");
  const ProcessResult result =
      on.ladder_on_idle_machine("grade class --case box-16 --rounds 1 --steps 50 --out out --machine here",
                                "mount -t tmpfs none /sys/fs/cgroup || exit 77\necho 50000 100000 >/sys/fs/cgroup/cpu.max");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  EXPECT_TRUE(contains(column(on, "doubts").at(0), "quota"));
  if (usable_cores().size() == static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN))) {
    EXPECT_TRUE(contains(column(on, "next").at(0), "confined to 0.5 of "));
  }
}

TEST(Grade, SaysThatItsSamplesWereConfinedToSomeProcessors) {
  if (usable_cores().size() < 2) GTEST_SKIP() << "one core is all there is";
  const Installation on;
  submit(on, "class/bob", "right");
  const ProcessResult result =
      on.ladder_on_idle_machine("grade class --case box-16 --rounds 1 --steps 50 --out out --machine here",
                                "taskset -pc " + std::to_string(usable_cores().back()) + " $$ >/dev/null || exit 77");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  EXPECT_TRUE(contains(column(on, "next").at(0),
                       "confined to 1 of " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " processors: measure on"));
}

TEST(Grade, CopiesTheFilesThatProgramsNeed) {
  const Installation on;
  submit_script(on, "class/ann/d2q9-bgk", "test -f a.bin && ! test -f b.txt && exec \"" LADDER_CONTENDERS "/right\" \"$@\"\n");
  on.work().write("class/ann/a.bin", "x");
  on.work().write("class/ann/b.txt", "x");
  const auto grade = [&](const Texts& more) {
    Texts words = {"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50", "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  };
  EXPECT_EQ(grade({}).code, exit_check_failed);
  const ProcessResult copied = grade({"--copy", "*.bin"});
  EXPECT_EQ(copied.code, exit_ok) << copied.out << copied.err;
  const ProcessResult refused = grade({"--copy", "*.none"});
  EXPECT_EQ(refused.code, exit_bad_input);
  EXPECT_TRUE(contains(refused.err, "--copy '*.none': accepted: a glob that matches a file next to a program")) << refused.err;
}

TEST(Grade, ShowsNamesWithBracesAndLineBreaks) {
  const Installation on;
  submit(on, "class/br{ce}", "right");
  submit(on, "class/br{ce", "right");
  submit(on, "class/bob\nann  box-16  right", "right");
  submit(on, "class/bob\\x0aann", "right");
  submit(on, "class/caf\xe9", "right");  // Latin-1
  submit(on, "class/eve\xe2\x80\xae", "right");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50",
                                          "--machine", "here", "--out", on.path("out")});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "\nbr{ce} ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nbr{ce ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nbob\\x0aann ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nbob\\\\x0aann ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\ncaf\\xe9 ")) << result.out;
  EXPECT_TRUE(contains(on.work().read("out/grade.csv"), "caf\\xe9,")) << on.work().read("out/grade.csv");
  EXPECT_TRUE(contains(result.out, "\neve\\xe2\\x80\\xae ")) << result.out;
}

TEST(Grade, TellsNamesApartThatDifferInBlanks) {
  const Folder folder;
  for (const char* name : {" a b", "a b", "a  b", "a b ", "a\u00a0b", "a\u2003b"})
    fs::permissions(folder.write(name, "x"), fs::perms::owner_all);
  std::vector<std::string> left_out, names;
  for (const Submission& submission : find_submissions(folder.path(), left_out))
    names.push_back(submission.name);
  EXPECT_EQ(names, (std::vector<std::string>{"\\x20a b", "a \\x20b", "a b", "a b\\x20", "a\\xc2\\xa0b", "a\\xe2\\x80\\x83b"}));
}

TEST(Grade, SaysUnderWhichIdAProgramIsStoredIfNamesAreAlike) {
  const Installation on;
  submit(on, "class/Bob", "right");
  submit(on, "class/bob", "right");
  const ProcessResult result =
      on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50", "--machine", "here"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "bob: stored as contender/bob-2, because another name is alike")) << result.err;
}

/// Submits a correct program that executes `command` at the start of its `run`-th run, counted over all calls of `ladder`.
void submit_with_fault(const Installation& on, const std::string& name, int run, const std::string& command) {
  const std::string runs = on.path(name + ".runs");
  submit_script(on, "class/" + name,
                fmt::format("echo >>{0}\nif [ $(wc -l <{0}) = {1} ]; then {2}; fi\nexec {3}/right \"$@\"\n", runs, run, command,
                            LADDER_CONTENDERS));
}

/// A program's check runs it twice. Its samples follow, each with a twin for the last program.
constexpr int first_sample = 3, second_round_of_last = 5;
constexpr const char* interrupt = "read -r _ _ _ parent _ </proc/$PPID/stat; kill -TERM $parent";

ProcessResult grade_two_rounds(const Installation& on, Texts more = {}) {
  Texts words = {"grade", on.path("class"), "--case", "box-16", "--rounds", "2", "--steps", "50", "--machine", "here"};
  words.insert(words.end(), more.begin(), more.end());
  return on.ladder(words);
}

/// Kinds and outcomes of a program's rows in the latest session, in order.
Texts outcomes_of(const Installation& on, const std::string& rung) {
  const std::vector<Row> rows = read_rows(on.path("experiments/grade/results/here.csv")).rows;
  Texts all;
  for (const Row& row : rows)
    if (row.rung == rung && row.session == rows.back().session && row.kind != "twin")
      all.push_back(row.kind + " " + row.outcome);
  return all;
}

TEST(Grade, ContinuesAfterAnInterrupt) {
  const Installation on;
  submit(on, "class/ann", "right");
  submit_with_fault(on, "zoe", second_round_of_last, interrupt);
  const auto grade = [&] { return grade_two_rounds(on); };
  const std::string file = "experiments/grade/results/here.csv";
  EXPECT_EQ(grade().code, 130);
  const std::string before = on.work().read(file);
  const ProcessResult continued = grade();
  EXPECT_EQ(continued.code, exit_ok) << continued.err;
  EXPECT_TRUE(contains(continued.err, "continuing session")) << continued.err;
  EXPECT_TRUE(on.work().read(file).starts_with(before));
  std::map<std::string, int> samples;
  std::set<std::string> sessions;
  for (const Row& row : read_rows(on.path(file)).rows) {
    sessions.insert(row.session);
    if (row.kind == "sample") ++samples[row.rung];
  }
  EXPECT_EQ(samples, (std::map<std::string, int>{{skeleton, 2}, {"contender/ann", 2}, {"contender/zoe", 2}}));
  EXPECT_EQ(sessions.size(), 1u);
  EXPECT_FALSE(contains(grade().err, "continuing session")) << "after a complete session, all is measured again";
}

TEST(Grade, MeasuresAgainWhatFailedBeforeAnInterrupt) {
  const Installation on;
  submit_with_fault(on, "ann", first_sample, "exit 1");
  submit_with_fault(on, "zoe", second_round_of_last, interrupt);
  EXPECT_EQ(grade_two_rounds(on).code, 130);
  EXPECT_EQ(outcomes_of(on, "contender/ann"), (Texts{"check ok", "sample failed"}));
  const ProcessResult again = grade_two_rounds(on, {"--out", on.path("out")});
  EXPECT_EQ(again.code, exit_ok) << again.err;
  EXPECT_EQ(outcomes_of(on, "contender/ann"), (Texts{"check ok", "sample ok", "sample ok"}));
  EXPECT_EQ(column(on, "result"), (Texts{"right", "right"}));
}

/// A fault of the machine that lasts for one call of `ladder`.
struct Fault {
  const char* of_program = "";   ///< commands that the program executes first
  const char* of_launcher = "";  ///< likewise for the launcher
  const char* environment = "";
  const char* options = "";
  const char* result = "not measured";
  bool is_checked_before = false;  ///< by an earlier call
};

/// Grades a program during the fault and after it.
void expect_measured_after(const Fault& fault) {
  const Installation on;
  const std::string head = "FAULT=" + on.path("fault") + "\n";
  const auto faulty = [&](const std::string& commands) { return head + "if test -e $FAULT; then :\n" + commands + "\nfi\n"; };
  submit_script(on, "class/ann", faulty(fault.of_program) + "exec " + LADDER_CONTENDERS + "/right \"$@\"\n");
  submit_script(on, "launcher", faulty(fault.of_launcher) + "shift; \"$@\"; \"$@\"\n");
  const auto expect = [&](int code, const std::string& result, const std::string& environment) {
    const ProcessResult graded = on.shell(
        environment + " \"$LADDER\" grade class --case box-16 --rounds 1 --steps 50 --machine here --out out " + fault.options);
    EXPECT_EQ(graded.code, code) << graded.err;
    EXPECT_EQ(column(on, "result"), Texts{result}) << graded.err;
  };
  if (fault.is_checked_before) expect(exit_ok, "right", "");
  on.work().write("fault", "");
  expect(fault.result == std::string("timeout") ? exit_check_failed : exit_bad_input, fault.result, fault.environment);
  fs::remove(on.path("fault"));
  expect(exit_ok, "right", "");
}

TEST(Grade, MeasuresAgainAfterAFaultOfTheMachine) {
  // The first fault is over before the samples start. An earlier call's check must not allow them to be measured.
  const Fault faults[] = {{.of_program = "rm $FAULT; kill -KILL $PPID; sleep 60", .is_checked_before = true},
                          {.environment = "TMPDIR=/nonexistent"},
                          {.of_program = "sleep 60", .options = "--timeout 4s", .result = "timeout"}};
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.of_program);
    expect_measured_after(fault);
  }
}

TEST(Grade, MeasuresAgainAfterAFaultOfTheLauncher) {
  if (usable_cores().size() < 2) GTEST_SKIP() << "two processes need two cores";
  expect_measured_after(
      {.of_launcher = "exit 1", .options = "--placement 'processes=2;threads=1' --launcher \"./launcher {processes}\""});
}

TEST(Grade, RefusesAFolderWithoutPrograms) {
  const Installation on;
  on.work().write("text", "");
  for (const auto& [folder, message] :
       std::vector<std::pair<std::string, std::string>>{{on.path("none"), "accepted: a folder of programs"},
                                                        {on.path(""), "no program in it; accepted: a folder of executables"}}) {
    const ProcessResult result = on.ladder({"grade", folder});
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, message));
  }
}

TEST(Grade, FindsExecutablesAndFoldersOfOne) {
  const Folder folder;
  const auto make = [&](const std::string& name, bool is_program) {
    fs::create_directories((folder.path() / name).parent_path());
    const fs::path file = folder.write(name, "x");
    if (is_program) fs::permissions(file, fs::perms::owner_all);
  };
  make("zoe", true);
  make("amy/d2q9-bgk", true);
  make("amy/kernels.cl", false);
  make("ben/d2q9-bgk.c", false);
  make("notes", false);
  make(".hidden", true);
  make(".zed/d2q9-bgk", true);
  make(".gitignore", false);
  std::vector<std::string> left_out;
  const auto found = find_submissions(folder.path(), left_out);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "amy");
  EXPECT_EQ(found[0].program, folder.path() / "amy/d2q9-bgk");
  EXPECT_EQ(found[0].needs, std::vector<fs::path>{folder.path() / "amy/kernels.cl"});
  EXPECT_EQ(found[1].name, "zoe");
  EXPECT_EQ(left_out, (std::vector<std::string>{".hidden", ".zed", "ben", "notes"}));
}

TEST(Grade, NamesBothCriteria) {
  const Installation on;
  submit(on, "class/bob", "right");
  const ProcessResult result = on.ladder({"grade", on.path("class"), "--case", "box-16", "--rounds", "1", "--steps", "50",
                                          "--precision", "f64", "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(result.out, "right (coursework)")) << result.out;
  EXPECT_TRUE(contains(result.out, " %, more than rounding explains: ")) << result.out;
}

TEST(Grade, GivesNoAdviceFromDisturbedSamples) {
  Row quiet;
  quiet.affinity = "0-7";
  quiet.other_load = quiet.steal = 0;
  Row loaded = quiet, stolen = quiet, confined = quiet;
  loaded.other_load = 1.3;
  stolen.steal = 0.5;
  confined.affinity = "2,5-6";
  constexpr double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(disturbance_of({quiet, quiet, loaded}, 8, none), "") << "most were not disturbed";
  EXPECT_EQ(disturbance_of({Row{}}, 8, none), "") << "nothing is known";
  EXPECT_TRUE(contains(disturbance_of({quiet, loaded, loaded}, 8, none), "other processes kept 1.3 processors busy"));
  EXPECT_TRUE(contains(disturbance_of({stolen}, 8, none), "the hypervisor took 0.5 processors"));
  EXPECT_TRUE(contains(disturbance_of({confined}, 8, none), "confined to 3 of 8 processors"));
  EXPECT_TRUE(contains(disturbance_of({quiet}, 8, 1.5), "confined to 1.5 of 8 processors by a quota"));
  EXPECT_EQ(next_step({.busy_cores = 1, .cores = 8, .of_copy = 0.1, .over_skeleton = 1, .disturbance = "busy"}), "busy");
}

TEST(Grade, SaysWhatTheNumbersSuggest) {
  EXPECT_TRUE(contains(next_step({.busy_cores = 1, .cores = 8, .of_copy = 0.05, .over_skeleton = 1}), "compiler flags"));
  EXPECT_TRUE(contains(next_step({.busy_cores = 1, .cores = 8, .of_copy = 0.1, .over_skeleton = 3}), "threads"));
  EXPECT_TRUE(contains(next_step({.busy_cores = 1, .cores = 1, .of_copy = 0.1, .over_skeleton = 3}), "SoA"));
  EXPECT_TRUE(contains(next_step({.busy_cores = 8, .cores = 8, .of_copy = 0.5, .over_skeleton = 9}), "non-temporal stores"));
  EXPECT_TRUE(contains(next_step({.busy_cores = 8, .cores = 8, .of_copy = 0.9, .over_skeleton = 9}), "fewer bytes"));
  EXPECT_TRUE(contains(next_step({.busy_cores = 8, .cores = 8, .of_copy = 1.2, .over_skeleton = 9}), "than one pass per step"));
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(next_step({.busy_cores = 8, .cores = 8, .of_copy = unknown, .over_skeleton = 9}), "not measured"));
}

}  // namespace
}  // namespace ladder::test
