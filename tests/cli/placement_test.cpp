// Placements, which determine where the cells of a study, a check or a comparison run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/launch.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* spread_description = R"({
 "id": "d2q9/spread/01_ranks", "model": "d2q9", "backend": "spread", "build": "default", "follows": "", "idea": "as told",
 "layout": "none", "traffic": "none", "source": "none", "bound": "none", "compiler": "none", "flags": "none", "lattices": 2,
 "collision": "factored", "operations": [{"form": "factored", "add": 85, "total": 85}],
 "bytes_per_update": {"f32": {"read": 36, "write": 36}}, "bytes_per_update_minimum": {"f32": 72},
 "tunables": [], "constraints": [], "observable": "average speed", "cases": ["box-16"]})";
/// Reports 10 us per step times the number of threads. PROCESSES: of a launch.
constexpr const char* spread_script = R"(#!/bin/sh
counts=${PROCESSES:+", \"processes\": $PROCESSES, \"nodes\": 1"}
case $1 in
  probe) echo '{"available": true, "device": "spread", "threads": 2, "pins_threads": true, "processes": true}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "spread"}' ;;
  check) echo "{\"outcome\": \"ok\", \"check_steps\": 2, \"population_error\": 0, \"tolerance\": 1, \"history_error\": 0$counts}" ;;
  measure) echo "{\"benchmarks\": [{\"run_type\": \"iteration\", \"real_time\": 0.000${OMP_NUM_THREADS}, \"time_unit\": \"s\", \"cells\": 256, \"steps\": 10, \"footprint_bytes\": 18432$counts}]}" ;;
esac
)";
constexpr const char* spread = "d2q9/spread/01_ranks";

class Placed : public testing::Test {
 protected:
  Placed() { launcher = on.add_rung(spread_description, spread_script) / "launcher"; }

  /// A script that logs the launcher's two arguments, the first of which is the number of processes; `script` follows, with the
  /// program's words as arguments.
  void install_launcher(const std::string& script) const {
    std::ofstream(launcher) << "#!/bin/sh\nprintf '%s %s\\n' $1 $2 >> \"$0.log\"\nexport PROCESSES=$1\nshift 2\n"
                            << script << "\n";
    fs::permissions(launcher, fs::perms::owner_all);
  }

  [[nodiscard]] std::string two_processes() const {
    return "placements = [\"processes=2;threads=1\"]\n[launcher]\ncommand = [\"" + launcher.string() +
           "\", \"{processes}\", \"of-{threads}\"]\n";
  }

  /// The value of a column in each stored row of study `one` that is of this `kind`.
  [[nodiscard]] std::vector<std::string> column(const std::string& kind, const std::string& name) const {
    const auto all = lines(on.work().read("experiments/one/results/here.csv"));
    const auto fields = [](const std::string& line) {
      std::vector<std::string> parts(1);
      for (const char c : line)
        if (c == ',')
          parts.emplace_back();
        else
          parts.back() += c;
      return parts;
    };
    const auto names = fields(all.at(0));
    const auto place = [&](const std::string& n) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), n) - names.begin());
    };
    std::vector<std::string> values;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (fields(all[i]).at(place("kind")) == kind) values.push_back(fields(all[i]).at(place(name)));
    return values;
  }

  [[nodiscard]] ProcessResult run(const std::string& axis, const std::vector<std::string>& more = {},
                                  const std::string& rungs = "d2q9/spread/*") const {
    on.study("one", "rounds = 1\n[[matrix]]\nrungs = [\"" + rungs + "\"]\ncases = [\"box-16\"]\n" + axis);
    std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  void expect_refused(const std::vector<std::string>& words, const std::string& message) const {
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    EXPECT_TRUE(contains(result.err, message));
  }

  using Texts = std::vector<std::string>;
  Installation on;
  fs::path launcher;
};

