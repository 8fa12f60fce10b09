// `ladder report --verify`: values that differ from the stored rows, and results older than the rungs that they name.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/output.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* drawn_study = R"(title = "One"
rounds = 1
sample_seconds = 0.01
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16"]
[[report]]
kind = "steps"
cases = ["box-16"]
rungs = ["d2q9/*"]
)";

class Verify : public testing::Test {
 protected:
  void SetUp() override {
    on.copy_sources();
    on.study("one", drawn_study);
    run("here");
  }

  void run(const std::string& machine) const {
    const ProcessResult run = on.ladder({"run", "one", "--machine", machine});
    ASSERT_EQ(run.code, exit_ok) << run.err;
    ASSERT_EQ(on.ladder({"report", "one"}).code, exit_ok);
  }
  void append(const std::string& file, const std::string& text) const { std::ofstream(on.path(file), std::ios::app) << text; }

  ProcessResult verify() const { return on.ladder({"report", "one", "--verify"}); }

  Installation on;
};

TEST_F(Verify, FindsNothingInAFreshReport) {
  const ProcessResult result = verify();
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "0 mismatches; 0 of 1 results are older")) << result.out;
}

TEST_F(Verify, NamesAPrintedNumberThatTheRowsDoNotGive) {
  fs::path table;
  for (const auto& entry : fs::directory_iterator(on.path("report/one/tables")))
    if (entry.path().filename().string().ends_with("steps-box-16.csv")) table = entry.path();
  ASSERT_FALSE(table.empty());
  std::string text = on.work().read(fs::relative(table, on.work().path()).string());
  const std::size_t at = text.rfind("d2q9/");
  const std::size_t digit = text.find_first_of("123456789", text.find(',', at));
  text[digit] = text[digit] == '1' ? '2' : '1';
  std::ofstream(table) << text;
  const ProcessResult result = verify();
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "column 'us_per_step': printed '")) << result.out;
  EXPECT_TRUE(contains(result.out, "1 mismatches; 0 of 1"));
}

TEST_F(Verify, FindsResultsOlderThanTheirRung) {
  append("variants/d2q9/serial/05_soa/kernel.cpp", "int another_rung;\n");
  append("variants/d2q9/reference.cpp", "int no_part_of_the_executable;\n");
  EXPECT_EQ(verify().code, exit_ok) << verify().out;
  for (const char* file : {"variants/d2q9/serial/01_skeleton/kernel.cpp", "variants/lattice/processor.hpp",
                           "variants/d2q9/textbook.hpp", "backends/serial/status.cpp"}) {
    const std::string before = on.work().read(file);
    append(file, "  // a comment\n\n");
    EXPECT_EQ(verify().code, exit_ok) << file;
    append(file, "// a comment\nint changed;\n");
    const ProcessResult result = verify();
    EXPECT_EQ(result.code, exit_check_failed) << file;
    EXPECT_TRUE(contains(result.out, "d2q9/serial/01_skeleton: its sources have changed")) << result.out;
    std::ofstream(on.path(file)) << before;
  }
  EXPECT_EQ(verify().code, exit_ok);
}

TEST_F(Verify, TakesTheExecutableForWhatWasMeasuredHere) {
  fs::remove_all(on.path("experiments/one/results"));
  fs::remove_all(on.path("report"));
  const ProcessResult run = on.ladder({"run", "one"});
  ASSERT_EQ(run.code, exit_ok) << run.err;
  append("variants/d2q9/serial/01_skeleton/kernel.cpp", "// a word that changes no executable\n");
  EXPECT_EQ(verify().code, exit_ok) << verify().out;
  for (const auto& entry : fs::directory_iterator(on.path("experiments/one/results"))) {
    const std::string name = "experiments/one/results/" + entry.path().filename().string();
    if (!name.ends_with(".json")) continue;
    std::string text = on.work().read(name);
    const std::size_t at = text.find("\"executable\": \"") + 15;
    text[at] = text[at] == '0' ? '1' : '0';
    std::ofstream(on.path(name)) << text;
  }
  ASSERT_EQ(on.ladder({"report", "one"}).code, exit_ok);
  const ProcessResult result = verify();
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "d2q9/serial/01_skeleton: its executable has changed")) << result.out;
}

TEST_F(Verify, NamesFilesThatAreMissingOrNoPartOfTheReport) {
  append("report/one/tables/invented.csv", "rung,mlups\nmine,1e9\n");
  for (const auto& entry : fs::directory_iterator(on.path("report/one/figures")))
    if (entry.path().extension() == ".pdf") fs::remove(entry.path());
  const ProcessResult result = verify();
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "invented.csv: is not part of the report")) << result.out;
  EXPECT_TRUE(contains(result.out, ".pdf: is missing")) << result.out;
}

