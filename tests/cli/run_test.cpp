// `ladder run` and its store: nothing is measured twice, nothing is lost when the run is killed, and foreign files are left
// alone.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <tuple>

#include "base/error.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/flows.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* study = R"(rounds = 3
sample_seconds = 0.01

[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16", "porous-12x10"]
precisions = ["f32", "f64"]
)";
constexpr std::size_t cells = 4;
constexpr std::size_t rounds = 3;
constexpr std::size_t cases = 2;
constexpr std::size_t rows = cells * (1 + rounds) + cases * rounds;  // one cell per case has a twin

/// Splits a row without quotes into fields.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all(1);
  for (const char c : line)
    if (c == ',')
      all.emplace_back();
    else
      all.back() += c;
  return all;
}

class Run : public testing::Test {
 protected:
  explicit Run(const std::vector<fs::path>& more = {}) : on(more) {}

  Installation on;
  const std::string store = "experiments/one/results/here.csv";
  const std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};

  ProcessResult run() const { return on.ladder(words); }

  std::vector<std::string> stored() const { return lines(on.work().read(store)); }

  /// Expects that the store has its header, complete rows, a check for each cell, and each cell once per round.
  void expect_complete() const {
    const auto all = stored();
    ASSERT_EQ(all.size(), rows + 1) << on.work().read(store);
    EXPECT_EQ(all[0], csv_header<Row>());
    const auto column = [&](const std::string& name) {
      const auto names = fields(all[0]);
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::map<std::string, std::multiset<int>> rounds_of;  // by key
    std::map<std::string, std::multiset<int>> twins;      // by case
    std::map<int, std::multiset<int>> orders;             // by round
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto row = fields(all[i]);
      ASSERT_EQ(row.size(), fields(all[0]).size()) << all[i];
      EXPECT_EQ(row[column("outcome")], "ok");
      const int round = std::stoi(row[column("round")]);
      orders[round].insert(std::stoi(row[column("order")]));
      if (row[column("kind")] == "twin")
        twins[row[column("case")]].insert(round);
      else
        rounds_of[row[column("key")]].insert(round);
    }
    EXPECT_EQ(rounds_of.size(), cells);
    for (const auto& [key, found] : rounds_of)
      EXPECT_EQ(found, (std::multiset<int>{0, 1, 2, 3})) << key;
    EXPECT_EQ(twins.size(), cases);
    for (const auto& [name, found] : twins)
      EXPECT_EQ(found, (std::multiset<int>{1, 2, 3})) << name;
    for (const auto& [round, found] : orders)
      EXPECT_EQ(found, round == 0 ? (std::multiset<int>{1, 2, 3, 4}) : (std::multiset<int>{1, 2, 3, 4, 5, 6})) << round;
  }

  void expect_no_temporaries() const {
    for (const auto& name : on.work().listing())
      EXPECT_FALSE(name.ends_with(".part") || name.find(".ladder-") != std::string::npos) << name;
  }

  /// The files of one kind in the list of flows, by number of steps and without duplicates. Expects that they exist.
  std::map<std::int64_t, std::string> flows(const std::string& kind) const {
    std::map<std::int64_t, std::string> files;
    for (const Flow& flow : read_flows(on.path("experiments/one/results/here.flow.csv")).rows) {
      if (flow.kind != kind) continue;
      files[flow.steps] = "experiments/one/results/" + flow.file;
      EXPECT_TRUE(is_stored(on.path(files[flow.steps]))) << flow.file;
    }
    return files;
  }

  /// The text of the picture after these steps, which is stored compressed.
  std::string stored_picture(std::int64_t steps) const { return read_stored(on.path(flows("field").at(steps))); }

  std::string make_store(const std::string& text) const {
    fs::create_directories(fs::path(on.path(store)).parent_path());
    on.work().write(store, text);
    return text;
  }
};

TEST_F(Run, MeasuresEachCellInEachRoundAndThenHasNothingToDo) {
  on.study("one", study);
  const ProcessResult first = run();
  ASSERT_EQ(first.code, exit_ok) << first.err;
  expect_complete();
  EXPECT_TRUE(contains(first.out, ", f32: the fastest rung is d2q9/serial/01_skeleton with ")) << "the answer comes last";
  expect_no_temporaries();
  const auto files = on.work().listing();
  const std::string text = on.work().read(store);

  const ProcessResult second = run();
  EXPECT_EQ(second.code, exit_ok) << second.err;
  EXPECT_TRUE(contains(second.out, "nothing to do"));
  EXPECT_EQ(on.work().read(store), text);
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, ReadsAStudyOfOtherBlanks) {
  std::string text;
  for (const auto& line : lines(study))
    text += line + "\t\r\n";
  on.study("one", text + "\r\n \r\n");
  const ProcessResult result = run();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  expect_complete();
}

TEST_F(Run, LeavesOutABackendThatTheBuildGoesWithout) {
  on.add_to_manifest("left-out cuda there is no nvcc here");
  on.study("one", std::string(study) + R"(
[[matrix]]
rungs = ["d2q9/cuda/*", "d2q9/cuda/07_tuned"]
cases = ["box-16"]

[[ceilings]]
backend = "cuda"
names = ["copy-9"]
bytes = [65536]
)");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  for (const char* what :
       {"d2q9/cuda/*: left out", "d2q9/cuda/07_tuned: left out", "ceilings/cuda/: left out", "there is no nvcc here"})
    EXPECT_TRUE(contains(result.err, what)) << result.err;
  expect_complete();
}