TEST_F(Placed, SweepsThreadsAndStoresThem) {
  const ProcessResult result = run("placements = [\"threads=1..all\", \"threads=2\"]\n");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(column("check", "placement"), (Texts{"threads=1", ""}));
  EXPECT_EQ(column("check", "threads"), (Texts{"1", "2"}));
  for (const auto& threads : column("sample", "threads"))
    EXPECT_TRUE(threads == "1" || threads == "2");
  const ProcessResult again = run("placements = [\"threads=1..all\", \"threads=2\"]\n");
  EXPECT_TRUE(contains(again.out, "nothing to do: all 2 cells are measured"));
}

// A GPU's rows must not depend on a measurement of the processor, which may differ between hosts.
TEST_F(Placed, APartMeasuresTheCeilingsOfItsDevices) {
  std::string description = spread_description, script = spread_script;
  const auto replace = [](std::string& text, const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  replace(description, "spread/01_ranks", "board/01_gpu");
  replace(description, "\"backend\": \"spread\"", "\"backend\": \"board\"");
  replace(script, R"("threads": 2, "pins_threads": true, "processes": true)", R"("threads": 1, "cache_bytes": 1000)");
  on.add_rung(description, script);
  const std::string ceilings = "[[ceilings]]\nbackend = \"openmp\"\nnames = [\"fma\"]\nbytes = [8192]\n";
  const ProcessResult part = run(ceilings, {"--rungs", "d2q9/board/*"}, "d2q9/*/01_[rg]*");
  ASSERT_EQ(part.code, exit_ok) << part.err;
  EXPECT_EQ(column("sample", "rung"), Texts{"d2q9/board/01_gpu"});
  EXPECT_EQ(column("ceiling", "rung"), Texts{});
  ASSERT_EQ(run(ceilings, {"--rungs", spread}, "d2q9/*/01_[rg]*").code, exit_ok);
  EXPECT_EQ(column("ceiling", "rung"), Texts{"ceiling/openmp/fma"});
}

/// Rows of one core must not be mistaken for those of the whole machine.
TEST_F(Placed, FewerThreadsOrCoresAreNotTheDefault) {
  if (usable_cores().size() < 2) GTEST_SKIP() << "one core is all there is";
  on.add_rung(spread_description, replace_all(spread_script, R"("threads": 2)", R"("threads": '${OMP_NUM_THREADS:-2}')"));
  ASSERT_EQ(run("placements = [\"threads=all\"]\n").code, exit_ok);
  const std::string again = "run one --machine here --no-report";
  ASSERT_EQ(on.shell("OMP_NUM_THREADS=1 \"$LADDER\" " + again).code, exit_ok);
  EXPECT_EQ(column("check", "placement"), (Texts{"", "threads=1"}));
  const std::string one = "taskset -c " + std::to_string(usable_cores().back()) + " \"$LADDER\" run one --no-report";
  const ProcessResult refused = on.shell(one + " --machine here");
  EXPECT_EQ(refused.code, exit_bad_input);
  EXPECT_TRUE(contains(refused.err, "holds results of another machine"));
  EXPECT_TRUE(contains(on.shell(one).out, "-1c.csv"));
}

TEST_F(Placed, AQuotaLimitsTheCores) {
  if (usable_cores().size() < 2) GTEST_SKIP() << "one core is all there is";
  ASSERT_EQ(run("").code, exit_ok);
  on.work().write("groups", R"(mount -t tmpfs none /sys/fs/cgroup || exit 77
echo 100000 100000 >/sys/fs/cgroup/cpu.max
exec "$LADDER" run one --no-report
)");
  const ProcessResult result = on.shell_with_mounts("groups");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "-1c.csv")) << result.out;
}

TEST_F(Placed, GivesTheThreadsToTheRung) {
  ASSERT_EQ(run("placements = [\"threads=1..all\"]\n").code, exit_ok);
  const auto threads = column("sample", "threads");
  const auto seconds = column("sample", "seconds");
  ASSERT_EQ(threads.size(), 2u);
  for (std::size_t i = 0; i < threads.size(); ++i)
    EXPECT_EQ(seconds[i], "0.000" + threads[i]);
}

