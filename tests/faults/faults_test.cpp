// A study with every fault, along with rungs that work: each fault is recorded in a separate row and affects no other cell.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

constexpr const char* study = R"(rounds = 2
sample_seconds = 0.01
timeout_seconds = 4
memory_limit_bytes = 200_000_000

[[matrix]]
rungs = ["faults/*"]
cases = ["box-16"]
check_steps = [1, 2]
steps = 500

[[matrix]]
rungs = ["faults/wrong_if_wide"]
cases = ["box-16"]
check_steps = [1, 2]
steps = 500
set = { wx = [1, 2] }

[[matrix]]
rungs = ["faults/works", "faults/hoards"]
cases = ["box-512"]
check_steps = [1, 2]
steps = 2
)";

/// Expected rows of a cell: outcome and reason (a regular expression) of its check and, if there are any, of its samples.
struct Expected {
  const char* cell;
  const char* check;
  const char* check_reason;
  const char* sample = "";
  const char* sample_reason = "";
};

constexpr Expected expected[] = {
    {"works box-16", "ok", "", "ok"},
    {"works_too box-16", "ok", "", "ok"},
    {"works box-512", "ok", "", "ok"},
    {"aborts box-16", "crashed", "^ended by signal 6 "},
    {"has_no_device box-16", "skipped", "^no device of this kind answers$"},
    {"hoards box-16", "ok", "", "ok"},
    {"hoards box-512", "failed", "^used more than its limit of 0.2 GB of memory, and was killed$"},
    {"leaks_late box-16", "ok", "", "wrong", "^the conserved sum went from "},
    {"leaves_processes box-16", "ok", "", "ok"},
    {"loops_forever box-16", "timeout", "^no answer within 4 s$"},
    {"not_a_number box-16", "wrong", "^porous-37x23, step 1: population . at .* is -?nan, reference "},
    {"says_garbage box-16", "failed", "^the check's answer is invalid$"},
    {"says_nothing box-16", "failed", "^the check's answer is invalid$"},
    {"says_too_much box-16", "failed", "^the check's answer is invalid$"},
    {"segmentation_fault box-16", "crashed", "^ended by signal 11 "},
    {"segmentation_fault_late box-16", "ok", "", "crashed", "^ended by signal 11 "},
    {"throws box-16", "failed", "^the device fell off the bus$"},
    {"wrong_if_wide box-16 wx=1", "ok", "", "ok"},
    {"wrong_if_wide box-16 wx=2", "wrong", "^porous-37x23, step 1: population "},
};

std::vector<std::filesystem::path> executables() {
  std::vector<std::filesystem::path> all;
  std::istringstream names(LADDER_FAULT_NAMES);
  for (std::string name; names >> name;)
    all.push_back(std::filesystem::path(LADDER_FAULTS) / name);
  return all;
}

/// Without and with resident processes.
class Faults : public testing::TestWithParam<bool> {};