TEST_F(Run, SkipsRungsThatAreNotBuiltBecauseTheirBackendCannotRunHere) {
  const auto probe = on.work().write("away", "#!/bin/sh\necho '{\"available\": false, \"reason\": \"no such device here\"}'\n");
  fs::permissions(probe, fs::perms::owner_all);
  on.add_to_manifest("backend " + probe.string() + " backend.away");
  on.add_to_manifest("rung rungs/d2q9/away/01_first/default d2q9.away.01_first");
  on.study("one", std::string(study) + R"(
[[matrix]]
rungs = ["d2q9/away/*"]
cases = ["box-16"]

[[field]]
rung = "d2q9/away/01_first"
case = "box-16"
steps = 4
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  ASSERT_EQ(stored().size(), rows + 2) << "the other cells are measured";
  const auto all = read_rows(on.path(store)).rows;
  const auto skipped = std::ranges::find(all, "skipped", &Row::outcome);
  ASSERT_NE(skipped, all.end());
  EXPECT_EQ(skipped->rung, "d2q9/away/01_first");
  EXPECT_EQ(skipped->reason, "no such device here");
  EXPECT_EQ(skipped->cells, 256) << "known from another rung of the model";
  EXPECT_TRUE(contains(run().out, "nothing to do"));
  EXPECT_EQ(on.ladder({"targets", "run", "one"}).out, on.ladder({"targets", "run", "one", "--rungs", "d2q9/serial/*"}).out);
  EXPECT_TRUE(contains(on.ladder({"targets", "run", "one", "--rungs", "d2q9/away/*"}).out, "d2q9.away.01_first\n"));
}

TEST_F(Run, TriesTheReportBeforeThereAreResults) {
  on.study("one", std::string(study) + R"(
[[field]]
rung = "d2q9/serial/01_skeleton"
case = "box-16"
steps = 4
frames = 2

[[report]]
kind = "field"
cases = ["box-16"]
)");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(flows("field").size(), 2U);
  expect_complete();
}

TEST_F(Run, StoresThatThisMachineHasNoMemoryForACase) {
  on.study("one", std::string(study) + R"(
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-1000000"]
)");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  std::size_t skipped = 0;
  for (const auto& line : stored())
    if (contains(line, ",box-1000000,")) {
      ++skipped;
      EXPECT_TRUE(contains(line, ",skipped,case 'box-1000000' needs 72000.0 GB of memory; this machine has ")) << line;
    }
  EXPECT_EQ(skipped, 1U);
  EXPECT_EQ(stored().size(), rows + 2) << "the other cells are measured";
  EXPECT_EQ(on.ladder({"compare", skeleton, skeleton, "--case", "box-1000000"}).code, exit_unavailable);
  EXPECT_EQ(on.ladder({"tune", tuned, "--case", "box-1000000"}).code, exit_unavailable);
}

TEST_F(Run, StoresThatItsControlGroupHasNoMemoryForACase) {
  on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16", "box-4000"]
)");
  on.work().write("groups", R"(mount -t tmpfs none /sys/fs/cgroup || exit 77
echo 1000000000 >/sys/fs/cgroup/memory.max
exec "$LADDER" run one --machine here --no-report
)");
  const ProcessResult result = on.shell_with_mounts("groups");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.err;
  const auto all = read_rows(on.path(store)).rows;
  const auto skipped = std::ranges::find(all, "skipped", &Row::outcome);
  ASSERT_NE(skipped, all.end());
  EXPECT_EQ(skipped->case_name, "box-4000");
  EXPECT_EQ(skipped->reason_code, "no-memory");
  EXPECT_EQ(skipped->reason,
            "case 'box-4000' needs 1.2 GB of memory; this machine has 0.9 GB available (limit of its control group)");
  EXPECT_EQ(all.back().outcome, "ok") << "the other case is measured";
}

TEST_F(Run, StoresWhatTheHypervisorTook) {
  on.study("one", R"(rounds = 1
sample_seconds = 0.3
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
)");
  // Another process writes the file that hides /proc/stat; each line has the same length, so that it is always complete.
  const std::string line = "printf 'cpu  1000 0 0 0 0 0 0 %s 0 0\\n' $n";
  on.work().write("stolen", "n=1000; " + line + " >stat\nmount --bind stat /proc/stat || exit 77\n" +
                                "(while sleep 0.01; do n=$((n + 1)); " + line + " 1<>stat; done) &\n" +
                                "\"$LADDER\" run one --machine here --no-report; code=$?\nkill $!\nexit $code\n");
  const ProcessResult result = on.shell_with_mounts("stolen");
  if (result.code == 77) GTEST_SKIP() << "cannot create a mount namespace: " << result.err;
  EXPECT_EQ(result.code, exit_ok) << result.err;
  const Row sample = read_rows(on.path(store)).rows.back();
  EXPECT_GT(sample.steal, 0.05);
  EXPECT_LT(sample.steal, 1.5) << "at most about one tick per hundredth of a second";
  EXPECT_TRUE(contains(sample.suspicious, "steal"));
}

/// Measures while a script changes a counter of the processors' energy every 40 ms, and returns the samples. `change`: shell
/// commands for the next value of `n`, which starts at `start`, in joules; `range`: where the counter restarts from 0.
std::vector<Row> samples_with_counter(const std::string& range, const std::string& change, int start = 90,
                                      const std::string& samples = "rounds = 1") {
  const Installation on;
  on.study("one", samples + R"(
energy = true
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
)");
  const ProcessResult result =
      on.shell("mkdir -p powercap/intel-rapl:0; cd powercap/intel-rapl:0; echo package-0 >name; echo " + range +
               "000000 >max_energy_range_uj; n=" + std::to_string(start) + R"(; echo ${n}000000 >energy_uj
(while sleep 0.04; do )" +
               change + R"(; echo ${n}000000 >next; mv next energy_uj; done) &
LADDER_POWERCAP="$LADDER_ROOT/powercap" "$LADDER" run one --machine here --no-report; code=$?
kill $!; exit $code)");
  EXPECT_EQ(result.code, exit_ok) << result.err;
  std::vector<Row> rows = read_rows(on.path("experiments/one/results/here.csv")).rows;
  std::erase_if(rows, [](const Row& row) { return row.kind == "check"; });
  return rows;
}

TEST_F(Run, StoresTheEnergyOfACounterThatWraps) {
  // The counter wraps after 2.4 s. Other processes may shorten or prolong samples: below 1 s, they would have no energy, nor
  // above 75 % of the range.
  const std::vector<Row> samples = samples_with_counter("400", "n=$(((n + 1) % 400))", 340, "rounds = 2\nsample_seconds = 2");
  EXPECT_EQ(samples.size(), 4u);
  for (const Row& sample : samples) {
    EXPECT_EQ(sample.outcome, "ok");
    EXPECT_EQ(sample.energy_domain, "package");
    EXPECT_GT(sample.joules, 0);
    EXPECT_LE(sample.joules, 300);
  }
}

TEST_F(Run, StoresASampleWithoutTheEnergyOfACounterThatMisbehaves) {
  for (const auto& [range, change] : std::vector<std::pair<std::string, std::string>>{
           {"10000", "n=$(((n + 9999) % 10000))"},                   // steps back
           {"1000000000", "n=$((n + 1000000))"},                     // jumps
           {"262143", "rm energy_uj; mkfifo energy_uj; exit 0"}}) {  // reading it would never end
    const std::vector<Row> samples = samples_with_counter(range, change);
    EXPECT_EQ(samples.size(), 2u) << change;
    for (const Row& sample : samples) {
      EXPECT_EQ(sample.outcome, "ok") << change;
      EXPECT_GT(sample.updates_per_second, 0) << change;
      EXPECT_TRUE(std::isnan(sample.joules)) << change << ": " << sample.joules;
      EXPECT_EQ(sample.energy_domain, "") << change;
    }
  }
}

TEST_F(Run, NamesWhatMayHideTheDevicesOfABackend) {
  for (const auto& [answer, code, outcome, reason] : std::vector<std::tuple<std::string, int, std::string, std::string>>{
           {R"(echo '{"available": false, "reason": "no device"}')", exit_ok, "skipped", "no device"},
           {"echo nonsense", exit_check_failed, "failed", "the probe failed: its answer is invalid"},
           {"echo 'no driver' >&2; exit 3", exit_check_failed, "failed", "the probe failed: no driver"}}) {
    const Installation hidden({}, {{"CUDA_VISIBLE_DEVICES", "7"}});
    fs::permissions(hidden.work().write("cuda", "#!/bin/sh\n" + answer + "\n"), fs::perms::owner_all);
    hidden.add_to_manifest("backend " + hidden.path("cuda") + " backend.cuda");
    hidden.add_to_manifest("rung rungs/d2q9/cuda/01_first/default d2q9.cuda.01_first");
    hidden.study("one", std::string(study) + "[[matrix]]\nrungs = [\"d2q9/cuda/*\"]\ncases = [\"box-16\"]\n");
    const ProcessResult result = hidden.ladder(words);
    EXPECT_EQ(result.code, code) << result.err;
    const auto all = read_rows(hidden.path(store)).rows;
    const auto row = std::ranges::find(all, "d2q9/cuda/01_first", &Row::rung);
    ASSERT_NE(row, all.end());
    EXPECT_EQ(row->outcome, outcome);
    EXPECT_EQ(row->reason, reason + " (CUDA_VISIBLE_DEVICES is '7')");
  }
}

