// The whole report on a small folder of experiments.
#include "reports/report.hpp"

#include <set>
#include <sstream>

#include "harness/archive/archive.hpp"
#include "harness/record/flows.hpp"
#include "reports/document.hpp"
#include "reports/overview.hpp"
#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Experiments;
using test::header;
using test::input_error;
using test::line;
using test::measured;

constexpr const char* title = "title = \"A study\"\n";

/// Number of scripts on a page, including the page's own.
int scripts(const std::string& page) {
  int count = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
    ++count;
  return count;
}

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
  EXPECT_EQ(scripts(page), 1);
}

TEST(Report, LeadsWithQuestionAnswerAndFigure) {
  const Experiments e;
  e.write(
      "study.toml",
      "title = \"A study\"\nquestion = \"Is it fast?\"\n"
      "[[report]]\nkind = \"ceilings\"\n[[report]]\nkind = \"roofline\"\nlead = true\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  e.write_session();
  e.write_rows(measured({}, {1e6, 2e6, 3e6}) + test::ceiling("triad", 1 << 10, "nt", {1e8, 1e8, 1e8}, 12) +
               test::ceiling("triad", 1 << 14, "nt", {1e8, 1e8, 1e8}, 12) +
               test::ceiling("triad", 1 << 20, "nt", {1e8, 1e8, 1e8}, 12));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  std::size_t before = 0;
  for (const char* text :
       {"Is it fast?", "the fastest rung is d2q9/serial/01_plain", "<figure id=\"figure-waugh-box-02-roofline-box-4\"",
        "<div id=\"waugh-box-01-ceilings\">", "is at the top", "<details id=\"table-waugh-box-02-roofline-box-4\"",
        "<div id=\"waugh-box-00-summary\">"}) {
    const std::size_t at = page.find(text);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_GT(at, before) << text;
    before = at;
  }
}

TEST(Report, BeginsWithTheMachineOfTheNewestSession) {
  const Experiments e;
  e.write("study.toml", title);
  const std::string header = test::header;
  for (const auto& [machine, session] :
       {std::pair("alpha", "20261121T000000Z-0001"), std::pair("beta", "20261125T000000Z-0002"),
        std::pair("gamma", "20261123T000000Z-0003")}) {
    e.write(fmt::format("results/{}.csv", machine), header + measured({.session = session}, {1e6}));
    e.write(fmt::format("results/{}.{}.json", machine, session),
            nlohmann::json{{"utc", "2026-11-21T03:15:00Z"}, {"machine", {{"name", machine}}}}.dump());
  }
  (void)e.report();
  const std::string page = e.read("out/index.html");
  const std::size_t beta = page.find("<div id=\"waugh-beta-00-summary\"");
  const std::size_t gamma = page.find("<div id=\"waugh-gamma-00-summary\"");
  const std::size_t alpha = page.find("<div id=\"waugh-alpha-00-summary\"");
  ASSERT_NE(alpha, std::string::npos);
  EXPECT_LT(beta, gamma);
  EXPECT_LT(gamma, alpha);
}

/// The number of times that a text appears.
std::size_t count(const std::string& page, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
    ++found;
  return found;
}

TEST(Report, NamesFoldedCasesEvenIfTheTitleHasAColonInParentheses) {
  const Experiments e;
  e.write("study.toml",
          "title = \"A study\"\n[[report]]\nkind = \"steps\"\ntitle = \"Next to ours: the ladder\"\n"
          "rungs = \"d2q9/*\"\ncases = [\"box-4\", \"box-8\", \"box-9\"]\n");
  e.write_session();
  e.write_rows(measured({}, {1e6}) + measured({.case_name = "box-8"}, {1e6}) + measured({.case_name = "box-9"}, {1e6}));
  (void)e.report();
  EXPECT_TRUE(contains(e.read("out/index.html"), "2 more cases: box-8; box-9</summary>"));
}

TEST(Report, ListsEachSectionOnceAndShowsThatOfTheSelectedMachine) {
  const Experiments e;
  e.write("study.toml",
          "title = \"A study\"\nquestion = \"Is `it` fast?\"\nsource = \"box\"\n"
          "[[report]]\nkind = \"accuracy\"\ntitle = \"Errors\"\n"
          "[[report]]\nkind = \"steps\"\ntitle = \"Steps\"\nrungs = \"d2q9/*\"\ncases = [\"box-4\", \"box-8\"]\n");
  e.write_session();
  e.write_rows(measured({}, {1e6}) + measured({.case_name = "box-8"}, {1e6}));
  e.write("results/other.csv", header + measured({.rung = "m/s/1", .case_name = "box-9"}, {1e6}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  EXPECT_EQ(count(page, ">Steps</h3>"), 1U);
  EXPECT_EQ(count(page, ">Steps</a></li>"), 1U);
  EXPECT_TRUE(contains(page, "id=\"waugh-box\" class=\"m-0\" autocomplete=\"off\" checked> box</label>"));
  EXPECT_TRUE(contains(page, "id=\"waugh-other\" class=\"m-1\" autocomplete=\"off\"> other</label>"));
  EXPECT_TRUE(contains(page, "<section class=\"on on-0\">\n<h3 id=\"waugh-section-2\">Steps</h3>\n"));
  EXPECT_TRUE(contains(page, "article:has(.m-1:checked) .on:not(.on-1) { display: none; }"));
  EXPECT_TRUE(contains(page, "Left out here. “Steps”: None of these rungs is described or measured yet.</p>"));
  EXPECT_TRUE(contains(page, "1 more case: box-8</summary>"));
  EXPECT_TRUE(contains(page, "Is <code>it</code> fast?"));
  e.write("results/other.csv", header);
  (void)write_report({.experiments = e.path(), .studies = {"waugh"}, .out = e.out(), .machine = "box"});
  EXPECT_FALSE(contains(e.read("out/index.html"), "type=\"radio\"")) << "one machine needs no selector";
}

TEST(Report, LeadsWithTheFigureThatShowsTheFirstFinding) {
  const Experiments e;
  e.write("study.toml",
          "title = \"A study\"\n[[finding]]\ntext = \"{a}\"\nholds = \"a > 0\"\n[finding.values]\n"
          "a = { rung = \"d2q9/*\", case = \"box-8\" }\n"
          "[[report]]\nkind = \"steps\"\nlead = true\nrungs = \"d2q9/*\"\ncases = [\"box-4\", \"box-8\"]\n");
  e.write_session();
  e.write_rows(measured({}, {1e6}) + measured({.case_name = "box-8"}, {1e6}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  EXPECT_LT(page.find("<figure id=\"figure-waugh-box-01-ladder-box-8\""), page.find("<nav"));
  EXPECT_GT(page.find("<figure id=\"figure-waugh-box-01-ladder-box-4\""), page.find("<nav"));
}

TEST(Report, HeadlinesNameNoTunings) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({.tuning = "ahead=2;rows=7"}, {1e6}));
  (void)e.report();
  EXPECT_TRUE(contains(e.read("out/index.html"),
                       "<li title=\"box-4, f32: the fastest rung is d2q9/serial/01_plain (ahead=2;rows=7) with 1.00 MLUPS on "
                       "cpu.\">box-4, f32: the fastest rung is d2q9/serial/01_plain with 1.00 MLUPS on cpu.</li>"));
}

TEST(Report, TablesOnThePageMarkCode) {
  Table table{"t", "T", {{"Rung", "rung", false}, {"Rate", "rate"}}};
  table.rows = {{"a/b", {"1.00", 1}}, {"`c`", {"2.00", 2}}};
  EXPECT_EQ(to_html(table),
            "<table>\n<thead><tr><th>Rung</th><th class=\"n\">Rate</th></tr></thead>\n<tbody>\n"
            "<tr><td>a/b</td><td class=\"n\" title=\"1\">1.00</td></tr>\n"
            "<tr><td><code>c</code></td><td class=\"n\" title=\"2\">2.00</td></tr>\n</tbody>\n</table>\n");
}

TEST(Report, HostileNamesAreTextAndNothingElse) {
  const std::string hostile = "x/<script>alert(1)</script>\"'`touch hacked`$(touch hacked)\n{/Symbol a} @b %s \\";
  const Experiments e;
  e.write("study.toml",
          "title = \"<img src=x onerror=alert(1)>\"\n[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\n"
          "cases = [\"*\"]\n[[report]]\nkind = \"stream\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n"
          "[[report]]\nkind = \"sweep\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n"
          "[[report]]\nkind = \"portability\"\ncases = [\"box-4\"]\n"
          "applications = [{ label = \"<script>`touch hacked`\", rung = \"*\" }]\n"
          "platforms = [{ label = \"</title><script>$(touch hacked)\", machine = \"box\" }]\n"
          "[[report]]\nkind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"</title><script>`touch hacked`\" }]\n");
  e.write_session({{hostile, {{"id", hostile}, {"idea", "<b>bold</b>"}}}});
  e.write_rows(measured({.rung = hostile}, {1e6, 2e6, 3e6}) +
               line({.outcome = "crashed", .reason = "<script>evil()</script>"}) +
               test::ceiling("triad", 1 << 20, "nt", {1e8}, 12));
  const ReportResult result = e.report();
  for (const std::filesystem::path& file : result.files) {
    if (file.extension() == ".pdf" || file.extension() == ".csv") continue;
    const std::string content = e.read(std::filesystem::relative(file, e.path()).string());
    EXPECT_EQ(scripts(content), file == result.html ? 1 : 0) << file;
    EXPECT_EQ(content.find("<img"), std::string::npos) << file;
    EXPECT_EQ(content.find("<b>bold"), std::string::npos) << file;
  }
  EXPECT_TRUE(contains(e.read("out/index.html"), "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

TEST(Report, FormulasAndMarkupInNamesReachNoSpreadsheetAndNoMarkdownViewer) {
  const std::string formula = "=HYPERLINK(\"http://evil\";\"x\")";
  const std::string markup = "a|b <img src=x> [x](javascript:alert(1)) `c` **d** \"; rm -rf $HOME";
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"*\"]\n");
  e.write_session({{formula, {{"id", formula}, {"idea", markup}, {"flags", "-O3"}, {"compiler", "@SUM(1)"}}}});
  e.write_rows(measured({.rung = formula}, {1e6, 2e6, 3e6}) + measured({.rung = markup, .case_name = "-1+cmd"}, {1e6}) +
               line({.rung = markup, .outcome = "crashed", .reason = "+evil()"}));
  for (const std::filesystem::path& file : e.report().files) {
    const std::string name = std::filesystem::relative(file, e.path()).string();
    if (file.extension() == ".csv") {
      const CsvFile csv = CsvFile::read(file);
      for (const CsvRecord& record : csv.records()) {
        for (const std::string& field : record.fields)
          EXPECT_FALSE(field.starts_with("=") || field.starts_with("+") || field.starts_with("@")) << name << ": " << field;
      }
      EXPECT_EQ(e.read(name).find("\n-1+cmd"), std::string::npos);
    } else if (file.extension() == ".md") {
      EXPECT_EQ(e.read(name).find("a|b"), std::string::npos) << name;
      EXPECT_EQ(e.read(name).find("<img"), std::string::npos) << name;
      EXPECT_EQ(e.read(name).find(" [x]("), std::string::npos) << name;
    }
  }
  EXPECT_TRUE(contains(e.read("out/tables/waugh-box-00-rungs.csv"), "'=HYPERLINK"));
}

TEST(Report, AMachineOfAHostileNameNamesNoFileOutsideAndNoMarkup) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"*\"]\n");
  e.write("results/<script>$(touch hacked)`x`\"; rm -rf ..csv", header + measured({}, {1e6}));
  const ReportResult result = e.report();
  for (const std::filesystem::path& file : result.files) {
    const std::string name = std::filesystem::relative(file, e.out()).string();
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-./"), std::string::npos) << name;
    EXPECT_FALSE(contains(name, ".."));
  }
  EXPECT_EQ(scripts(e.read("out/index.html")), 1);
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

constexpr const char* roofline_study =
    "title = \"A study\"\n[[report]]\nkind = \"roofline\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n";

/// A study with a table and a figure for two rounds of one rung. The row of the second round is on line 4.
void write_study(const Experiments& e, double second = 2e6) {
  e.write("study.toml", roofline_study);
  e.write_session({{"d2q9/serial/01_plain",
                    {{"id", "d2q9/serial/01_plain"},
                     {"build", "default"},
                     {"compiler", "GNU 12"},
                     {"flags", "-O3"},
                     {"executable", "0123"},
                     {"sources", "4567"}}}});
  e.write_rows(measured({}, {1e6, second}) + test::ceiling("triad", 1 << 20, "nt", {1e8, 1e8}, 12));
}

TEST(Report, LeadsFromATableToItsRowsAndFromThoseToTheirSession) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  const std::string page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "<a href=\"rows/table-waugh-box-01-roofline-box-4.csv\">2 rows</a>"));
  EXPECT_TRUE(contains(page, "<a href=\"rows/figure-waugh-box-01-roofline-box-4.csv\">4 rows</a>"));
  EXPECT_TRUE(contains(page, "<a href=\"#table-waugh-box-00-session-s1\">session s1</a>"));
  EXPECT_TRUE(contains(page, "<details id=\"table-waugh-box-00-session-s1\">"));
  EXPECT_TRUE(contains(page, "GNU 12 -O3; executable 0123, sources 4567"));
  const CsvFile rows = CsvFile::read(e.out() / "rows/table-waugh-box-01-roofline-box-4.csv");
  ASSERT_EQ(rows.records().size(), 2U);
  EXPECT_EQ(rows.records()[1].fields[rows.column("file")], "box.csv");
  EXPECT_EQ(rows.records()[1].fields[rows.column("line")], "4");
  EXPECT_EQ(rows.records()[1].fields[rows.column("session")], "s1");
  EXPECT_EQ(rows.number(rows.records()[1], rows.column("updates_per_second")), 2e6);
}

Verification verify(const Experiments& e) {
  return verify_report({.experiments = e.path(), .studies = {"waugh"}, .out = e.out(), .machine = ""});
}

TEST(Report, VerifiesItsOwnNumbers) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  const Verification found = verify(e);
  EXPECT_TRUE(found.mismatches.empty()) << found.mismatches[0].file << found.mismatches[0].problem;
  EXPECT_GT(found.numbers, 5U);
  EXPECT_EQ(found.figures, 1U);
  ASSERT_EQ(found.origins.size(), 2U);
  EXPECT_EQ(found.origins[0].rung, "ceiling/openmp");
  EXPECT_EQ(found.origins[1].rung, "d2q9/serial/01_plain");
  EXPECT_EQ(found.origins[1].executable, "0123");
  EXPECT_EQ(found.origins[1].sources, "4567");
}