/// How often the rung changes from one sample to the next within the rounds; twins are left out.
int changes_of_rung(const Environment& environment) {
  const Installation on(executables(), environment);
  on.study("one", R"(rounds = 4
sample_seconds = 0.001
[[matrix]]
rungs = ["faults/works", "faults/works_too"]
cases = ["box-16", "box-18", "box-20", "box-22", "box-24", "box-26"]
check_steps = [1]
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  std::map<std::int64_t, std::map<std::int64_t, std::string>> rounds;  // rungs by round and order
  for (const Row& row : read_rows(on.path("experiments/one/results/here.csv")).rows)
    if (row.kind == "sample") rounds[row.round][row.order] = row.rung;
  int changes = 0;
  for (const auto& [round, rungs] : rounds) {
    EXPECT_EQ(rungs.size(), 12u) << round;
    for (auto at = std::next(rungs.begin()); at != rungs.end(); ++at)
      changes += at->second != std::prev(at)->second ? 1 : 0;
  }
  return changes;
}

TEST(Order, ResidentProcessesMeasureTheirCellsOneAfterAnother) {
  EXPECT_EQ(changes_of_rung({{"LADDER_TEST_RESIDENT", "1"}}), 4) << "one per round";
  EXPECT_GT(changes_of_rung({}), 4);
}

TEST_P(Faults, CostNoOtherCell) {
  const Installation on(executables(), GetParam() ? Environment{{"LADDER_TEST_RESIDENT", "1"}} : Environment{});
  on.study("one", study);
  // Not run_process(), which would end the processes that `ladder` left behind.
  const pid_t program = on.start({"run", "one", "--machine", "here", "--no-report"}, on.path("out"), on.path("err"));
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  EXPECT_EQ(on.processes(), std::vector<pid_t>{}) << "left behind";
  const std::string err = on.work().read("err");
  ASSERT_TRUE(WIFEXITED(status)) << err;
  EXPECT_EQ(WEXITSTATUS(status), exit_check_failed) << err;
  EXPECT_TRUE(contains(on.work().read("out"), "12 of 19 cells failed; the rows say why"));
  EXPECT_TRUE(contains(on.work().read("out"), "1 of 19 cells cannot run here; the rows say why"));

  const auto stored = read_rows(on.path("experiments/one/results/here.csv"));
  EXPECT_FALSE(stored.csv.is_truncated());
  std::map<std::string, std::map<int, const Row*>> rows;  // by cell and round, 0 for the check
  for (const auto& row : stored.rows) {
    if (row.kind == "twin") continue;
    const std::string cell =
        row.rung.substr(row.rung.find('/') + 1) + " " + row.case_name + (row.tuning.empty() ? "" : " ") + row.tuning;
    EXPECT_TRUE(rows[cell].emplace(row.kind == "check" ? 0 : static_cast<int>(row.round), &row).second) << cell << " twice";
  }
  EXPECT_EQ(rows.size(), std::size(expected));
  for (const auto& [cell, check, check_reason, sample, sample_reason] : expected) {
    const auto& found = rows[cell];
    ASSERT_TRUE(found.contains(0)) << cell;
    EXPECT_EQ(found.at(0)->outcome, check) << cell;
    EXPECT_TRUE(std::regex_search(found.at(0)->reason, std::regex(check_reason))) << cell << ": " << found.at(0)->reason;
    EXPECT_LT(found.at(0)->reason.size(), 600u) << cell;
    if (std::string(check) != "ok") {
      EXPECT_EQ(found.size(), 1u) << cell << " was measured";
      EXPECT_TRUE(contains(err, std::string("faults/") + std::string(cell).substr(0, std::string(cell).find(' '))));
      continue;
    }
    ASSERT_TRUE(found.contains(1)) << cell;
    for (const auto& [round, row] : found) {
      if (round == 0) continue;
      EXPECT_EQ(row->outcome, sample) << cell << ": " << row->reason;
      EXPECT_TRUE(std::regex_search(row->reason, std::regex(sample_reason))) << cell << ": " << row->reason;
      EXPECT_EQ(row->updates_per_second > 0, std::string(sample) == "ok") << cell;
    }
    EXPECT_TRUE(found.contains(2) || std::string(sample) != "ok") << cell;
  }

  // Failures are not measured again.
  const ProcessResult again = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(again.code, exit_check_failed) << again.err;
  EXPECT_TRUE(contains(again.out, "nothing to do"));
}

INSTANTIATE_TEST_SUITE_P(InAProcess, Faults, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "ThatStays" : "EachTime"; });

/// A faulty rung implemented as a script, and the outcome of its cell.
struct BadRung {
  std::string name;
  std::string script;
  std::string description = {};  ///< empty: a valid description
  std::string outcome = "failed";

  friend void PrintTo(const BadRung& rung, std::ostream* out) { *out << rung.name; }
};