TEST_F(Placed, CountsTheThreadsThatWorked) {
  const std::string lazy = "d2q9/spread/02_lazy";
  std::string script = spread_script;
  const std::string end = "\\\"steps\\\": 10,";
  ASSERT_NE(script.find(end), std::string::npos);
  script.insert(script.find(end), "\\\"working_threads\\\": 1, ");
  std::string description = spread_description;
  description.replace(description.find(spread), std::string(spread).size(), lazy);
  on.add_rung(description, script);
  ASSERT_EQ(run("placements = [\"threads=1..all\"]\n").code, exit_ok);
  std::map<std::string, std::set<std::string>> found;
  for (const Row& row : read_rows(on.path("experiments/one/results/here.csv")).rows)
    if (row.kind == "sample") found[row.rung + " " + row.placement].insert(std::to_string(row.threads) + " " + row.suspicious);
  EXPECT_EQ(found, (std::map<std::string, std::set<std::string>>{{std::string(spread) + " ", {"2 "}},
                                                                 {std::string(spread) + " threads=1", {"1 "}},
                                                                 {lazy + " ", {"1 threads"}},
                                                                 {lazy + " threads=1", {"1 "}}}));
}

TEST_F(Placed, StartsSeveralProcessesWithTheLauncherOfTheStudyOrTheCommandLine) {
  install_launcher("exec \"$@\"");
  ASSERT_EQ(run(two_processes()).code, exit_ok);
  EXPECT_EQ(column("sample", "placement"), (Texts{"processes=2;threads=1"}));
  EXPECT_TRUE(contains(on.work().read(launcher.string() + ".log"), "2 of-1\n"));
  ASSERT_EQ(run(two_processes(), {"--launcher", launcher.string() + " {processes} again", "--again"}).code, exit_ok);
  EXPECT_TRUE(contains(on.work().read(launcher.string() + ".log"), "2 again\n"));
}

TEST_F(Placed, StartsALauncherWhosePathHasBlanks) {
  install_launcher("exec \"$@\"");
  fs::create_directory(on.path("my folder"));
  fs::rename(launcher, on.path("my folder/launcher"));
  for (const std::string word : {"'my folder/launcher'", "\"my folder/launcher\"", "my\\ folder/launcher"}) {
    const ProcessResult result = run(two_processes(), {"--launcher", on.path("") + word + " {processes} 1", "--again"});
    EXPECT_EQ(result.code, exit_ok) << word << result.err;
  }
  const ProcessResult open = run(two_processes(), {"--launcher", "'my folder/launcher -n {processes}", "--again"});
  EXPECT_EQ(open.code, exit_bad_input);
  EXPECT_TRUE(contains(open.err, "accepted: a command with matching quotes")) << open.err;
}

TEST_F(Placed, ReadsTheAnswerAmongTheTextOfALauncher) {
  install_launcher("echo 'job 7 starts'; \"$@\"; echo 'job 7 ends'");
  const ProcessResult result = run(two_processes());
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(column("check", "outcome"), Texts{"ok"});
  EXPECT_EQ(column("sample", "outcome"), Texts{"ok"});
}

TEST_F(Placed, TakesNoObjectOfTheLauncherForTheAnswer) {
  const std::string event = R"(echo '{"event": "start", "code": 0}'; )";
  install_launcher(event + "\"$@\"; " + event);
  const ProcessResult result = run(two_processes());
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(column("sample", "outcome"), Texts{"ok"});
}

TEST_F(Placed, StoresHowManyProcessesAnswered) {
  install_launcher("exec \"$@\"");
  ASSERT_EQ(run("placements = [\"default\", " + two_processes().substr(std::string("placements = [").size())).code, exit_ok);
  for (const char* kind : {"check", "sample"}) {
    EXPECT_EQ(std::ranges::count(column(kind, "processes"), "2"), 1) << kind;
    EXPECT_EQ(std::ranges::count(column(kind, "nodes"), "1"), 1) << kind;
    EXPECT_EQ(std::ranges::count(column(kind, "processes"), ""), 1)
        << kind << ": this rung counts only processes of a launcher";
  }
}