// A later build from different sources produced an identical executable.
TEST(Report, NamesTheLatestSourcesOfAnExecutable) {
  const Experiments e;
  write_study(e);
  const auto sources_with = [&](const std::string& executable) {
    e.write("results/box.s2.json",
            nlohmann::json{
                {"utc", "2026-11-22T03:15:00Z"},
                {"machine", {{"name", "box"}, {"cpu", "a processor"}, {"cores", 2}}},
                {"rungs",
                 {{"d2q9/serial/01_plain",
                   {{"id", "d2q9/serial/01_plain"}, {"build", "default"}, {"executable", executable}, {"sources", "89ab"}}}}}}
                .dump());
    e.write_rows(measured({}, {1e6, 2e6}) + measured({.rung = "d2q9/serial/02_b", .session = "s2"}, {1e6}));
    (void)e.report();
    return verify(e).origins.at(0).sources;
  };
  EXPECT_EQ(sources_with("0123"), "89ab");
  EXPECT_EQ(sources_with("4567"), "4567");
}

TEST(Report, FindsARowThatChangedSinceItWasPrinted) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  write_study(e, 4e6);
  std::set<std::string> files;
  bool names_the_number = false;
  for (const Mismatch& mismatch : verify(e).mismatches) {
    files.insert(std::filesystem::relative(mismatch.file, e.out()).string());
    names_the_number = names_the_number || mismatch.problem ==
                                               "line 2 ('d2q9/serial/01_plain'), column 'gflops': printed '0.15', "
                                               "the rows give '0.25'";
  }
  EXPECT_TRUE(names_the_number);
  for (const char* file : {"index.html", "figures/waugh-box-01-roofline-box-4.svg", "tables/waugh-box-01-roofline-box-4.csv",
                           "tables/waugh-box-01-roofline-box-4.md", "rows/table-waugh-box-01-roofline-box-4.csv"})
    EXPECT_TRUE(files.contains(file)) << file;
}