constexpr const char* good_probe = R"({"available": true, "device": "a script", "threads": 1})";
constexpr const char* good_case = R"({"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "script"})";

std::string script_of(const std::string& probe, const std::string& of_case, const std::string& check,
                      const std::string& measure = "") {
  return "#!/bin/sh\ncase $1 in\n  probe) echo '" + probe + "' ;;\n  case) echo '" + of_case + "' ;;\n  check) echo '" + check +
         "' ;;\n  measure) echo '" + measure + "' ;;\nesac\n";
}

std::vector<BadRung> bad_rungs() {
  const std::string good = description_of("d2q9/serial/00_bad");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string garbage = script_of("hello", "hello", "hello");
  return {{"Crashes", "#!/bin/sh\nkill -SEGV $$\n", "", "crashed"},
          {"Refuses", "#!/bin/sh\necho no >&2\nexit 2\n", "", "skipped"},
          {"SaysGarbage", garbage},
          {"SaysNothing", "#!/bin/sh\n"},
          {"SaysMistypedProbe", script_of(R"({"available": "yes"})", good_case, "{}")},
          {"SaysMistypedCase", script_of(good_probe, R"({"grid": [], "cells": "many", "content": 7})", "{}")},
          {"SaysHugeCase", script_of(good_probe, R"({"grid": "", "cells": 1, "content": "", "q": 1e12})", "{}")},
          {"IsMissing", ""},
          {"CannotBeExecuted", "not a program"},
          {"IsAPipe", "pipe"},
          {"HasAPipeForADescription", garbage, "pipe"},
          {"HasNoDescription", garbage, "not JSON"},
          {"HasAnEmptyDescription", garbage, "{}"},
          {"HasAMistypedId", garbage, with("\"d2q9/serial/00_bad\"", "7")},
          {"HasNoTunables", garbage, with("\"tunables\"", "\"tunable\"")},
          {"HasNoIdea", garbage, with("{", "{\"idea\": null, ")},
          {"HasAMistypedTraffic", garbage, with("\"read\":36", "\"read\":\"36\"")}};
}

class FirstRung : public testing::TestWithParam<BadRung> {
 protected:
  FirstRung() {
    const auto& [name, script, description, outcome] = GetParam();
    const auto folder = on.add_rung(description_of(bad), script);
    for (const auto& [text, file] : {std::pair{script, "default"}, {description, "default.json"}}) {
      if (text != "pipe") continue;
      std::filesystem::remove(folder / file);
      mkfifo((folder / file).c_str(), 0700);
    }
    if (script.empty()) std::filesystem::remove(folder / "default");
    if (script == "not a program") std::filesystem::permissions(folder / "default", std::filesystem::perms::owner_read);
    if (!description.empty() && description != "pipe") std::ofstream(folder / "default.json") << description;
  }

  const std::string bad = "d2q9/serial/00_bad";
  Installation on;
};

TEST_P(FirstRung, IsToBlameAlone) {
  on.study("one", "rounds = 1\n[[matrix]]\nrungs = [\"" + bad + "\", \"" + skeleton +
                      "\"]\ncases = [\"box-16\"]\ncheck_steps = [1, 2]\nsteps = 10\n");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, GetParam().outcome == "skipped" ? exit_ok : exit_check_failed) << result.err;
  std::map<std::string, std::vector<std::string>> outcomes;
  for (const Row& row : read_rows(on.path("experiments/one/results/here.csv")).rows)
    outcomes[row.rung].push_back(row.kind + " " + row.outcome);
  EXPECT_EQ(outcomes[bad], std::vector<std::string>{"check " + GetParam().outcome}) << result.err;
  EXPECT_EQ(outcomes[skeleton].size(), 3u) << result.err;
  for (const auto& outcome : outcomes[skeleton])
    EXPECT_TRUE(outcome.ends_with(" ok")) << outcome;
}