TEST_F(Placed, StoresNoSampleOfAnotherNumberOfProcesses) {
  const std::pair<const char*, const char*> launches[] = {
      {"PROCESSES=1", "launcher did not start it: 1 process on 1 node answered instead of 2 processes on 1 node"},
      {"unset PROCESSES", "the answer does not say how many processes and nodes took part"}};
  for (const auto& [change, message] : launches) {
    install_launcher(std::string("test \"$2\" = check || ") + change + "\nexec \"$@\"");
    const ProcessResult result = run(two_processes(), {"--again"});
    EXPECT_EQ(result.code, exit_bad_input) << change;
    EXPECT_TRUE(contains(result.err, std::string("not run, and nothing is stored: ") + message)) << result.err;
    EXPECT_EQ(column("check", "outcome").back(), "ok") << change;
    EXPECT_TRUE(column("sample", "outcome").empty()) << change;
  }
}

TEST(Processes, AreCountedByChecksAndMeasurements) {
  const fs::path rung = fs::path(LADDER_BIN) / "rungs/d2q9/mpi/01_messages/default";
  if (!fs::exists(rung)) GTEST_SKIP() << "this build has no MPI";
  const auto answer = [&](const char* command) {
    const ProcessResult result = run_process(rung, {command, "--case", "box-16", "--steps", "2"}, 600);
    EXPECT_EQ(result.code, exit_ok) << result.err;
    return nlohmann::json::parse(result.out);
  };
  for (const auto& counts : {answer("check"), answer("measure").at("benchmarks").at(0)}) {
    EXPECT_EQ(counts.at("processes"), 1);
    EXPECT_EQ(counts.at("nodes"), 1);
  }
}

TEST_F(Placed, StoresNothingIfTheLauncherFails) {
  const std::vector<std::pair<std::string, std::string>> launchers = {
      {"echo 'no slots' >&2; exit 1", "launcher did not start it: no slots"},
      {"echo 'no slots' >&2; exit 7", "launcher did not start it: no slots"},
      {"echo 'no slots'; exit 1", "launcher failed: exit code 1"},
      {R"(echo '{"error": "no slots"}'; exit 1)", "launcher failed: exit code 1"},
      {R"(echo '{"event": "start"}'; exit 4)", "launcher failed: exit code 4"},
      {"echo 'no slots' >&2; exit 2", "launcher failed: no slots"},
      {"echo 'no slots' >&2; exit 3", "launcher failed: no slots"},
      {"exit 0", "launcher started echo 0 times instead of 2"},
      {"kill -9 $$", "launcher failed: ended by signal 9 (Killed)"},
      {"\"$@\"; exit 7", "launcher failed after the answer: exit code 7"},
      {"for i in 0 1; do \"$@\" | sed \"s/^/$i: /\"; done", "launcher changes the lines that a program prints: '0: {\"process"},
      {"for i in 0 1; do \"$@\" | fold -w 80; done",
       "launcher changes the lines that a program prints: '{\"process-of-ladder\": [{\"--------------- …' (80 bytes)"}};
  for (const auto& [script, message] : launchers) {
    install_launcher(script);
    const ProcessResult failed = run(two_processes());
    EXPECT_EQ(failed.code, exit_bad_input) << script;
    EXPECT_TRUE(contains(failed.err, "not run, and nothing is stored: " + message)) << script << ": " << failed.err;
    EXPECT_TRUE(column("check", "outcome").empty()) << script;
    const ProcessResult checked =
        on.ladder({"check", spread, "--placement", "processes=2", "--launcher", launcher.string() + " {processes} one"});
    EXPECT_EQ(checked.code, exit_bad_input) << script;
    EXPECT_TRUE(contains(checked.err, "ladder: " + message)) << script << ": " << checked.err;
  }
  install_launcher("exec \"$@\"");
  const ProcessResult next = run(two_processes());
  EXPECT_EQ(next.code, exit_ok) << next.err;
  EXPECT_EQ(column("sample", "outcome"), Texts{"ok"});
}

TEST_F(Placed, StoresTheFailureOfARungIfItsLauncherWorks) {
  on.add_rung(replace_all(spread_description, "01_ranks", "02_broken"),
              replace_all(spread_script, "  check) ", "  check) echo 'no memory left' >&2; exit 4; "));
  install_launcher("\"$@\"; \"$@\"");
  EXPECT_EQ(run(two_processes(), {}, "d2q9/spread/02_broken").code, exit_check_failed);
  EXPECT_EQ(column("check", "outcome"), Texts{"failed"});
  EXPECT_TRUE(contains(column("check", "reason").at(0), "no memory left"));
}