TEST(Report, FindsEachFileThatSaysSomethingElse) {
  const Experiments e;
  write_study(e);
  const ReportResult written = e.report();
  for (const std::filesystem::path& file : written.files) {
    if (file.extension() == ".pdf") continue;
    const std::string name = std::filesystem::relative(file, e.path()).string();
    const std::string text = e.read(name);
    const std::size_t at = text.find_last_of("0123456789");
    if (at == std::string::npos) continue;
    std::string changed = text;
    changed[at] = changed[at] == '7' ? '8' : '7';
    std::ofstream(file, std::ios::binary) << changed;
    const Verification found = verify(e);
    ASSERT_EQ(found.mismatches.size(), 1U) << name;
    EXPECT_EQ(found.mismatches[0].file, file);
    std::filesystem::remove(file);
    if (file.extension() != ".html") {
      EXPECT_EQ(verify(e).mismatches.at(0).problem, "is missing") << name;
    }
    std::ofstream(file, std::ios::binary) << text;
  }
  EXPECT_TRUE(verify(e).mismatches.empty());
}

TEST(Report, ReplacesAnEarlierOneAndLeavesOtherFilesAlone) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  const auto write = [&](const char* name) { std::ofstream(e.out() / name) << "mine"; };
  write("tables/notes.csv");
  write("tables/waugh-box-notes.csv");  // a name like those of a report's tables
  write("notes.txt");
  e.write("study.toml", title);
  (void)e.report();
  EXPECT_FALSE(std::filesystem::exists(e.out() / "tables/waugh-box-01-roofline-box-4.csv"));
  EXPECT_FALSE(std::filesystem::exists(e.out() / "rows/figure-waugh-box-01-roofline-box-4.csv"));
  std::vector<std::string> others;
  for (const Mismatch& mismatch : verify(e).mismatches) {
    EXPECT_EQ(mismatch.problem, "is not part of the report");
    others.push_back(std::filesystem::relative(mismatch.file, e.out()).string());
    EXPECT_EQ(e.read("out/" + others.back()), "mine");
  }
  EXPECT_EQ(others, (std::vector<std::string>{"notes.txt", "tables/notes.csv", "tables/waugh-box-notes.csv"}));
}