TEST_P(FirstRung, EndsNoStudyWithItsPicture) {
  on.study("one", "rounds = 1\n[[field]]\nrung = \"" + bad + "\"\ncase = \"box-16\"\nsteps = 10\n[[matrix]]\nrungs = [\"" +
                      skeleton + "\"]\ncases = [\"box-16\"]\ncheck_steps = [1, 2]\nsteps = 10\n");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(read_rows(on.path("experiments/one/results/here.csv")).rows.size(), 3u) << result.err;
  EXPECT_TRUE(GetParam().outcome != "crashed" || contains(result.err, "ended by signal 11")) << result.err;
}

TEST_P(FirstRung, EndsNoOtherCheck) {
  if (GetParam().outcome == "skipped") GTEST_SKIP() << "a refused request is the caller's fault";
  const ProcessResult result =
      on.ladder({"check", "d2q9/serial/0*", "--case", "box-16", "--precision", "f32", "--steps", "2", "--json"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  std::map<std::string, std::string> outcomes;
  for (const auto& row : nlohmann::json::parse(result.out))
    outcomes[row.at("rung")] = row.at("outcome");
  EXPECT_EQ(outcomes, (std::map<std::string, std::string>{{bad, GetParam().outcome}, {skeleton, "ok"}}));
}

INSTANTIATE_TEST_SUITE_P(That, FirstRung, testing::ValuesIn(bad_rungs()), [](const auto& i) { return i.param.name; });

/// An answer to `check`, an answer to `measure`, and the outcome and reason that the harness stores.
struct Answers {
  std::string name;
  std::string check, measure;
  std::string outcome, reason;

  friend void PrintTo(const Answers& answers, std::ostream* out) { *out << answers.name; }
};

std::vector<Answers> impossible_answers() {
  const auto check = [](const std::string& error, const std::string& more = R"(, "reason": "")") {
    return R"({"outcome": "ok", "check_steps": 2, "population_error": )" + error + R"(, "tolerance": 1e-5)" + more + "}";
  };
  const auto measure = [](const std::string& cells, const std::string& steps, const std::string& seconds) {
    return R"({"benchmarks": [{"run_type": "iteration", "time_unit": "s", "real_time": )" + seconds + R"(, "cells": )" + cells +
           R"(, "steps": )" + steps + "}]}";
  };
  const std::string good = measure("256", "10", "1e-5");
  return {{"Good", check("1e-6"), good, "ok", ""},
          {"GoodWithoutAReason", check("1e-6", ""), good, "ok", ""},
          {"Nothing", "{}", good, "failed", "the check's answer is invalid"},
          {"HugeTolerance", R"({"outcome": "ok", "check_steps": 2, "population_error": 0.5, "tolerance": 1e300})", good,
           "failed", "the check's answer is invalid"},
          {"NoErrors", R"({"outcome": "ok", "check_steps": 2})", good, "failed", "the check's answer is invalid"},
          {"ErrorAboveTheTolerance", check("1e-4"), good, "wrong", "the check calls an error of 0.0001 ok; accepted is 1e-05"},
          {"MoreCells", check("1e-6"), measure("1000000000000", "10", "1e-5"), "failed",
           "impossible answer: 1000000000000 cells, but the case has 256"},
          {"OtherSteps", check("1e-6"), measure("256", "11", "1e-5"), "failed",
           "impossible answer: 11 steps, but 10 were asked for"},
          {"LongerThanItsProcess", check("1e-6"), measure("256", "10", "3600"), "failed",
           "impossible answer: 3.6e+03 s, but the process answered after "}};
}

class Answered : public testing::TestWithParam<Answers> {};

TEST_P(Answered, IsStoredAsWhatItIs) {
  const auto& [name, check, measure, outcome, reason] = GetParam();
  const Installation on;
  on.add_rung(description_of("d2q9/serial/90_says"), script_of(good_probe, good_case, check, measure));
  on.study("one", "rounds = 1\n[[matrix]]\nrungs = [\"d2q9/serial/90_says\"]\ncases = [\"box-16\"]\nsteps = 10\n");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, outcome == "ok" ? exit_ok : exit_check_failed) << result.err;
  const auto rows = read_rows(on.path("experiments/one/results/here.csv")).rows;
  ASSERT_FALSE(rows.empty()) << result.err;
  EXPECT_EQ(rows.back().outcome, outcome) << result.err;
  EXPECT_TRUE(contains(rows.back().reason, reason));
  EXPECT_EQ(rows.back().updates_per_second > 0, outcome == "ok");
}

INSTANTIATE_TEST_SUITE_P(Answer, Answered, testing::ValuesIn(impossible_answers()), [](const auto& i) { return i.param.name; });

/// A named pipe through which a script reports that it has reached a certain line.
class Event {
 public:
  explicit Event(const std::string& path) {
    mkfifo(path.c_str(), 0600);
    descriptor_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { close(descriptor_); }

  /// Waits for the event; returns false after half a minute.
  [[nodiscard]] bool comes() const {
    pollfd pipe = {descriptor_, POLLIN, 0};
    char line[64];
    return poll(&pipe, 1, 30'000) == 1 && read(descriptor_, line, sizeof line) > 0;
  }

 private:
  int descriptor_;
};

/// Starts processes in new sessions, leaves them behind, reports this and continues.
constexpr const char* restless_script = R"(#!/bin/sh
case $1 in
  probe) echo '{"available": true, "device": "restless", "threads": 1}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "restless"}' ;;
  check) (setsid sleep 300 &) ; setsid sleep 300 & echo begun >"$LADDER_ROOT/begun"; sleep 300 ;;
esac
)";

