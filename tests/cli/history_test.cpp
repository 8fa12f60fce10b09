// `ladder history`: stored speeds by session and commit.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

class History : public testing::Test {
 protected:
  Installation on;

  /// Three samples, 1 % apart, of a session on this day.
  static std::string rows(int day, double updates_per_second, const std::string& tuning = "",
                          const std::string& precision = "f32", const std::string& build = "default") {
    Row row;
    row.session = session(day);
    row.utc = "2026-01-0" + std::to_string(day) + "T00:00:00Z";
    row.kind = "sample";
    row.rung = skeleton;
    row.build = build;
    row.backend = "serial";
    row.case_name = "box-16";
    row.grid = "16x16";
    row.cells = 256;
    row.precision = precision;
    row.tuning = tuning;
    row.outcome = "ok";
    row.key = "k" + std::to_string(day);
    row.steps = 10;
    row.bytes_per_update_model = row.bytes_per_update_minimum = 72;
    row.flops_per_update = 85;
    row.footprint_bytes = 18432;
    row.device = "CPU";
    row.suspicious = day == 2 ? "load" : "";
    std::string text;
    for (row.round = 1; row.round <= 3; ++row.round) {
      row.updates_per_second = updates_per_second * (0.98 + 0.01 * row.round);
      row.seconds = static_cast<double>(row.cells * row.steps) / row.updates_per_second;
      text += csv_line(row) + "\n";
    }
    return text;
  }
  static std::string session(int day) { return "2026010" + std::to_string(day) + "T000000Z-0001"; }

  /// Stores rows of a study, and their sessions, each with its own commit: 1111…, 2222….
  void store(const std::string& study, const std::string& text, const std::vector<int>& days, int cores = 1) const {
    const std::string folder = "experiments/" + study + "/results";
    if (study != "compare") on.study(study, "title = \"One\"\n[[matrix]]\nrungs = [\"d2q9/*\"]\ncases = [\"box-16\"]\n");
    std::filesystem::create_directories(on.path(folder));
    on.work().write(folder + "/here.csv", csv_header<Row>() + "\n" + text);
    for (const int day : days)
      on.work().write(folder + "/here." + session(day) + ".json",
                      Json{{"session", session(day)},
                           {"machine", {{"name", "here"}, {"cpu", "CPU"}, {"cores", cores}}},
                           {"source", {{"commit", std::string(40, static_cast<char>('0' + day))}, {"dirty", day == 2}}},
                           {"devices", {{"serial", "CPU"}}}}
                          .dump());
  }

