// The whole report on a small folder of experiments.
#include "reports/report.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Experiments;
using test::input_error;
using test::line;
using test::measured;

constexpr const char* title = "title = \"A study\"\n";

TEST(Report, WritesAPageFiguresAndTables) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  e.write_session();
  e.write_rows(measured({}, {1e6, 2e6, 3e6}) + test::ceiling("triad", 1 << 20, "nt", {1e8, 1e8, 1e8}, 12));
  const ReportResult result = e.report();
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_EQ(result.html, e.out() / "index.html");
  for (const char* name : {"index.html", "figures/waugh-box-01-roofline-box-4.svg", "figures/waugh-box-01-roofline-box-4.pdf",
                           "tables/waugh-box-01-roofline-box-4.csv", "tables/waugh-box-01-roofline-box-4.md"}) {
    EXPECT_GT(std::filesystem::file_size(e.out() / name), 100U) << name;
  }
  const std::string page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "A study"));
  EXPECT_TRUE(contains(page, "a processor, 2 cores"));
  EXPECT_TRUE(contains(page, "Rows: study waugh, machine box, session s1"));
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/")) << "nothing is fetched from the network";
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Report, HostileNamesAreTextAndNothingElse) {
  const std::string hostile = "x/<script>alert(1)</script>\"'`touch hacked`$(touch hacked)\n{/Symbol a} @b %s \\";
  const Experiments e;
  e.write("study.toml",
          "title = \"<img src=x onerror=alert(1)>\"\n[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\n"
          "cases = [\"*\"]\n[[report]]\nkind = \"stream\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n"
          "[[report]]\nkind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"</title><script>`touch hacked`\" }]\n");
  e.write_session({{hostile, {{"id", hostile}, {"idea", "<b>bold</b>"}}}});
  e.write_rows(measured({.rung = hostile}, {1e6, 2e6, 3e6}) +
               line({.outcome = "crashed", .reason = "<script>evil()</script>"}) +
               test::ceiling("triad", 1 << 20, "nt", {1e8}, 12));
  const ReportResult result = e.report();
  for (const std::filesystem::path& file : result.files) {
    if (file.extension() == ".pdf" || file.extension() == ".csv") continue;
    const std::string content = e.read(std::filesystem::relative(file, e.path()).string());
    EXPECT_EQ(content.find("<script"), std::string::npos) << file;
    EXPECT_EQ(content.find("<img"), std::string::npos) << file;
    EXPECT_EQ(content.find("<b>bold"), std::string::npos) << file;
  }
  EXPECT_TRUE(contains(e.read("out/index.html"), "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

TEST(Report, APaperThatIsNoFileIsNamed) {
  const Experiments e;
  for (const std::string& paper : {std::string("/dev/zero"), std::string(300, 'a'), std::string("results")}) {
    e.write("study.toml", title + ("paper = \"" + paper + "\"\n"));
    e.write("results/box.csv", test::header);
    EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), paper));
  }
}

TEST(Report, AWrongRungIsListedAsSuchAndItsSpeedIsNowhere) {
  const Experiments e;
  e.write("study.toml", std::string(title) +
                            "[[report]]\nkind = \"steps\"\ncases = [\"box-4\"]\n"
                            "rows = [{ label = \"one\", rung = \"d2q9/serial/01_plain\" }]\n");
  e.write_session();
  e.write_rows(line({.kind = "check", .outcome = "wrong", .reason = "off by one"}) + line({.updates_per_second = 987654321}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "off by one"));
  EXPECT_TRUE(contains(page, "withheld"));
  EXPECT_EQ(page.find("987654321"), std::string::npos);
  EXPECT_EQ(page.find(">988<"), std::string::npos);
}

TEST(Report, AHalfWrittenLastRowIsLeftOutAndSaidSo) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_session();
  e.write_rows(measured({}, {1e6}) + "s1,2,1,2026");
  const ReportResult result = e.report();
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_TRUE(contains(result.warnings[0], "the last row is incomplete"));
}

TEST(Report, ASessionWithoutProvenanceIsSaidSo) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(e.report().warnings.at(0), "session s1 has no file box.s1.json"));
}

TEST(Report, NothingIsWrittenWhereAnInputIsWrong) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"pie\"\n");
  e.write_session();
  e.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "study.toml:3: 'kind' is 'pie'; accepted: accuracy"));
  EXPECT_FALSE(std::filesystem::exists(e.out()));
}

TEST(Report, UnknownStudiesAndParametersAreNamed) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"heatmap\"\nrung = \"r\"\ncases = [\"c\"]\nz = \"wz\"\n");
  e.write_session();
  e.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "study.toml:6: 'z' is unknown here; accepted: cases"));
  EXPECT_TRUE(contains(
      input_error([&] { write_report({.experiments = e.path(), .studies = {"wogh"}, .out = e.out(), .machine = ""}); }),
      "no study 'wogh'; accepted: waugh"));
}

TEST(Report, ABadProvenanceFileIsNamed) {
  const Experiments e;
  e.write("study.toml", title);
  e.write("results/box.s1.json", "{ \"machine\": 3");
  e.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "box.s1.json: is no provenance file"));
}

TEST(Report, AStudyWithoutResultsIsAPageThatSaysSo) {
  const Experiments e;
  e.write("study.toml", title);
  EXPECT_TRUE(contains(e.report().warnings.at(0), "experiments/waugh: no results yet"));
  EXPECT_TRUE(std::filesystem::exists(e.out() / "index.html"));
}

TEST(Report, AnUnwritableFolderIsAnError) {
  const Experiments e;
  e.write("study.toml", title);
  e.write("../out", "a file where the folder should be");
  EXPECT_THROW((void)e.report(), std::runtime_error);
}

}  // namespace
}  // namespace ladder::reports