TEST(Report, TakesNoFolderWithOtherFiles) {
  const Experiments e;
  write_study(e);
  std::filesystem::create_directories(e.out() / "figures");
  std::ofstream(e.out() / "figures/waugh-photo.jpg") << "mine";
  const std::string message = input_error([&] { (void)e.report(); });
  EXPECT_TRUE(contains(message, "out: holds 'figures' and no manifest.csv of a report; accepted: a new or empty folder"));
  EXPECT_EQ(e.read("out/figures/waugh-photo.jpg"), "mine");
  std::filesystem::remove_all(e.out() / "figures");
  std::ofstream(e.out() / "manifest.csv") << "photo,place\n";
  EXPECT_TRUE(contains(input_error([&] { require_report_folder(e.out()); }), "manifest.csv:1: the header lacks"));
  std::filesystem::remove(e.out() / "manifest.csv");
  (void)e.report();
}

TEST(Report, ReplacesNoFileThatItHasNotWritten) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  std::filesystem::create_directories(e.out() / "figures");
  const auto figure = e.out() / "figures/waugh-box-01-roofline-box-4.svg";
  std::ofstream(figure) << "mine";
  write_study(e);
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), figure.string() + ": is not a file that a report has written"));
  EXPECT_EQ(e.read("out/figures/waugh-box-01-roofline-box-4.svg"), "mine");
  EXPECT_EQ(e.read("out/index.html"), page);
  std::filesystem::remove(figure);
  (void)e.report();
  EXPECT_TRUE(verify(e).mismatches.empty());
}