TEST_F(Run, RefusesAFolderInPlaceOfAStudy) {
  fs::create_directories(on.path("experiments/one/study.toml"));
  const auto files = on.work().listing();
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, "no study 'one'"));
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, CarriesOnAfterEveryKill) {
  on.study("one", study);
  int kills = 0;
  int status = 0;
  for (bool ended = false; !ended;) {
    const std::size_t before = stored().size();
    const pid_t child = on.start(words);
    ASSERT_GT(child, 0);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(40);
    // Kill it once it has stored three more lines.
    while (!ended && stored().size() < before + 3) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      ended = waitpid(child, &status, WNOHANG) == child;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (ended) break;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ++kills;
    ASSERT_LT(kills, 20) << "it never ends";
  }
  EXPECT_GE(kills, 2);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), exit_ok);
  expect_complete();
  EXPECT_TRUE(contains(run().out, "nothing to do"));
  expect_complete();
}

TEST_F(Run, DropsAHalfWrittenLastRow) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  std::string text = on.work().read(store);
  text.resize(text.size() - 40);
  on.work().write(store, text);
  const ProcessResult again = run();
  EXPECT_EQ(again.code, exit_ok) << again.err;
  EXPECT_TRUE(contains(again.err, on.path(store)));
  EXPECT_TRUE(contains(again.err, "half-written last row"));
  expect_complete();
}

TEST_F(Run, CarriesOnThoughASessionOfTheFutureLiesThere) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  const std::string results = "experiments/one/results/";
  const auto sessions = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(on.path(results)))
      if (entry.path().extension() == ".json") names.insert(entry.path().filename().string());
    return names;
  };
  ASSERT_EQ(sessions().size(), 1u);
  const std::string own = *sessions().begin();
  const std::string future = "here.20390101T000000Z-0001.json";
  on.work().write(results + future, on.work().read(results + own));
  for (int times = 2; times <= 4; ++times) {
    auto again = words;
    again.emplace_back("--again");
    ASSERT_EQ(on.ladder(again).code, exit_ok);
    ASSERT_EQ(sessions().size(), 1u + static_cast<unsigned>(times));
    for (const auto& name : sessions())
      EXPECT_EQ(name.size(), own.size()) << name;
  }
  // If the latest session was interrupted, it is continued.
  const std::string text = on.work().read(store);
  const std::string last = lines(text).back();
  on.work().write(store, text.substr(0, text.size() - last.size() - 1));
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "continuing session " + fields(last)[0]));
  EXPECT_EQ(sessions().size(), 5u);
  EXPECT_EQ(lines(on.work().read(store)).size(), 1 + 4 * rows);
}

TEST_F(Run, ContinuesASessionAlthoughAnotherPartOfTheStudyWasMeasuredSince) {
  on.study("one", study);
  const auto part = [&](const char* name) {
    auto selection = words;
    selection.insert(selection.end(), {"--cases", name});
    return on.ladder(selection);
  };
  ASSERT_EQ(part("box-16").code, exit_ok);
  // As if the first part had been interrupted before its last row.
  const std::string text = on.work().read(store);
  const std::string last = lines(text).back();
  on.work().write(store, text.substr(0, text.size() - last.size() - 1));
  ASSERT_EQ(part("porous-12x10").code, exit_ok);
  const auto before = stored();
  const ProcessResult result = part("box-16");
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "continuing session " + fields(last)[0])) << result.err;
  const auto after = stored();
  ASSERT_EQ(after.size(), before.size() + 1);
  EXPECT_EQ(std::vector<std::string>(after.begin(), after.end() - 1), before);
  EXPECT_EQ(fields(after.back())[0], fields(last)[0]);
}

TEST_F(Run, ContinuesNoSessionWhoseCellsWereMeasuredSince) {
  on.study("one", study);
  auto part = words;
  part.insert(part.end(), {"--cases", "box-16"});
  ASSERT_EQ(on.ladder(part).code, exit_ok);
  // As if it had been interrupted in the last round.
  const auto all = stored();
  std::string text;
  for (std::size_t n = 0; n + 3 < all.size(); ++n)
    text += all[n] + "\n";
  on.work().write(store, text);
  ASSERT_EQ(run().code, exit_ok);
  const auto before = stored();
  const ProcessResult result = on.ladder(part);
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "nothing to do")) << result.out;
  EXPECT_EQ(stored(), before);
}

TEST_F(Run, RefusesADamagedSessionBeforeItMeasures) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  for (const auto& entry : fs::directory_iterator(on.path("experiments/one/results")))
    if (entry.path().extension() == ".json") on.work().write(fs::relative(entry.path(), on.path("")).string(), "{");
  const auto before = stored();
  auto again = words;
  again.emplace_back("--again");
  for (const auto& command : {again, words}) {
    const ProcessResult result = on.ladder(command);
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, ".json")) << result.err;
    EXPECT_EQ(stored(), before);
  }
}

TEST_F(Run, IsNotEndlessWhateverASessionSaysOfItsRounds) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  for (const auto& entry : fs::directory_iterator(on.path("experiments/one/results"))) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = "experiments/one/results/" + entry.path().filename().string();
    auto session = nlohmann::ordered_json::parse(on.work().read(name));
    session["stopped"] = {{"reason", "noise"}, {"rounds", 2147483647}};
    on.work().write(name, session.dump());
  }
  EXPECT_TRUE(contains(run().out, "nothing to do"));
  expect_complete();
}

TEST_F(Run, KeepsAWholeLastRowWithoutALineBreak) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  const std::string text = on.work().read(store);
  on.work().write(store, text.substr(0, text.size() - 1));
  const ProcessResult again = run();
  EXPECT_TRUE(contains(again.out, "nothing to do")) << again.err;
  EXPECT_EQ(on.work().read(store), text.substr(0, text.size() - 1));
  EXPECT_EQ(on.ladder({"run", "one", "--machine", "here", "--no-report", "--again"}).code, exit_ok);
  EXPECT_EQ(on.work().read(store).substr(0, text.size()), text);
}

TEST_F(Run, WarnsIfTheRowsOfASessionAreLost) {
  on.study("one", study);
  ASSERT_EQ(run().code, exit_ok);
  make_store(csv_header<Row>() + "\n");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, fmt::format("warning: {} has none of the {} rows of session 2", on.path(store), rows)));
}

TEST_F(Run, DropsAHalfWrittenHeader) {
  on.study("one", study);
  make_store(csv_header<Row>().substr(0, 30));
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "half-written"));
  expect_complete();
}