  [[nodiscard]] ProcessResult history(const Words& more = {}, const std::string& rung = skeleton) const {
    Words words = {"history", rung, "--case", "box-16", "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }
};

TEST_F(History, ComparesEachSessionWithTheOneBefore) {
  store("one", rows(1, 1e8) + rows(3, 0.5e8), {1, 3});
  store("compare", rows(2, 1.005e8), {2});
  const ProcessResult text = history();
  ASSERT_EQ(text.code, exit_ok) << text.err;
  EXPECT_TRUE(text.out.starts_with(std::string(skeleton) + " box-16 f32 on here\n")) << text.out;
  for (const char* part : {"222222222222+", "<- slower", "3 sessions, 1 with an interval that does not overlap the previous"})
    EXPECT_TRUE(contains(text.out, part));
  const Json all = Json::parse(history({"--json"}).out);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.at(0).at("commit"), "111111111111");
  EXPECT_TRUE(all.at(0).at("ratio_to_previous").is_null());
  EXPECT_EQ(all.at(1).at("study"), "compare") << "ordered by time, in all studies";
  EXPECT_EQ(all.at(1).at("disturbed_samples"), 3);
  EXPECT_EQ(all.at(1).at("intervals"), "overlap");
  EXPECT_NEAR(all.at(2).at("ratio_to_previous").get<double>(), 0.4975, 1e-4);
  EXPECT_EQ(all.at(2).at("intervals"), "disjoint");
  const ProcessResult csv = history({"--csv"});
  EXPECT_TRUE(csv.out.starts_with("session,commit,study,samples,disturbed_samples,median_mlups,")) << csv.out;
  EXPECT_EQ(lines(csv.out).size(), 4U);
}

TEST_F(History, DoesNotCompareDifferentMachinesWithTheSameName) {
  store("one", rows(1, 1e8), {1});
  store("two", rows(2, 0.5e8), {2}, 8);
  store("three", rows(3, 1e8), {3});
  const Json all = Json::parse(history({"--json"}).out);
  ASSERT_EQ(all.size(), 3U);
  for (const auto& [i, machine] : {std::pair{0, 1}, {1, 2}, {2, 1}}) {
    EXPECT_EQ(all.at(i).at("device"), "CPU");
    EXPECT_EQ(all.at(i).at("machine"), machine);
  }
  EXPECT_TRUE(all.at(1).at("ratio_to_previous").is_null());
  EXPECT_EQ(all.at(2).at("ratio_to_previous"), 1);
  const std::string csv = history({"--csv"}).out;
  EXPECT_TRUE(csv.starts_with("session,commit,study,machine,samples,")) << csv;
  EXPECT_TRUE(contains(csv, ",two,2,3,")) << csv;
  const std::string text = history().out;
  for (const char* part : {"CPU (machine 1)", "CPU (machine 2)", "machine 1: CPU, 1 core\nmachine 2: CPU, 8 cores\n"})
    EXPECT_TRUE(contains(text, part)) << text;
}

TEST_F(History, NumbersOnlyTheMachinesThatItShows) {
  store("one", rows(1, 1e8), {1});
  store("two", rows(2, 1e8, "", "f64"), {2}, 8);
  for (const char* precision : {"f32", "f64"}) {
    EXPECT_TRUE(Json::parse(history({"--json", "--precision", precision}).out).at(0).at("machine").is_null());
    EXPECT_FALSE(contains(history({"--precision", precision}).out, "machine ")) << precision;
    EXPECT_FALSE(contains(history({"--precision", precision, "--csv"}).out, "machine")) << precision;
  }
}

TEST_F(History, NamesTheCommitThatARungWasBuiltFrom) {
  store("compare", rows(1, 1e8, "", "f32", "commit-0123456789ab") + rows(1, 2e8), {1});
  const Json all = Json::parse(history({"--json"}).out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at(0).at("commit").get<std::string>() + all.at(1).at("commit").get<std::string>(), "0123456789ab111111111111");
}

TEST_F(History, ShowsOneTuningAndPrecision) {
  store("one", rows(1, 1e8, "wx=1;wy=2") + rows(1, 3e8, "wx=4;wy=2") + rows(2, 1e8, "wx=1;wy=2") + rows(2, 1e7, "", "f64"),
        {1, 2});
  const ProcessResult usual = history();
  EXPECT_TRUE(contains(usual.out, " wx=1;wy=2 box-16 f32 on here"));
  EXPECT_TRUE(contains(usual.out, "2 tunings are stored; `d2q9/serial/01_skeleton:name=value,…` selects another"));
  EXPECT_EQ(Json::parse(history({"--json"}, std::string(skeleton) + ":wx=4").out).size(), 1U);
  EXPECT_EQ(Json::parse(history({"--json", "--precision", "f64"}).out).at(0).at("updates_per_second"), 1e7);
}

TEST_F(History, DrawsAChart) {
  store("one", rows(1, 1e8) + rows(2, 2e8), {1, 2});
  const ProcessResult result = history({"--chart", on.path("history.svg")});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const std::string svg = on.work().read("history.svg");
  EXPECT_TRUE(contains(svg, "1111111"));
  EXPECT_TRUE(contains(svg, "2.00×"));
  EXPECT_EQ(history({"--chart", on.path("history.svg")}).code, exit_ok) << "replaces its own chart";
  on.work().write("notes.txt", "mine");
  const ProcessResult refused = history({"--chart", on.path("notes.txt")});
  EXPECT_EQ(refused.code, exit_bad_input);
  EXPECT_TRUE(contains(refused.err, "notes.txt: another program wrote this file")) << refused.err;
  EXPECT_EQ(on.work().read("notes.txt"), "mine");
}

TEST_F(History, NamesWhatIsStoredInstead) {
  store("one", rows(1, 1e8), {1});
  const auto expect_refused = [&](const Words& words, const std::string& message) {
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out;
    EXPECT_TRUE(contains(result.err, message));
  };
  const std::string rung = skeleton;
  expect_refused({"history", rung, "--case", "box-16", "--machine", "there"}, "machines with samples of it: here (--machine)");
  expect_refused({"history", rung, "--case", "box-17", "--machine", "here"}, "are stored on machine here for case box-17");
  expect_refused({"history", rung, "--case", "box-16", "--machine", "here", "--precision", "f64"},
                 "for case box-16 and precision f64; stored: f32");
  expect_refused({"history", rung + ":wx=4", "--case", "box-16", "--machine", "here"}, "tuning wx=4; stored: none");
  expect_refused({"history", rung, "--case", "box-16", "--machine", "here", "--placement", "threads=1"},
                 "placement threads=1; stored: default");
  EXPECT_EQ(history({"--placement", "default"}).out, history().out);
  expect_refused({"history", "d2q9/serial/01_skeletton", "--case", "box-16"}, "did you mean 'd2q9/serial/01_skeleton'");
  expect_refused({"history", rung + "@HEAD", "--case", "box-16"}, "all stored commits are shown");
  expect_refused({"history", rung}, "--case is required");
  expect_refused({"history", rung, "--case", "box-16", "--csv", "--json"}, "--csv");
}

}  // namespace
}  // namespace ladder::test