TEST(Report, RemovesNothingOutsideItsFolders) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  for (const std::string name :
       {"../waugh/study.toml", "figures/../../waugh/study.toml", "figures/..", "notes.txt", "/etc/passwd"}) {
    std::filesystem::create_directories(e.out());
    std::ofstream(e.out() / "manifest.csv") << "what,file,hash\nwritten," << name << ",0\n";
    EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "manifest.csv:2: '" + name + "' is not a file of a report"));
    EXPECT_EQ(e.read("waugh/study.toml"), title);
  }
}

TEST(Report, IsMadeAnewAfterOneThatWasCutShort) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  // A report on other rows that was killed leaves its figures, and a manifest that lists the files of both reports.
  const std::string manifest = e.read("out/manifest.csv");
  std::ofstream(e.out() / "manifest.csv") << manifest << "written,figures/waugh-other.svg,0\nwritten,tables/waugh-other.md,0\n";
  std::ofstream(e.out() / "figures/waugh-other.svg") << "of the other";
  EXPECT_FALSE(verify(e).mismatches.empty());
  (void)e.report();
  EXPECT_FALSE(std::filesystem::exists(e.out() / "figures/waugh-other.svg"));
  EXPECT_EQ(e.read("out/manifest.csv").find("waugh-other"), std::string::npos);
  EXPECT_TRUE(verify(e).mismatches.empty());
}

TEST(Report, FindsAChangedPdf) {
  const Experiments e;
  write_study(e);
  (void)e.report();
  const auto pdf = e.out() / "figures/waugh-box-01-roofline-box-4.pdf";
  std::string text = e.read("out/figures/waugh-box-01-roofline-box-4.pdf");
  ++text[text.size() / 2];
  std::ofstream(pdf, std::ios::binary) << text;
  const Verification found = verify(e);
  ASSERT_EQ(found.mismatches.size(), 1U);
  EXPECT_EQ(found.mismatches[0].file, pdf);
  EXPECT_EQ(found.mismatches[0].problem, "is not the file that the report wrote");
}

TEST(Report, FindsAChangeThatNoTableShows) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_session();
  const auto rows = [](double footprint) {
    return line({.kind = "check", .key = "of old", .footprint = footprint}) + measured({}, {1e6, 2e6});
  };
  e.write_rows(rows(1152));
  (void)e.report();
  EXPECT_TRUE(verify(e).mismatches.empty());
  e.write_rows(rows(1153));
  const Verification found = verify(e);
  ASSERT_EQ(found.mismatches.size(), 1U);
  EXPECT_EQ(found.mismatches[0].file, e.path() / "waugh/results/box.csv");
  EXPECT_EQ(found.mismatches[0].problem, "is not the file that the report was made from");
}

TEST(Report, AFaultOfOneStudyIsItsOwn) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  e.write("../good/study.toml", "title = \"A good study\"\n");
  e.write("../good/results/box.csv", header + measured({}, {1e6}));
  const auto report_all = [&] { return write_report({.experiments = e.path(), .studies = {}, .out = e.out(), .machine = ""}); };
  EXPECT_TRUE(report_all().left_out.empty());
  for (const auto& [file, text] : {std::pair{"results/box.csv", "not a store\n"},
                                   {"results/other.csv", "my,notes\n1,2\n"},
                                   {"results/box.s1.json", "{"},
                                   {"study.toml", "title = "}}) {
    const std::string before = e.read(std::string("waugh/") + file);
    e.write(file, text);
    const ReportResult result = report_all();
    ASSERT_EQ(result.left_out.size(), 1U) << file;
    EXPECT_TRUE(contains(result.left_out[0], "experiments/waugh is left out: "));
    EXPECT_TRUE(contains(result.left_out[0], file));
    const std::string page = e.read("out/index.html");
    EXPECT_TRUE(contains(page, "A good study"));
    EXPECT_TRUE(contains(page, "experiments/waugh is left out: "));
    EXPECT_TRUE(contains(input_error([&] {
                           (void)write_report({.experiments = e.path(), .studies = {"waugh"}, .out = e.out(), .machine = ""});
                         }),
                         file));
    before.empty() ? (void)std::filesystem::remove(e.path() / "waugh" / file) : e.write(file, before);
  }
}

TEST(Report, AStoreThatIsEmptyOrALinkToItselfStopsNothing) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  e.write("results/begun.csv", "");
  std::filesystem::create_symlink("loop.csv", e.path() / "waugh/results/loop.csv");
  std::filesystem::create_symlink("loop", e.path() / "loop");
  EXPECT_TRUE(e.report().left_out.empty());
  EXPECT_TRUE(write_report({.experiments = e.path(), .studies = {}, .out = e.out(), .machine = ""}).left_out.empty());
  EXPECT_TRUE(contains(e.read("out/index.html"), "Machine and sessions: begun"));
}