TEST_F(Run, RefusesAFileThatIsNoStoreAndLeavesItAlone) {
  on.study("one", study);
  const std::vector<std::string> texts = {
      "my notes\nof last week\n",
      "my notes",
      "a,b,c\n1,2,3\n4,5",
      "\n\n",
      std::string("\0\1\2\n\3", 5),
      "session,round,kind,outcome,key\ns,1,sample,ok,k\n",    // columns of a store, but incomplete
      csv_header<Row>() + "\nonly,three,fields\n",            // a row that is too short
      csv_header<Row>() + "\nonly,three,fields\nand half a",  // and one without a line break
      csv_header<Row>() + ",more\n"};                         // one column too many
  for (const auto& text : texts) {
    make_store(text);
    const auto files = on.work().listing();
    const ProcessResult result = run();
    EXPECT_EQ(result.code, exit_bad_input) << text << result.err;
    EXPECT_TRUE(contains(result.err, on.path(store)));
    EXPECT_EQ(on.work().read(store), text);
    EXPECT_EQ(on.work().listing(), files);
  }
}

TEST_F(Run, RefusesAFileThatDoesNotFitInMemory) {
  if (!std::string(LADDER_SANITIZE).empty()) GTEST_SKIP() << "sanitizers reserve more memory";
  for (const std::string file : {"experiments/one/study.toml", "experiments/one/results/here.csv"}) {
    on.study("one", study);
    fs::create_directories(on.path("experiments/one/results"));
    on.work().write(file, "");
    fs::resize_file(on.path(file), 1'000'000'000);
    const ProcessResult result = on.shell("ulimit -v 500000; exec \"$LADDER\" run one --machine here --no-report");
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, on.path(file) + ": does not fit in memory")) << result.err;
  }
}

TEST_F(Run, SaysThatTooManyFilesAreOpen) {
  on.study("one", study);
  const ProcessResult result = on.shell("ulimit -n 6; exec \"$LADDER\" run one --machine here --no-report");
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "Too many open files")) << result.err;
}

TEST_F(Run, RefusesResultsThatCannotBeWritten) {
  on.study("one", study);
  on.work().write("experiments/one/results", "a file");
  auto files = on.work().listing();
  ProcessResult result = run();
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, on.path(store)));
  EXPECT_EQ(on.work().listing(), files);
  EXPECT_EQ(on.work().read("experiments/one/results"), "a file");

  fs::remove(on.path("experiments/one/results"));
  fs::create_directories(on.path(store));  // a folder where the store should be
  files = on.work().listing();
  result = run();
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, on.path(store)));
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, RefusesAReportFolderThatCannotBeWritten) {
  on.study("one", study);
  on.work().write("out", "a file");
  const std::string below = on.path("out/below");
  const auto files = on.work().listing();
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--out", below});
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, below));
  EXPECT_EQ(on.work().read("out"), "a file");
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, RefusesAReportFolderWithOtherFiles) {
  on.study("one", study);
  fs::create_directories(on.path("t/figures"));
  on.work().write("t/figures/gpu-photo.jpg", "mine");
  const auto files = on.work().listing();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "one"}, {"report", "one"}}) {
    auto all = command;
    all.insert(all.end(), {"--machine", "here", "--out", on.path("t")});
    const ProcessResult result = on.ladder(all);
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(contains(result.err, on.path("t") + ": holds 'figures' and no manifest.csv of a report"));
    EXPECT_EQ(on.work().listing(), files) << "nothing is measured";
    EXPECT_EQ(on.work().read("t/figures/gpu-photo.jpg"), "mine");
  }
}

TEST_F(Run, WritesAReportWhereAKilledOneHasBegun) {
  on.study("one", study);
  fs::create_directories(on.path("t"));
  on.work().write("t/.index.html.ladder-1-0", "");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--out", on.path("t")});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_FALSE(fs::exists(on.path("t/.index.html.ladder-1-0")));
}

TEST_F(Run, RefusesWhatItsReportCouldNotReadBeforeItMeasures) {
  on.study("one", study);
  make_store("");  // what a run leaves behind if it is killed at its start
  const std::string results = "experiments/one/results/";
  for (const std::string name : {"there.profile.csv", "notes.csv", "there.csv"}) {
    on.work().write(results + name, "a,b\n1,2\n");
    const auto files = on.work().listing();
    const ProcessResult result = on.ladder({"run", "one", "--out", on.path("t")});
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(contains(result.err, on.path(results + name) + ":1: "));
    EXPECT_EQ(on.work().listing(), files);
    if (name != "there.csv") fs::remove(on.path(results + name));
  }
  EXPECT_EQ(on.ladder({"run", "one", "--machine", "here", "--out", on.path("t")}).code, exit_ok)
      << "a report on this machine alone does not read the file";
  expect_complete();
}

TEST_F(Run, NeedsNoFolderForTemporaryFiles) {
  const Installation without({}, {{"TMPDIR", "/nowhere"}});
  without.study("one", std::string(study) + "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"*\"]\n");
  const ProcessResult result = without.ladder({"run", "one", "--machine", "here", "--out", without.path("t")});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(fs::exists(without.path("t/manifest.csv")));
}

TEST_F(Run, SaysWhereGnuplotIsMissingBeforeItMeasures) {
  const Installation without({}, {{"PATH", "/nowhere"}});
  without.study("one", std::string(study) + "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"*\"]\n");
  const auto files = without.work().listing();
  const ProcessResult result = without.ladder({"run", "one", "--machine", "here", "--out", without.path("t")});
  EXPECT_EQ(result.code, exit_unavailable) << result.err;
  EXPECT_TRUE(contains(result.err, "gnuplot is not installed"));
  EXPECT_EQ(without.work().listing(), files);
  EXPECT_EQ(without.ladder(words).code, exit_ok);
  without.study("one", std::string(study) + "[[report]]\nkind = \"faults\"\n");
  const ProcessResult tables = without.ladder({"run", "one", "--machine", "here", "--out", without.path("t")});
  EXPECT_EQ(tables.code, exit_ok) << "has no figure: " << tables.err;
}