TEST_F(Placed, TellsARungItsDevicesAndARowWhoSharesThem) {
  const std::string parts = "d2q9/split/01_parts";
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  const std::string description = replaced(replaced(spread_description, spread, parts), "\"spread\"", "\"split\"");
  const std::string script = replaced(spread_script, "\"processes\": true", "\"devices\": true, \"device_count\": 2");
  on.add_rung(description, replaced(replaced(script, "${OMP_NUM_THREADS}", "${LADDER_DEVICES:-1}"), "\"device\": \"spread\"",
                                    "\"device\": \"split\""));
  ASSERT_EQ(run("placements = [\"devices=1\", \"devices=2\", \"devices=4\"]\n", {}, parts).code, exit_ok);
  std::set<std::string> found;
  for (const Row& row : read_rows(on.path("experiments/one/results/here.csv")).rows)
    if (row.kind == "sample")
      found.insert(row.placement + " on " + row.device + ": " + std::to_string(std::lround(row.seconds * 1e4)));
  EXPECT_EQ(found,
            (std::set<std::string>{" on split: 1", "devices=2 on split: 2", "devices=4 on split, shared by 2 parts: 4"}));
}

TEST_F(Placed, SkipsWhatHasNoLauncherOrTooFewCores) {
  const ProcessResult result =
      run("placements = [\"nodes=2;processes=2\", \"threads=4096\"]\n", {"--launcher", "no-such-launcher {processes}"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(column("check", "outcome"), (Texts{"skipped", "skipped"}));
  EXPECT_TRUE(contains(column("check", "reason").at(0), "no launcher: no-such-launcher is not on PATH"));
  EXPECT_TRUE(contains(column("check", "reason").at(1), "this machine has"));
}

TEST_F(Placed, ChecksAndComparesAtAPlacement) {
  const ProcessResult checked =
      on.ladder({"check", spread, "--case", "box-16", "--precision", "f32", "--placement", "threads=1..all"});
  EXPECT_EQ(checked.code, exit_ok) << checked.err;
  EXPECT_TRUE(contains(checked.out, "box-16 f32 threads=1"));
  EXPECT_TRUE(contains(checked.out, "2 checks: 2 ok"));
  const ProcessResult compared = on.ladder({"compare", spread, spread, "--case", "box-16", "--rounds", "1", "--placement",
                                            "threads=1", "--machine", "here", "--json"});
  ASSERT_EQ(compared.code, exit_ok) << compared.err;
  const auto answer = nlohmann::json::parse(compared.out);
  EXPECT_EQ(answer.at("placement"), "threads=1");
  EXPECT_EQ(answer.at("threads"), 1);
}

TEST_F(Placed, RefusesWhatTheBackendCannotDo) {
  expect_refused({"check", skeleton, "--placement", "threads=2"}, "does not take a number of threads; accepted is threads=1");
  expect_refused({"check", skeleton, "--placement", "processes=2"},
                 "does not run in several processes; accepted is processes=1");
  expect_refused({"check", skeleton, "--placement", "devices=2"}, "does not use several devices; accepted is devices=1");
  expect_refused({"tune", tuned, "--case", "box-16", "--placement", "cores=2"}, "threads and devices");
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--placement", "threads=1..all"}, "single placement");
  expect_refused({"compare", skeleton, skeleton, "--case", "box-16", "--placement", "cores=1"}, "threads and devices");
  expect_refused({"run", "one", "--launcher", "mpirun -n 4"}, "{processes}");
  if (std::getenv("SLURM_JOB_ID") == nullptr)
    expect_refused({"run", "one", "--launcher", "slurm"}, "accepted inside an allocation of Slurm");
  const ProcessResult ok = on.ladder({"check", skeleton, "--case", "box-16", "--precision", "f32", "--placement", "threads=1"});
  EXPECT_EQ(ok.code, exit_ok) << "serial code has one thread";
}

}  // namespace
}  // namespace ladder::test