TEST_F(Verify, NamesWhatNoTableShows) {
  append("report/one/notes.txt", "mine");
  for (const auto& entry : fs::directory_iterator(on.path("report/one/figures")))
    if (entry.path().extension() == ".pdf") std::ofstream(entry.path(), std::ios::app) << "more";
  append("experiments/one/study.toml", "# a word that changes no number\n");
  const ProcessResult result = verify();
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "report/one/notes.txt: is not part of the report"));
  EXPECT_TRUE(contains(result.out, ".pdf: is not the file that the report wrote"));
  EXPECT_TRUE(contains(result.out, "experiments/one/study.toml: is not the file that the report was made from"));
}

TEST_F(Verify, RefusesAStoreWithAQuoteThatSwallowsRows) {
  std::string text = on.work().read("experiments/one/results/here.csv");
  text.insert(text.find(",check,") + 1, "\"");
  std::ofstream(on.path("experiments/one/results/here.csv")) << text;
  for (const auto& result : {verify(), on.ladder({"report", "one"}), on.ladder({"run", "one", "--machine", "here"})}) {
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, "here.csv:2: a quote is not closed"));
  }
  EXPECT_EQ(on.work().read("experiments/one/results/here.csv"), text);
}

TEST_F(Verify, AnotherStudysFaultIsItsOwn) {
  on.study("two", "title = \n");
  const ProcessResult report = on.ladder({"report"});
  EXPECT_EQ(report.code, exit_bad_input);
  EXPECT_TRUE(contains(report.err, "experiments/two is left out: "));
  EXPECT_TRUE(contains(on.work().read("report/one/index.html"), "d2q9/serial/01_skeleton"));
  EXPECT_TRUE(contains(on.work().read("report/index.html"), "d2q9/serial/01_skeleton"));
  EXPECT_EQ(on.ladder({"run", "one", "--machine", "here"}).code, exit_ok);
}

TEST_F(Verify, ComparesThePageOverAllReports) {
  ASSERT_EQ(on.ladder({"report"}).code, exit_ok);
  EXPECT_EQ(on.ladder({"report", "--verify"}).code, exit_ok);
  const std::string page = on.work().read("report/index.html");
  append("report/index.html", "more");
  const ProcessResult result = on.ladder({"report", "--verify"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.out, "report/index.html: differs from the page that the stored rows give")) << result.out;
  ASSERT_EQ(on.ladder({"report"}).code, exit_ok);
  EXPECT_EQ(on.work().read("report/index.html"), page);
  std::ofstream(on.path("report/index.html")) << "mine";
  const ProcessResult refused = on.ladder({"report"});
  EXPECT_EQ(refused.code, exit_bad_input);
  EXPECT_TRUE(contains(refused.err, "report/index.html: is not a page over all reports")) << refused.err;
  EXPECT_EQ(on.work().read("report/index.html"), "mine");
}

TEST_F(Verify, TakesAFolderWithAReportOnly) {
  const ProcessResult result = on.ladder({"report", "one", "--verify", "--out", on.path("elsewhere")});
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "elsewhere: holds no report")) << result.err;
}

TEST(SecondReport, IsRefusedWhileAnotherIsWritten) {
  const Installation on;
  on.study("one", drawn_study);
  ASSERT_EQ(on.ladder({"run", "one", "--machine", "here"}).code, exit_ok);
  {
    const OutputFolder other(on.path("report/one"), {});
    const ProcessResult result = on.ladder({"report", "one"});
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, "another process (process " + std::to_string(getpid()) + ") is writing")) << result.err;
  }
  EXPECT_EQ(on.ladder({"report", "one"}).code, exit_ok);
}

TEST(InterruptedReport, LeavesNothingBehind) {
  const Folder temporary;
  const Installation on({}, {{"TMPDIR", temporary.path().string()}});
  on.study("one", drawn_study);
  ASSERT_EQ(on.ladder({"run", "one", "--machine", "here", "--no-report"}).code, exit_ok);
  const pid_t report = on.start({"report", "one"});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto wait_until = [&](auto is_so) {
    while (!is_so() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  wait_until([&] { return on.processes().size() > 1; });  // until it draws
  kill(report, SIGTERM);
  int status = 0;
  waitpid(report, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == exit_ok) << "not interrupted";
  wait_until([&] { return on.processes().empty(); });
  EXPECT_EQ(temporary.listing(), std::vector<std::string>{});
  for (const auto& name : on.work().listing())
    EXPECT_FALSE(name.ends_with(".part")) << name;
  EXPECT_EQ(on.ladder({"report", "one"}).code, exit_ok);
}

}  // namespace
}  // namespace ladder::test