TEST_F(Run, StoresNoNumberThatItsReportWouldRefuse) {
  auto description = nlohmann::json::parse(on.rung(skeleton, {"describe"}).out);
  description["id"] = "d2q9/serial/90_boasts";
  description["bytes_per_update"]["f32"] = {{"read", 1e-300}, {"write", 0}};
  on.add_rung(description.dump(), fmt::format("#!/bin/sh\nexec '{}/rungs/{}/default' \"$@\"\n", LADDER_BIN, skeleton));
  on.study("one", R"(rounds = 1
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/*"]
cases = ["box-16"]
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  EXPECT_TRUE(contains(on.work().read(store), ",failed,\"the answer cannot be stored: column 'bytes_per_update_model' is "));
  EXPECT_EQ(read_rows(on.path(store)).rows.size(), 4U) << "two checks; a sample of the other rung and its twin";
}

TEST_F(Run, LeavesARungOutOfThePrecisionsThatItDoesNotStore) {
  auto description = nlohmann::json::parse(on.rung(skeleton, {"describe"}).out);
  description["id"] = "d2q9/serial/90_single";
  description["numbers"] = {"f32"};
  on.add_rung(description.dump(), fmt::format("#!/bin/sh\nexec '{}/rungs/{}/default' \"$@\"\n", LADDER_BIN, skeleton));
  on.study("one", R"(rounds = 1
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/01*", "d2q9/serial/90*"]
cases = ["box-16"]
precisions = ["f32", "f64"]
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  std::set<std::string> checked;
  for (const Row& row : read_rows(on.path(store)).rows)
    if (row.kind == "check") checked.insert(row.rung + " " + row.precision);
  EXPECT_EQ(checked, (std::set<std::string>{skeleton + std::string(" f32"), skeleton + std::string(" f64"),
                                            "d2q9/serial/90_single f32"}));
}

TEST_F(Run, IsNotStoppedByALinkToItself) {
  on.study("one", study);
  fs::create_symlink("loop", on.path("experiments/loop"));
  const ProcessResult result = on.ladder({"run", "ons", "--no-report"});
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "no study 'ons' (did you mean 'one'?)"));
  EXPECT_EQ(on.ladder({"report", "--out", on.path("t")}).code, exit_ok);
}

TEST_F(Run, AndReportOnTheStudyThatAPathNames) {
  on.study("one", "title = \"By path\"\n" + std::string(study));
  ASSERT_EQ(run().code, exit_ok);
  for (const auto& [folder, path] : std::vector<std::pair<std::string, std::string>>{{"experiments/one", "./study.toml"},
                                                                                     {"experiments/one", "study.toml"},
                                                                                     {"experiments/one", "."},
                                                                                     {"experiments/one/results", ".."},
                                                                                     {"experiments", "one/"},
                                                                                     {".", "./experiments/one/study.toml"},
                                                                                     {".", "$PWD/experiments/one"}})
    for (const std::string command : {"run", "report"}) {
      fs::remove_all(on.path("report"));
      const ProcessResult result = on.shell("cd " + folder + " && \"$LADDER\" " + command + " --machine here " + path);
      EXPECT_EQ(result.code, exit_ok) << command << " " << path << ": " << result.err;
      EXPECT_TRUE(contains(result.out, "report: " + on.path("report/one/index.html"))) << command << " " << path;
      EXPECT_TRUE(contains(on.work().read("report/one/index.html"), "By path")) << command << " " << path;
    }
  expect_complete();
}

TEST_F(Run, RefusesAStudyOfAnotherName) {
  on.study("one", study);
  on.work().write("experiments/one/my.toml", study);
  const auto files = on.work().listing();
  for (const std::string command : {"run", "report"}) {
    const ProcessResult result = on.shell("cd experiments/one && \"$LADDER\" " + command + " my.toml");
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(
        contains(result.err, on.path("experiments/one/my.toml") + ": is not a study; accepted: a file named study.toml"));
  }
  on.study("elsewhere/two", study);
  const ProcessResult result = on.shell("\"$LADDER\" report one experiments/elsewhere/two");
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, "accepted: studies in one folder"));
  fs::remove_all(on.path("experiments/elsewhere"));
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, MeasuresABlockInFewerRoundsThanTheStudy) {
  on.study("one", R"(rounds = 3
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-9"]
rounds = 1
[[ceilings]]
backend = "openmp"
names = ["copy"]
bytes = [65536]
stores = ["plain"]
rounds = 2
)");
  ASSERT_EQ(run().code, exit_ok);
  std::map<std::string, int> samples;
  for (const auto& line : stored())
    for (const std::string name : {"box-16", "box-9", "ws-65536"})
      if (contains(line, "," + name + ",") && (contains(line, ",sample,") || contains(line, ",ceiling,"))) ++samples[name];
  EXPECT_EQ(samples, (std::map<std::string, int>{{"box-16", 3}, {"box-9", 1}, {"ws-65536", 2}})) << on.work().read(store);
  EXPECT_TRUE(contains(run().out, "nothing to do"));
}

TEST_F(Run, RecordsASeriesOnce) {
  const auto series = [](int points) {
    return fmt::format("[[series]]\nrung = \"{}\"\ncases = [\"box-9\"]\npoints = {}\n", skeleton, points);
  };
  on.study("one", series(4));
  ASSERT_EQ(run().code, exit_ok);
  const std::string file = flows("series").at(0);
  const auto all = lines(on.work().read(file));
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], "step,average_speed");
  EXPECT_EQ(all[1], "0,0");
  EXPECT_TRUE(all[2].starts_with("5000,0.0"));
  EXPECT_TRUE(all[5].starts_with("20000,0.0"));
  on.work().write(file, "kept");
  ASSERT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().read(file), "kept");

  on.study("one", series(2));
  ASSERT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().read(file), "kept") << "the stored file is kept";
  EXPECT_EQ(lines(on.work().read(flows("series").at(0))).size(), 4u) << "the number of points that the study now asks for";
}

class RunOfLayers : public Run {
 protected:
  static constexpr const char* rung = "d3q19/openmp/06_inplace";

  RunOfLayers() : Run({fs::path(LADDER_BIN) / "rungs" / rung / "default"}) {}
};

TEST_F(RunOfLayers, RecordsOnceWhichOfThemStayBounded) {
  on.study("one", fmt::format("[[series]]\nrung = \"{}\"\ncases = [\"layers0.6@0.1-8x8x3\", \"layers0.50001@0.1-64x64x3\"]\n"
                              "stability = true\n",
                              rung));
  const ProcessResult result = run();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const std::string file = flows("stability").at(0);
  const auto all = lines(on.work().read(file));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], "case,outcome,step,reason");
  EXPECT_EQ(all[1], "layers0.6@0.1-8x8x3,bounded,320,");
  EXPECT_TRUE(all[2].starts_with("layers0.50001@0.1-64x64x3,diverged,")) << all[2];
  const std::string list = on.work().read("experiments/one/results/here.flow.csv");
  on.work().write(file, "kept");
  ASSERT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().read(file), "kept");
  EXPECT_EQ(on.work().read("experiments/one/results/here.flow.csv"), list);
}

TEST_F(RunOfLayers, ListsEachPrecisionOnce) {
  const auto block = [](const char* precision) {
    return fmt::format("[[series]]\nrung = \"{}\"\ncases = [\"layers0.6@0.1-8x8x3\"]\nprecision = \"{}\"\nstability = true\n",
                       rung, precision);
  };
  on.study("one", block("f32") + block("f64"));
  ASSERT_EQ(run().code, exit_ok);
  const std::string list = on.work().read("experiments/one/results/here.flow.csv");
  EXPECT_EQ(lines(list).size(), 3U);
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().read("experiments/one/results/here.flow.csv"), list);
}

TEST_F(Run, MakesPicturesOfAsManyStepsAsTheStudySays) {
  const auto picture = [](int steps, int frames) {
    return fmt::format(
        "[[field]]\nrung = \"{}\"\ncase = \"box-16\"\nsteps = {}\nframes = {}\n\n[[report]]\nkind = \"field\"\n"
        "cases = [\"box-16\"]\n",
        skeleton, steps, frames);
  };
  const auto page = [&] {
    const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--out", on.path("t")});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    return on.work().read("t/index.html");
  };
  const std::string list = "experiments/one/results/here.flow.csv";
  on.study("one", study + picture(2, 1));
  page();
  const std::string first = stored_picture(2);
  EXPECT_TRUE(fs::exists(on.path(flows("field").at(2) + ".gz")));
  on.study("one", study + picture(4, 1));
  EXPECT_TRUE(contains(page(), "Velocity magnitude, box-16 after 4 steps"));
  EXPECT_EQ(stored_picture(2), first);
  EXPECT_NE(stored_picture(4), first);
  on.study("one", study + picture(4, 2));
  const std::string alone = stored_picture(4);
  const std::string frames = page();
  EXPECT_EQ(stored_picture(2), first) << "of the same run";
  EXPECT_EQ(stored_picture(4), alone);
  EXPECT_TRUE(contains(frames, ">step 2<"));
  EXPECT_TRUE(contains(frames, ">step 4<"));
  const auto stored = on.work().read(list);
  page();
  EXPECT_EQ(on.work().read(list), stored) << "nothing is new";

  // The pictures made for the first study are listed again.
  const auto files = on.work().listing();
  on.study("one", study + picture(2, 1));
  EXPECT_TRUE(contains(page(), "Velocity magnitude, box-16 after 2 steps"));
  const auto again = lines(on.work().read(list));
  ASSERT_EQ(again.size(), lines(stored).size() + 1);
  EXPECT_EQ(again.back(), lines(stored).at(1)) << "with its time";
  EXPECT_EQ(on.work().listing(), files);
}

TEST_F(Run, RecordsASeriesOfTheRunThatMakesThePictures) {
  const auto picture = [](int frames, int points) {
    return fmt::format("[[field]]\nrung = \"{}\"\ncase = \"box-16\"\nsteps = 8\nframes = {}\npoints = {}\n", skeleton, frames,
                       points);
  };
  on.study("one", picture(2, 4));
  ASSERT_EQ(run().code, exit_ok);
  const std::string file = flows("series").at(0);
  const auto all = lines(on.work().read(file));
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], "step,average_speed,seconds");
  EXPECT_TRUE(all[1].starts_with("0,0,"));
  EXPECT_TRUE(all[5].starts_with("8,0.0"));
  EXPECT_GT(std::stod(all[5].substr(all[5].rfind(',') + 1)), 0) << "time spent in the steps";
  EXPECT_EQ(flows("field").size(), 2u);
  const auto files = on.work().listing();
  const std::string last = stored_picture(8);
  ASSERT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().listing(), files) << "nothing is new";

  fs::remove(on.path(file));
  ASSERT_EQ(run().code, exit_ok);
  EXPECT_EQ(on.work().listing(), files) << "only the series was missing";
  EXPECT_EQ(stored_picture(8), last);
}

TEST_F(Run, StoresWhyACellCannotRunHere) {
  if (!on.can_run(tuned)) GTEST_SKIP() << "no OpenCL device";
  on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/opencl/08_tuned"]
cases = ["box-16"]
set = { wx = [8, 128], wy = [128] }
check_steps = [2]
)");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "1 of 2 cells cannot run here"));
  const auto all = stored();
  ASSERT_EQ(all.size(), 5u) << on.work().read(store);  // header, two checks, a sample and its twin
  int skipped = 0;
  for (const auto& line : all)
    if (line.find(",skipped,") != std::string::npos) {
      ++skipped;
      EXPECT_TRUE(contains(line, "wx=128;wy=128"));
      EXPECT_TRUE(contains(line, "work-group"));
    }
  EXPECT_EQ(skipped, 1);
  EXPECT_TRUE(contains(run().out, "nothing to do"));
}

TEST(RunOfARungWithPhases, StoresTheTimeOfEach) {
  const std::string phased = "d2q37/serial/01_phases";
  const Installation on({fs::path(LADDER_BIN) / "rungs" / phased / "default"});
  on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q37/serial/01_phases"]
cases = ["rt-16x24", "flame-16x48"]
check_steps = [1]
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  std::set<std::string> samples;
  for (const Row& row : read_rows(on.path("experiments/one/results/here.csv")).rows) {
    std::string names;
    double all = 0;
    for (const PhaseTime& phase : parse_phases(row.phases)) {
      names += phase.name + " ";
      all += phase.seconds;
    }
    if (row.kind == "check" || row.rung == skeleton) {
      EXPECT_EQ(row.phases, "") << row.kind << " " << row.rung;
      continue;
    }
    samples.insert(row.case_name);
    EXPECT_EQ(names, row.case_name == "rt-16x24" ? "stream bc collide " : "stream bc gas collide ");
    const double step = row.seconds / static_cast<double>(row.steps);
    EXPECT_GT(all, step / 10);
    EXPECT_LT(all, step * 10);
  }
  EXPECT_EQ(samples, (std::set<std::string>{"flame-16x48", "rt-16x24"}));
}

TEST(RunWithFewerThreads, SaysHowManyWorked) {
  const auto threads_and_key = [](const Environment& environment) {
    const Installation on({}, environment);
    on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[ceilings]]
backend = "openmp"
names = ["copy"]
bytes = [65536]
stores = ["plain"]
)");
    const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    const auto stored = read_rows(on.path("experiments/one/results/here.csv")).rows;
    EXPECT_EQ(stored.size(), 1u);
    return std::tuple(stored.at(0).threads, stored.at(0).suspicious.find("threads") != std::string::npos, stored.at(0).key);
  };
  const auto [two, two_is_suspicious, key_of_two] = threads_and_key({});
  EXPECT_EQ(two, 2);
  EXPECT_FALSE(two_is_suspicious);
  const auto [one, one_is_suspicious, key_of_one] = threads_and_key({{"OMP_THREAD_LIMIT", "1"}});
  EXPECT_EQ(one, 1);
  EXPECT_FALSE(one_is_suspicious) << "one thread is the row's placement";
  EXPECT_NE(key_of_one, key_of_two);
}

/// A rung that is a script. `check`: its commands before it answers to a check; `picture`: instead of a picture.
std::string script_of_rung(const std::string& check, const std::string& measure = "", const std::string& picture = "") {
  return R"(#!/bin/sh
case $1 in
  probe) echo '{"available": true, "device": "serial", "threads": 1}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "same"}' ;;
  check) )" +
         check +
         R"(
    echo '{"outcome": "ok", "reason": "", "check_steps": 2, "population_error": 0, "tolerance": 1, "history_error": 0}' ;;
  measure) )" +
         measure + R"(
    echo '{"benchmarks": [{"run_type": "iteration", "real_time": 1e-4, "time_unit": "s", "cells": 256, "steps": 10}]}' ;;
  picture) )" +
         picture + R"(
esac
)";
}
constexpr const char* scripted = "d2q9/serial/99_script";
const std::string scripted_study = "rounds = 1\n[[matrix]]\nrungs = [\"d2q9/serial/99_script\"]\ncases = [\"box-16\"]\n";

/// Runs of a scripted rung whose flows are tested for stability.
class Stability : public Run {
 protected:
  const fs::path rung = on.add_rung(description_of(scripted), "") / "default";
  const std::string header = "case,outcome,step,reason\n";

  /// Asks for the stability of these cases, with `more` in the study.
  void ask(const std::string& cases, const std::string& more = "") const {
    on.study("one", more + fmt::format("[[series]]\nrung = \"{}\"\ncases = [{}]\nprecision = \"f32\"\nstability = true\n",
                                       scripted, cases));
  }

  /// Installs the rung with these commands for `series`. They find the case in $name and the file to write in $out.
  void install(const std::string& series) const {
    std::string script = script_of_rung("");
    script.insert(script.find("  probe)"),
                  "  series) for name; do [ \"$last\" = --out ] && out=$name; last=$name; done\n    " + series + " ;;\n");
    std::ofstream(rung) << script;
    fs::permissions(rung, fs::perms::owner_all);
  }

  /// Commands that report a diverged flow, or write a series up to a step.
  static std::string diverge() { return "echo \"$name: step 7: it is too fast; the flow is unstable\" >&2; exit 1"; }
  static std::string reach(int step) { return fmt::format("printf 'step\\n0\\n{}\\n' > \"$out\"", step); }

  ProcessResult run_with(const std::string& series) const {
    install(series);
    return run();
  }

  [[nodiscard]] bool has_list() const { return fs::exists(on.path("experiments/one/results/here.flow.csv")); }

  /// The stability files, listed or not.
  [[nodiscard]] std::vector<std::string> files() const {
    auto all = on.work().listing();
    std::erase_if(all, [](const std::string& name) { return !contains(name, ".stability."); });
    return all;
  }

  /// The cases that were run since the last call, if the rung's commands begin with note().
  [[nodiscard]] std::vector<std::string> noted() const {
    const std::string text = fs::exists(on.path("noted")) ? on.work().read("noted") : "";
    fs::remove(on.path("noted"));
    return lines(text);
  }
  static std::string note() { return "echo $name >> \"$LADDER_ROOT/noted\"; "; }
};

TEST_F(Stability, IsNotRecordedIfARunDidNotShowIt) {
  ask("\"box-16\"");
  for (const char* end : {"exit 0", "exit 2", "exit 3", "kill -SEGV $$"}) {
    const ProcessResult result =
        run_with("echo 'box-16: step 7: it is too fast; the flow is unstable' >&2; " + std::string(end));
    EXPECT_EQ(result.code, exit_ok) << end << result.err;
    EXPECT_TRUE(contains(result.err, "no stability result for box-16: ")) << end << result.err;
    EXPECT_TRUE(files().empty()) << end;
  }
  EXPECT_EQ(run_with(diverge()).code, exit_ok);
  EXPECT_EQ(on.work().read(flows("stability").at(0)), header + "box-16,diverged,7,it is too fast\n");
}

TEST_F(Stability, IsNotRecordedIfARunEndsEarly) {
  ask("\"box-16\"");
  const ProcessResult early = run_with(reach(9));
  EXPECT_TRUE(contains(early.err, "no stability result for box-16: its series does not end at the last step, 10")) << early.err;
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(run_with(reach(10)).code, exit_ok);
  EXPECT_EQ(on.work().read(flows("stability").at(0)), header + "box-16,bounded,10,\n");
}

TEST_F(Stability, IsNotThatOfTheCaseBefore) {
  ask("\"box-16\", \"box-17\"");
  const ProcessResult result = run_with("[ $name = box-17 ] || " + reach(10));
  EXPECT_TRUE(contains(result.err, "no stability result for box-17: ")) << result.err;
  EXPECT_FALSE(contains(result.err, "no stability result for box-16: ")) << result.err;
}

TEST_F(Stability, OfFinishedCasesIsKept) {
  ask("\"box-16\", \"box-17\", \"box-18\"");
  install(note() + "[ $name = box-17 ] && [ ! -e \"$LADDER_ROOT/good\" ] && kill -SEGV $$; [ $name = box-18 ] || { " +
          diverge() + "; }; " + reach(10));
  const ProcessResult first = run();
  EXPECT_EQ(first.code, exit_ok) << first.err;
  EXPECT_TRUE(contains(first.err, "no stability result for box-17: ended by signal 11")) << first.err;
  EXPECT_EQ(noted(), (std::vector<std::string>{"box-16", "box-17", "box-18"}));
  EXPECT_FALSE(has_list()) << "reports show complete files";
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(on.work().read(files()[0]), header + "box-16,diverged,7,it is too fast\nbox-18,bounded,10,\n");

  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(noted(), std::vector<std::string>{"box-17"}) << "it fails again";
  EXPECT_FALSE(has_list());

  on.work().write("good", "");
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(noted(), std::vector<std::string>{"box-17"});
  EXPECT_EQ(on.work().read(flows("stability").at(0)),
            header + "box-16,diverged,7,it is too fast\nbox-17,diverged,7,it is too fast\nbox-18,bounded,10,\n");
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_TRUE(noted().empty());
}

TEST_F(Stability, OfCasesFinishedBeforeAnInterruptIsKept) {
  ask("\"box-16\", \"box-17\"");
  install(note() + "[ $name = box-17 ] && [ ! -e \"$LADDER_ROOT/good\" ] && { echo > \"$LADDER_ROOT/begun\"; sleep 300; }; " +
          reach(10));
  const pid_t program = on.start(words);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(40);
  while (!fs::exists(on.path("begun")) && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(program, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(noted(), (std::vector<std::string>{"box-16", "box-17"}));
  EXPECT_FALSE(has_list());

  on.work().write("good", "");
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(noted(), std::vector<std::string>{"box-17"});
  EXPECT_EQ(on.work().read(flows("stability").at(0)), header + "box-16,bounded,10,\nbox-17,bounded,10,\n");
}

TEST_F(Stability, IsNotContinuedFromAFileThatIsDamaged) {
  ask("\"box-16\", \"box-17\"");
  install(note() + "[ $name = box-17 ] && [ ! -e \"$LADDER_ROOT/good\" ] && exit 4; " + reach(10));
  EXPECT_EQ(run().code, exit_ok);
  ASSERT_EQ(files().size(), 1U);
  on.work().write(files()[0], header + "box-16,bounded,1");
  on.work().write("good", "");
  (void)noted();
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(noted(), (std::vector<std::string>{"box-16", "box-17"}));
  EXPECT_EQ(on.work().read(flows("stability").at(0)), header + "box-16,bounded,10,\nbox-17,bounded,10,\n");
}

TEST_F(Stability, IsListedAgainIfTheStudyReturnsToAListOfCases) {
  install(reach(10));
  const auto listed = [&] {
    EXPECT_EQ(run().code, exit_ok);
    return read_flows(on.path("experiments/one/results/here.flow.csv")).rows;
  };
  ask("\"box-16\", \"box-17\"");
  const std::string key = listed().at(0).key;
  ask("\"box-17\"");
  EXPECT_EQ(listed().size(), 2U);
  ask("\"box-18\"");
  EXPECT_EQ(listed().size(), 3U);
  EXPECT_EQ(listed().size(), 3U) << "the other files have other cases";
  ask("\"box-16\", \"box-17\"");
  ASSERT_EQ(listed().size(), 4U) << "the second file has one of its cases";
  EXPECT_EQ(listed().back().key, key);
}

TEST_F(Stability, CostsNoRowsIfItCannotBeStored) {
  const auto measured = [&] {
    const auto all = read_rows(on.path(store)).rows;
    return std::ranges::count_if(all, [](const Row& row) { return row.kind == "sample" && row.ok(); });
  };
  ask("\"box-16\"", scripted_study);
  install(reach(10));
  ASSERT_EQ(run().code, exit_ok);
  const std::string file = files().at(0);

  fs::remove_all(on.path("experiments/one/results"));
  const ProcessResult homeless = on.shell("TMPDIR=/nonexistent \"$LADDER\" run one --machine here --no-report");
  EXPECT_EQ(homeless.code, exit_bad_input) << homeless.err;
  EXPECT_TRUE(contains(homeless.err, "no stability results: TMPDIR='/nonexistent': no folder for temporary files"))
      << homeless.err;
  EXPECT_EQ(measured(), 1) << homeless.err;
  EXPECT_EQ(run().code, exit_ok);
  EXPECT_EQ(files().size(), 1U) << "the same command continues";

  fs::remove_all(on.path("experiments/one/results"));
  fs::create_directories(on.path(file) + "/in the way");
  const ProcessResult refused = run();
  EXPECT_EQ(refused.code, exit_bad_input) << refused.err;
  EXPECT_TRUE(contains(refused.err, "no stability results: ") && contains(refused.err, "cannot be written: ")) << refused.err;
  EXPECT_EQ(measured(), 1) << refused.err;
  EXPECT_FALSE(has_list());

  for (const char* const fault : {"echo 'p.csv: cannot be written: No space left on device' >&2; exit 2", "echo >> \"$0\""}) {
    fs::remove_all(on.path("experiments/one/results"));
    const ProcessResult result = run_with(reach(10) + "; " + fault);
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(contains(result.err, "no stability results: ")) << result.err;
    EXPECT_TRUE(files().empty()) << fault;
  }
}

TEST_F(Run, StoresNothingOfARungThatChangesMeanwhile) {
  on.study("one", scripted_study);
  const fs::path rung = on.add_rung(description_of(scripted), "") / "default";
  const auto install = [&](const std::string& text) {
    std::ofstream(rung) << text;
    fs::permissions(rung, fs::perms::owner_all);
  };
  for (const char* change : {"echo >> \"$0\"", "cp -p \"$0\" \"$0.new\"; mv \"$0.new\" \"$0\"", "rm \"$0\""})
    for (const bool at_first : {true, false}) {
      fs::remove_all(on.path("experiments/one/results"));
      install(at_first ? script_of_rung(change) : script_of_rung("", change));
      const ProcessResult changed = run();
      EXPECT_EQ(changed.code, exit_bad_input) << change << changed.err;
      EXPECT_TRUE(contains(changed.err, "not run, and nothing is stored: " + rung.string() + " was changed or removed"))
          << changed.err;
      EXPECT_EQ(stored().size(), at_first ? 1u : 2u) << change << ": the header, and the check before the change";
      install(script_of_rung(""));
      EXPECT_EQ(run().code, exit_ok) << change;
    }
}

TEST_F(Run, StoresNothingOfAResidentRungWhoseFileChanges) {
  on.study("one", scripted_study);
  const std::string answer = R"({"outcome":"ok","check_steps":2,"population_error":0,"tolerance":1,"history_error":0})";
  std::string script = script_of_rung("");
  script.insert(script.find("  probe)"), "  serve) read -r line; echo >> \"$0\"; echo '" +
                                             nlohmann::json{{"code", 0}, {"out", answer}, {"err", ""}}.dump() + "' ;;\n");
  script.insert(script.find("\"available\""), "\"resident\": true, ");
  on.add_rung(description_of(scripted), script);
  const ProcessResult changed = run();
  EXPECT_EQ(changed.code, exit_bad_input) << changed.err;
  EXPECT_TRUE(contains(changed.err, "99_script/default was changed or removed")) << changed.err;
  EXPECT_EQ(stored().size(), 1u);
}

TEST_F(Run, TellsAPictureThatFailsFromOneThatCannotBeWritten) {
  on.study("one", scripted_study + "[[field]]\nrung = \"d2q9/serial/99_script\"\ncase = \"box-16\"\nsteps = 2\n");
  const fs::path rung = on.add_rung(description_of(scripted), "") / "default";
  const std::tuple<const char*, int, const char*> ends[] = {
      {"echo 'p.csv: cannot be written: No space left on device' >&2; exit 2", exit_bad_input, "p.csv: cannot be written"},
      {"echo 'it diverged' >&2; exit 1", exit_ok, "it diverged"},
      {R"(echo '{"code": "no-memory"}'; echo 'too large' >&2; exit 2)", exit_ok, "too large"},
      {"while [ $1 != --out ]; do shift; done; echo > $2; echo >> \"$0\"", exit_bad_input, "was changed or removed"}};
  for (const auto& [picture, code, message] : ends) {
    fs::remove_all(on.path("experiments/one/results"));
    std::ofstream(rung) << script_of_rung("", "", picture);
    fs::permissions(rung, fs::perms::owner_all);
    const ProcessResult result = run();
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_TRUE(contains(result.err, "box-16: no picture after 2 steps: ")) << result.err;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_TRUE(flows("field").empty()) << message;
  }
}

/// Options that PoCL adds to every build; with these, no source contains a kernel.
TEST(RunWithABrokenCompiler, StoresItsLogAndGoesOn) {
  const Installation on({}, {{"POCL_EXTRA_BUILD_FLAGS", "-Dkernel=broken"}, {"POCL_KERNEL_CACHE", "0"}});
  if (!on.can_run(tuned)) GTEST_SKIP() << "no OpenCL device";
  on.study("one", R"(rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/opencl/08_tuned", "d2q9/serial/01_skeleton"]
cases = ["box-16"]
check_steps = [2]
)");
  const ProcessResult result = on.ladder({"run", "one", "--machine", "here", "--no-report"});
  EXPECT_EQ(result.code, exit_check_failed) << result.err;
  const std::string stored = on.work().read("experiments/one/results/here.csv");
  EXPECT_TRUE(contains(stored, ",failed,")) << stored;
  EXPECT_TRUE(contains(stored, "CL_BUILD_PROGRAM_FAILURE")) << stored;
  EXPECT_TRUE(contains(stored, "unknown type name 'broken'")) << "the compiler's log";
  EXPECT_TRUE(contains(stored, ",sample,d2q9/serial/01_skeleton,")) << "other cells go on";
}

TEST_F(Run, RefusesTheStoreOfAnotherMachine) {
  on.study("one", study);
  const std::string before = make_store(csv_header<Row>() + "\n");
  on.work().write("experiments/one/results/here.20261121T000000Z-0001.json",
                  R"({"machine": {"name": "here", "cpu": "a processor of old", "cores": 3}})");
  const ProcessResult result = run();
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "here.csv: holds results of another machine, a processor of old, 3 cores; this one is "));
  EXPECT_TRUE(contains(result.err, "accepted: --machine NAME"));
  EXPECT_EQ(on.work().read(store), before);
  EXPECT_EQ(on.ladder({"run", "one", "--machine", "there", "--no-report"}).code, exit_ok);
}

}  // namespace
}  // namespace ladder::test