TEST(Report, IsTriedWithWhatIsStored) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"field\"\ncases = [\"box-4\"]\n");
  const auto wrong = [&](const char* machine) { return input_error([&] { require_reportable(e.path() / "waugh", machine); }); };
  require_reportable(e.path() / "waugh", "");
  e.write_rows(measured({}, {1e6}));
  e.write("results/other.csv", header + line({.outcome = "fine"}));
  EXPECT_TRUE(contains(wrong(""), "other.csv:2: column 'outcome' is 'fine'"));
  require_reportable(e.path() / "waugh", "box");
  e.write("results/box.field.box-4.csv", "x,y,speed\n");
  EXPECT_TRUE(contains(wrong("box"), "box.field.box-4.csv:1: the header lacks the column 'solid'"));
  require_reportable(e.path() / "waugh", std::nullopt);
}

TEST(Report, AFolderWithoutAReportCannotBeVerified) {
  const Experiments e;
  write_study(e);
  EXPECT_TRUE(contains(input_error([&] { (void)verify(e); }), "holds no report"));
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
  EXPECT_TRUE(contains(e.report().warnings.at(0), "session s1 has no provenance file box.s1.json"));
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
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "study.toml:6: unknown key 'z' in [[report]]; accepted: cases"));
  EXPECT_TRUE(contains(
      input_error([&] { write_report({.experiments = e.path(), .studies = {"wogh"}, .out = e.out(), .machine = ""}); }),
      "no study 'wogh'; accepted: waugh"));
}

TEST(Report, SessionsOfTwoMachinesUnderOneNameAreNotPooled) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"accuracy\"\n");
  const auto session = [&](const std::string& id, const std::string& family) {
    e.write("results/box." + id + ".json", R"({"utc": ")" + id + R"(", "machine": {"name": "box", "cpu": "AMD EPYC", "cores": 2,
            "identity": {"vendor": "AuthenticAMD", "family": )" +
                                               family + R"(, "model": 1, "stepping": 1}}})");
  };
  session("s1", "26");
  session("s2", "25");
  session("s3", "26");
  e.write_rows(measured({.session = "s1"}, {1e6}) + measured({.session = "s2"}, {3e6}) + measured({.session = "s3"}, {1e6}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "Machine and sessions: box<"));
  EXPECT_TRUE(contains(page, "Machine and sessions: box (amd-epyc-f25m1-2c)"));
  EXPECT_TRUE(contains(page, "4 rows stored"));
  EXPECT_TRUE(contains(page, "2 rows stored"));
}

TEST(Report, SessionsOfAGpuOnTwoHostsAreThoseOfOneMachine) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"accuracy\"\n");
  const auto session = [&](const std::string& id, int cores, const std::string& gpu, const std::string& devices) {
    e.write("results/box." + id + ".json",
            R"({"utc": ")" + id + R"(", "machine": {"name": "box", "cpu": "AMD EPYC", "cores": )" + std::to_string(cores) +
                R"(, "gpus": [{"name": ")" + gpu + R"("}]}, "devices": {)" + devices + "}}");
  };
  const std::string h100 = R"("cuda": "NVIDIA H100")";
  const std::string processor = R"(, "openmp": "AMD EPYC")";
  session("s1", 32, "NVIDIA H100", h100);
  session("s2", 16, "NVIDIA H100", h100);
  session("s3", 16, "NVIDIA H100", h100 + processor);
  session("s4", 8, "NVIDIA H100", h100);
  e.write_rows(measured({.session = "s1"}, {1e6}) + measured({.session = "s2"}, {1e6}) + measured({.session = "s3"}, {1e6}) +
               measured({.session = "s4"}, {1e6}));
  (void)e.report();
  std::string page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "8 rows stored"));
  EXPECT_TRUE(contains(page, "AMD EPYC, 32 cores; AMD EPYC, 16 cores; AMD EPYC, 8 cores"));
  EXPECT_FALSE(contains(page, "Machine and sessions: box ("));

  session("s4", 8, "NVIDIA H100", h100 + processor);
  (void)e.report();
  page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "Machine and sessions: box (amd-epyc-8c)")) << "another processor";
  EXPECT_TRUE(contains(page, "6 rows stored"));

  session("s4", 8, "NVIDIA H200", R"("cuda": "NVIDIA H200")");
  (void)e.report();
  page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "Machine and sessions: box (amd-epyc-8c)")) << "another GPU";

  session("s4", 8, "NVIDIA H100", h100 + processor);
  const std::string of_gpu =
      measured({.session = "s1"}, {1e6}) + measured({.session = "s3"}, {1e6}) +
      measured({.rung = "d2q9/cuda/1", .session = "s4", .backend = "cuda", .device = "NVIDIA H100"}, {1e6});
  e.write_rows(of_gpu + measured({.session = "s4", .backend = "openmp"}, {1e6}));
  (void)e.report();
  page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "6 rows stored")) << "the GPU's rows of both hosts";
  EXPECT_TRUE(contains(page, "Machine and sessions: box (amd-epyc-8c)")) << "the processor's rows";
  EXPECT_TRUE(contains(page, "2 rows stored"));

  e.write_rows(
      of_gpu +
      line({.kind = "ceiling", .rung = "ceiling/openmp/copy-9", .case_name = "ws-1e9", .session = "s4", .backend = "openmp"}));
  (void)e.report();
  EXPECT_FALSE(contains(e.read("out/index.html"), "Machine and sessions: box (")) << "only ceilings of the processor";
}