TEST(ARunThatIsAskedToEnd, LeavesNoProcessBehind) {
  const Installation on;
  on.add_rung(description_of("d2q9/serial/90_restless"), restless_script);
  on.study("one", "[[matrix]]\nrungs = [\"d2q9/serial/90_restless\"]\ncases = [\"box-16\"]\n");
  const Event begun(on.path("begun"));
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    const pid_t program = on.start({"run", "one", "--machine", "here", "--no-report"});
    EXPECT_TRUE(begun.comes());
    EXPECT_GE(on.processes().size(), 4u) << "the program, the script and the two processes that it left behind";
    kill(program, number);
    int status = 0;
    ASSERT_EQ(waitpid(program, &status, 0), program);
    EXPECT_TRUE(WIFEXITED(status)) << number;
    EXPECT_EQ(WEXITSTATUS(status), 130) << number;
    EXPECT_EQ(on.processes(), std::vector<pid_t>{}) << number;
  }
}

TEST(Control, EachFaultIsExpectedByName) {
  std::set<std::string> known;
  for (const auto& e : expected)
    known.insert(std::string(e.cell).substr(0, std::string(e.cell).find(' ')));
  std::istringstream names(LADDER_FAULT_NAMES);
  EXPECT_EQ(known, std::set<std::string>(std::istream_iterator<std::string>(names), {}));
}

TEST(Checks, NameEveryFault) {
  const Installation on({std::filesystem::path(LADDER_FAULTS) / "segmentation_fault",
                         std::filesystem::path(LADDER_FAULTS) / "says_nothing",
                         std::filesystem::path(LADDER_FAULTS) / "works"});
  const ProcessResult result = on.ladder({"check", "faults/*", "--case", "box-16", "--precision", "f32", "--steps", "2"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(result.out, "crashed  faults/segmentation_fault box-16 f32\n         ended by signal 11"));
  EXPECT_TRUE(contains(result.out, "failed   faults/says_nothing box-16 f32\n         the check's answer"));
  EXPECT_TRUE(contains(result.out, "ok       faults/works box-16 f32"));
  EXPECT_TRUE(contains(result.out, "3 checks: 1 ok, 2 failed, 0 skipped"));
}

}  // namespace
}  // namespace ladder::test