TEST(Report, ABadProvenanceFileIsNamed) {
  const Experiments e;
  e.write("study.toml", title);
  e.write("results/box.s1.json", "{ \"machine\": 3");
  e.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "box.s1.json: is not a provenance file"));
}

TEST(Report, OfAMachineWithoutResultsIsRefusedAndLeavesWhatIsThere) {
  const Experiments e;
  e.write("study.toml", title);
  e.write_rows(measured({}, {1e6}));
  (void)e.report();
  const std::string page = e.read("out/index.html");
  const std::string message = input_error(
      [&] { (void)write_report({.experiments = e.path(), .studies = {"waugh"}, .out = e.out(), .machine = "typo"}); });
  EXPECT_TRUE(contains(message, "no results of machine 'typo' in waugh (" + e.path().string() + "); accepted: box")) << message;
  EXPECT_EQ(e.read("out/index.html"), page);
}

TEST(Report, AStudyWithoutResultsIsAPageThatSaysSo) {
  const Experiments e;
  e.write("study.toml", title);
  EXPECT_TRUE(contains(e.report().warnings.at(0), "experiments/waugh: no results yet"));
  EXPECT_TRUE(std::filesystem::exists(e.out() / "index.html"));
}

TEST(Report, IsTheSameFromCompressedFiles) {
  const Experiments e;
  e.write("study.toml", std::string(title) + "[[report]]\nkind = \"field\"\ncases = [\"box-2\", \"box-3\"]\n");
  e.write_rows(measured({}, {1e6}));
  e.write("results/box.field.box-2.csv", "x,y,speed,solid\n0,0,0.1,0\n");
  e.write("results/box.field.box-3.7.k.csv", "x,y,speed,solid\n0,0,0.2,0\n");
  e.write("results/box.flow.csv",
          csv_header<ladder::Flow>() + "\n2026-11-21T03:15:00Z,field,r/b,box-3,f32,7,cpu,e,k,box.field.box-3.7.k.csv\n");
  const auto manifest = [&] {
    std::istringstream text(e.read("out/manifest.csv"));
    std::vector<std::string> files;
    for (std::string line; std::getline(text, line);)
      if (!contains(line, ".pdf")) files.push_back(line);  // a PDF contains its creation time
    return files;
  };
  (void)e.report();
  const std::string page = e.read("out/index.html");
  const std::vector<std::string> files = manifest();
  for (const auto& entry : std::filesystem::directory_iterator(e.path() / "waugh" / "results"))
    if (entry.path().extension() == ".csv") compress_stored(entry.path());
  (void)e.report();
  EXPECT_EQ(e.read("out/index.html"), page);
  EXPECT_EQ(manifest(), files);
  EXPECT_GT(files.size(), 2u);
  EXPECT_TRUE(contains(page, "From box.field.box-2.csv of"));
}

TEST(Report, AnUnwritableFolderIsAnError) {
  const Experiments e;
  e.write("study.toml", title);
  e.write("../out", "a file where the folder should be");
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "out"));
}

TEST(Report, SaysOfHowManyStepsAPictureIs) {
  const Experiments e;
  e.write("study.toml", std::string(title) +
                            "[[report]]\nkind = \"field\"\ncases = [\"box-2\"]\n"
                            "[[report]]\nkind = \"series\"\ncases = [\"box-2\"]\nvalue = \"speed\"\n");
  e.write_rows(measured({}, {1e6}));
  const auto picture = [&](const std::string& name, const char* speed) {
    e.write("results/" + name, std::string("x,y,speed,solid\n0,0,") + speed + ",0\n");
  };
  picture("box.field.box-2.csv", "0.1");
  e.write("results/box.series.box-2.csv", "step,speed\n0,1\n10,0.5\n");
  (void)e.report();
  std::string page = e.read("out/index.html");
  EXPECT_TRUE(
      contains(page, "From box.field.box-2.csv of experiments/waugh/results, by a rung that older versions did not store"));
  EXPECT_TRUE(contains(page, "From box.series.box-2.csv of experiments/waugh/results"));

  const std::string listed = csv_header<ladder::Flow>() + "\n";
  const std::string old = "2026-11-21T03:15:00Z,field,r/a,box-2,f32,200,cpu,e,k1,box.field.box-2.200.k1.csv\n";
  picture("box.field.box-2.200.k1.csv", "0.2");
  picture("box.field.box-2.300.k2.csv", "0.3");
  e.write("results/box.series.box-2.k3.csv", "step,speed\n0,1\n20,0.25\n");
  e.write("results/box.flow.csv", listed + old +
                                      "2026-11-21T03:15:00Z,field,r/b,box-2,f32,300,cpu,e,k2,box.field.box-2.300.k2.csv\n" +
                                      "2026-11-21T03:15:00Z,series,r/c,box-2,f64,,cpu,e,k3,box.series.box-2.k3.csv\n");
  (void)e.report();
  page = e.read("out/index.html");
  EXPECT_TRUE(contains(page, "Velocity magnitude, box-2 after 300 steps"));
  EXPECT_TRUE(contains(page, "From box.field.box-2.300.k2.csv of experiments/waugh/results, by r/b in f32 on cpu."));
  EXPECT_TRUE(contains(page, "From box.series.box-2.k3.csv of experiments/waugh/results, by r/c in f64 on cpu."));
  EXPECT_TRUE(contains(e.read("out/manifest.csv"), "read,waugh/results/box.field.box-2.300.k2.csv,"));

  // The files of the key listed last are shown. That is the first key, which is listed again. All its steps are shown.
  picture("box.field.box-2.100.k1.csv", "0.1");
  e.write("results/box.flow.csv", e.read("waugh/results/box.flow.csv") +
                                      "2026-11-21T03:15:00Z,field,r/a,box-2,f32,100,cpu,e,k1,box.field.box-2.100.k1.csv\n" +
                                      old);
  (void)e.report();
  page = e.read("out/index.html");
  EXPECT_TRUE(
      contains(page, "From box.field.box-2.100.k1.csv, box.field.box-2.200.k1.csv of experiments/waugh/results, by r/a"));
  EXPECT_TRUE(contains(page, ">step 100<"));

  e.write("results/box.flow.csv", listed + "2026-11-21T03:15:00Z,field,r/a,box-2,f32,100,cpu,e,k1,../study.toml\n");
  EXPECT_TRUE(contains(input_error([&] { (void)e.report(); }), "box.flow.csv:2: column 'file' is '../study.toml'"));
}

TEST(Overview, ShowsTheNewestResultsACardPerStudyAndLinksThatSelectAMachine) {
  const Experiments e;
  e.write("study.toml", "title = \"A study\"\nquestion = \"Is it fast?\"\nsource = \"box\"\n");
  e.write_session({{"d2q9/serial/02_fused", {{"id", "d2q9/serial/02_fused"}, {"idea", "one loop: fused"}}}});
  e.write_rows(measured({}, {1e6}) + measured({.rung = "d2q9/serial/02_fused"}, {4e6}));
  e.write("../good/study.toml", "title = \"A good study\"\n[[report]]\nkind = \"steps\"\nrungs = \"*\"\ncases = \"box-4\"\n");
  e.write("../good/results/new.csv",
          header + measured({.session = "s2"}, {2e6}) + measured({.rung = "d2q9/serial/02_fused", .session = "s2"}, {4e6}));
  e.write("../good/results/new.s2.json", R"({"utc": "2026-11-22T00:00:00Z", "machine": {"name": "new"}})");
  const ReportOptions options{.experiments = e.path(), .studies = {"good", "waugh"}, .out = e.out(), .machine = ""};
  (void)write_overview(options);
  const std::string page = e.read("out/index.html");
  std::size_t before = 0;
  for (const char* text :
       {"Latest results: <a href=\"./good/index.html#good-new\">A good study</a>", "<details id=\"rates\"",
        "<a href=\"./waugh/index.html#waugh-box\">1.000</a>", "<h2 id=\"good\">", "<svg viewBox", "MLUPS, box-4, f32",
        "<h2 id=\"waugh\">", "Is it fast?", "the fastest rung is", "<a href=\"./waugh/index.html#waugh-box\">box</a>"}) {
    const std::size_t at = page.find(text, before);
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_GT(at, before) << text;
    before = at;
  }
  EXPECT_TRUE(verify_overview(options).mismatches.empty());
}

TEST(Overview, LeadsToEveryFolderWhateverItsName) {
  const Experiments e;
  std::vector<std::string> names = {"javascript:alert(1)", "a#b", "a?b", "a%2fb"};
  for (const std::string& name : names) {
    e.write(fmt::format("../{}/study.toml", name), "title = \"A study\"\n");
    e.write(fmt::format("../{}/results/box.csv", name), header + measured({}, {1e6}));
  }
  (void)write_overview({.experiments = e.path(), .studies = names, .out = e.out(), .machine = ""});
  const std::string page = e.read("out/index.html");
  for (const char* link :
       {"./javascript%3Aalert%281%29/index.html", "./a%23b/index.html", "./a%3Fb/index.html", "./a%252fb/index.html"})
    EXPECT_NE(page.find(fmt::format("<a href=\"{}\">A study</a>", link)), std::string::npos) << link;
  EXPECT_EQ(page.find("href=\"javascript:"), std::string::npos);
}

TEST(Overview, ShowsStudiesWithAPlaceFirst) {
  const Experiments e;
  for (const auto& [name, place] : {std::pair{"a", ""}, std::pair{"b", "place = 2\n"}, std::pair{"c", "place = 1\n"}}) {
    e.write(fmt::format("../{}/study.toml", name), fmt::format("title = \"A study\"\n{}", place));
    e.write(fmt::format("../{}/results/box.csv", name), header + measured({}, {1e6}));
  }
  (void)write_overview({.experiments = e.path(), .studies = {"a", "b", "c"}, .out = e.out(), .machine = ""});
  const std::string page = e.read("out/index.html");
  EXPECT_LT(page.find("<h2 id=\"c\">"), page.find("<h2 id=\"b\">"));
  EXPECT_LT(page.find("<h2 id=\"b\">"), page.find("<h2 id=\"a\">"));
}

}  // namespace
}  // namespace ladder::reports
