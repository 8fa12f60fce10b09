// The findings of a study: sentences with values from stored rows, and the conditions under which they are true.
#include "reports/findings.hpp"

#include <fmt/ranges.h>

#include <sstream>

#include "base/file.hpp"
#include "reports/chapters.hpp"
#include "reports/docs.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

class Findings : public SectionTest {
 protected:
  /// The findings of a study with one `[[finding]]` block and these rows.
  [[nodiscard]] std::vector<Finding> all(const std::string& block, const std::string& rows) const {
    experiments.write("study.toml", "title = \"t\"\nsource = \"box\"\npaper = \"paper.csv\"\n[[finding]]\n" + block +
                                        "\n[[report]]\nkind = \"accuracy\"\nrungs = [\"*\"]\nprecisions = [\"f32\"]\n");
    experiments.write("paper.csv", paper);
    experiments.write_session(rungs);
    experiments.write_rows(rows);
    const Study study = read_study(experiments.path() / "waugh", "");
    return make_chapters(study).front().findings;
  }
  [[nodiscard]] Finding of(const std::string& block, const std::string& rows) const { return all(block, rows).at(0); }
  [[nodiscard]] std::string error_of(const std::string& block) const {
    return input_error([&] { (void)all(block, two); });
  }

  const std::string two =
      measured({.rung = "m/s/1", .key = "k1"}, {1e6, 1e6, 1e6}) + measured({.rung = "m/s/2", .key = "k2"}, {3e6, 3e6, 3e6});
  const std::string gain =
      "holds = \"gain_low > 1.02\"\ncase = \"box-4\"\n[finding.values]\nslow = { rung = \"m/s/1\" }\n"
      "fast = { rung = \"m/s/2\" }\ngain = { ratio = [\"fast\", \"slow\"] }\n";
};

TEST_F(Findings, FillInTheirValues) {
  const Finding finding = of("name = \"gain\"\ntext = \"{fast.rung} reaches {fast}, {gain}, or {fast.value}.\"\n" + gain, two);
  EXPECT_EQ(finding.text, "m/s/2 reaches 3.00 MLUPS, 3.00× [3.00, 3.00], or 3.00.");
  EXPECT_TRUE(finding.holds);
  EXPECT_TRUE(finding.is_of_source);
  EXPECT_EQ(finding.name, "gain");
  EXPECT_EQ(finding.line, 4U);
  EXPECT_EQ(finding.rows.size(), 6U);
}

TEST_F(Findings, SayWhereTheyDoNotHold) {
  const std::string swapped = measured({.rung = "m/s/1", .key = "k1"}, {3e6, 3e6, 3e6}) +
                              measured({.rung = "m/s/2", .key = "k2"}, {1.5e6, 1.5e6, 1.5e6});
  const Finding plain = of("text = \"The second gains {gain.value}.\"\n" + gain, swapped);
  EXPECT_FALSE(plain.holds);
  EXPECT_EQ(plain.text, "Does not hold here (gain_low > 1.02): The second gains 0.500.");
  const Finding other = of("text = \"It gains.\"\notherwise = \"It loses: {gain.value}.\"\n" + gain, swapped);
  EXPECT_EQ(other.text, "It loses: 0.500.");
  EXPECT_EQ(answers_of(experiments.path() / "waugh", "box"), std::vector<std::string>{"Not as expected: It loses: 0.500."});
}

TEST_F(Findings, AreNotShownWithoutAllTheirValues) {
  const Finding finding = of("text = \"It gains {gain}.\"\n" + gain, measured({.rung = "m/s/1"}, {1e6}));
  EXPECT_FALSE(finding.is_known());
  EXPECT_TRUE(finding.text.empty());
  EXPECT_TRUE(contains(finding.missing.at(0), "fast: m/s/2, box-4: not measured")) << finding.missing.at(0);
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "It gains"));
}

TEST_F(Findings, CompareCellsOfOneSession) {
  const std::string apart = measured({.rung = "m/s/1", .session = "s1", .key = "k1"}, {1e6, 1e6, 1e6}) +
                            measured({.rung = "m/s/2", .session = "s2", .key = "k2"}, {3e6, 3e6, 3e6});
  const Finding finding = of("text = \"It gains {gain}.\"\n" + gain, apart);
  ASSERT_EQ(finding.missing.size(), 1U);
  EXPECT_EQ(finding.missing[0], "gain: its cells share no session");
}

TEST_F(Findings, NameFewRounds) {
  const std::string few = measured({.rung = "m/s/1", .tuning = "w=1", .key = "k1"}, {1e6, 1e6}) +
                          measured({.rung = "m/s/2", .tuning = "w=2", .key = "k2"}, {3e6, 3e6});
  const std::string block = "text = \"{gain}\"\nholds = \"gain > 1\"\ncase = \"box-4\"\n" + gain.substr(gain.find("[finding"));
  EXPECT_EQ(of(block, few).text, "3.00× (2 rounds)");
}

TEST_F(Findings, AreUnknownWithoutTheIntervalOfTheirCondition) {
  const std::string few =
      measured({.rung = "m/s/1", .key = "k1"}, {1e6, 1e6}) + measured({.rung = "m/s/2", .key = "k2"}, {3e6, 3e6});
  const Finding finding = of("text = \"It gains.\"\notherwise = \"It loses.\"\n" + gain, few);
  EXPECT_FALSE(finding.is_known()) << finding.text;
}

TEST_F(Findings, RefuseARatioOfOtherQuantities) {
  const std::string begin =
      "text = \"{r}\"\nholds = \"r > 1\"\ncase = \"box-4\"\n[finding.values]\nr = { ratio = [\"a\", \"b\"] }\n";
  EXPECT_TRUE(contains(error_of(begin + "a = { rung = \"m/s/1\", quantity = \"flops\" }\nb = { rung = \"m/s/2\" }\n"),
                       "no rate or time"));
  EXPECT_TRUE(
      contains(error_of(begin + "a = { rung = \"m/s/1\", factor = 2 }\nb = { rung = \"m/s/2\" }\n"), "no rate or time"));
  EXPECT_TRUE(contains(error_of(begin + "a = { rung = \"m/s/1\" }\nb = { rung = \"m/s/2\", quantity = \"step_time\" }\n"),
                       "a rate and a time"));
}

TEST_F(Findings, NameTheMachineThatLacksResults) {
  const std::string elsewhere =
      "text = \"{a}\"\nholds = \"a > 1\"\n[finding.values]\na = { rung = \"m/s/1\", machine = \"other\", unit = \"u\" }\n";
  EXPECT_EQ(of(elsewhere, two).missing.at(0), "a: no results of machine other");
}

TEST_F(Findings, TakeTablesFromTheMachineThatTheyName) {
  std::string worse = two;
  for (std::size_t at = worse.find("1e-7"); at != std::string::npos; at = worse.find("1e-7", at + 1))
    worse[at] = '3';
  experiments.write("results/other.csv", header + worse);
  const auto value = [](const std::string& machine) {
    return "{ table = \"accuracy\", row = [\"m/s/1\", \"f32\"], column = \"population_error\"" + machine + " }\n";
  };
  const std::string block = "text = \"{a}, {b}\"\nholds = \"b > a\"\n[finding.values]\na = " + value("") + "b = ";
  EXPECT_EQ(of(block + value(", machine = \"other\""), two).text, "1.00e-07, 3.00e-07");
  EXPECT_EQ(of(block + value(", machine = \"none\""), two).missing.at(0), "b: no results of machine none");
}

TEST_F(Findings, CompareVerdicts) {
  const std::string block =
      "text = \"{v}\"\nholds = \"v == faster\"\notherwise = \"not faster: {v}\"\ncase = \"box-4\"\n[finding.values]\n"
      "a = { rung = \"m/s/1\" }\nb = { rung = \"m/s/2\" }\nv = { verdict = [\"b\", \"a\"] }\n";
  const std::string three = with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1) + with_twins("m/s/2", "", {3e6, 3e6, 3e6}, 1);
  EXPECT_EQ(of(block, three).text, "not faster: unresolved: 3 rounds");
  const std::vector<double> slow(6, 1e6), fast(6, 3e6);
  EXPECT_EQ(of(block, with_twins("m/s/1", "", slow, 1) + with_twins("m/s/2", "", fast, 1)).text, "faster");
}

TEST_F(Findings, ListTheRatiosWithAVerdict) {
  const auto block = [](const std::string& are) {
    return "text = \"{v}; {v.value}\"\nholds = \"v >= 0\"\ncase = \"box-4\"\n[finding.values]\n"
           "a = { rung = \"m/s/1\" }\nb = { rung = \"m/s/2\" }\nup = { ratio = [\"b\", \"a\"] }\n"
           "down = { ratio = [\"a\", \"b\"] }\nv = { verdicts = [\"up\", \"down\"], are = \"" +
           are + "\" }\n";
  };
  const std::vector<double> slow(6, 1e6), fast(6, 3e6);
  const std::string rows = with_twins("m/s/1", "", slow, 1) + with_twins("m/s/2", "", fast, 1);
  EXPECT_EQ(of(block("faster"), rows).text, "`2` (3.00×); `2`");
  EXPECT_EQ(of(block("slower"), rows).text, "`1` (0.333×); `1`");
  EXPECT_EQ(of(block("same"), rows).text, "none; none");
  EXPECT_EQ(of(block("unresolved"), two).text, "`2` (3.00×), `1` (0.333×); `2`, `1`") << "three rounds";
  EXPECT_FALSE(of(block("faster"), measured({.rung = "m/s/1"}, {1e6})).is_known());
  EXPECT_TRUE(contains(error_of(block("quick")), "accepted: faster, slower, same, unresolved"));
}

TEST_F(Findings, ComputeFormulasFromRowsTablesAndThePublication) {
  const Finding finding =
      of("text = \"{share} of {published}, error {error}, again {again}.\"\nholds = \"share < 2 && published == 2\"\ncase = "
         "\"box-4\"\n[finding.values]\nfast = { rung = \"m/s/2\" }\npublished = { label = \"fast\", quantity = \"speedup\" }\n"
         "share = { formula = \"fast / (published + 1)\", percent = true }\n"
         "error = { table = \"accuracy\", row = [\"m/s/1\", \"f32\"], column = \"population_error\" }\n"
         "again = { rung = \"m/s/1\", check = \"population_error\" }\n",
         two);
  EXPECT_EQ(finding.text, "100 % of 2, error 1.00e-07, again 1.00e-07.");
  EXPECT_TRUE(finding.holds);
}

TEST_F(Findings, MarkConjectures) {
  EXPECT_EQ(of("text = \"Because.\"\nconjecture = true\n" + gain, two).text, "Conjecture: Because.");
}

TEST_F(Findings, MayBelongToTheDocumentationOnly) {
  (void)of("name = \"gain\"\nonly_docs = true\ntext = \"It gains {gain.value}.\"\n" + gain, two);
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "It gains"));
  EXPECT_TRUE(
      contains(with_blocks("a.md", "<!-- findings: waugh gain -->\n<!-- end -->\n", experiments.path()), "It gains 3.00."));
  const std::string block = "<!-- findings: waugh gain -->\n<!-- end -->\n";
  const std::string marked = with_blocks("a.md", block, experiments.path(), [](const Origin& o) { return o.rung == "m/s/1"; });
  EXPECT_TRUE(contains(marked, "*(box, older than the current code)*")) << marked;
  EXPECT_EQ(without_marks(marked), with_blocks("a.md", block, experiments.path()));
}

TEST_F(Findings, AreAsOldAsTheRungThatTheirLineOfATableNames) {
  (void)of(
      "name = \"error\"\ntext = \"{error}\"\nholds = \"error > 0\"\n[finding.values]\n"
      "error = { table = \"accuracy\", row = [\"m/s/1\", \"f32\"], column = \"population_error\" }\n",
      two);
  const auto marked = [&](const std::string& rung) {
    return with_blocks("a.md", "<!-- findings: waugh error -->\n<!-- end -->\n", experiments.path(),
                       [&](const Origin& o) { return o.rung == rung; });
  };
  EXPECT_TRUE(contains(marked("m/s/1"), "older")) << marked("m/s/1");
  EXPECT_FALSE(contains(marked("m/s/2"), "older")) << marked("m/s/2");
}

TEST_F(Findings, RefuseWrongBlocks) {
  EXPECT_TRUE(contains(error_of("text = \"{gian}\"\n" + gain), "study.toml:8: 'values' has no 'gian'"));
  EXPECT_TRUE(contains(error_of("text = \"{gain.size}\"\n" + gain), "{gain.size}"));
  EXPECT_TRUE(contains(error_of("text = \"{gain\"\n" + gain), "has '{' without '}'"));
  EXPECT_TRUE(contains(error_of("texts = \"\"\ntext = \"\"\n" + gain), "'texts'"));
  const std::string values = "\n[finding.values]\n";
  EXPECT_TRUE(contains(error_of("text = \"\"\nholds = \"a >\"" + values + "a = { rung = \"m\" }\n"), "'holds'"));
  EXPECT_TRUE(
      contains(error_of("text = \"\"\nholds = \"b > 1\"" + values + "a = { rung = \"m\" }\n"), "no value of this finding"));
  EXPECT_TRUE(
      contains(error_of("text = \"\"\nholds = \"a > 1\"" + values + "a = { formula = \"b\" }\nb = { formula = \"a\" }\n"),
               "depends on itself"));
  EXPECT_TRUE(contains(error_of("text = \"\"\nholds = \"a > 1\"" + values + "a = { ratio = [\"b\"] }\nb = { rung = \"m\" }\n"),
                       "accepted: two names"));
  EXPECT_TRUE(contains(error_of("text = \"\"\nholds = \"faster > 1\"" + values + "faster = { rung = \"m\" }\n"), "verdict"));
}

TEST_F(Findings, AreGeneratedIntoMarkdown) {
  (void)of("name = \"gain\"\ntext = \"It gains {gain.value}.\"\n" + gain, two);
  const auto blocks = [&](const std::string& text) { return with_blocks("a.md", text, experiments.path()); };
  EXPECT_EQ(blocks("a\n<!-- findings: waugh gain -->\nold\n<!-- end -->\nb\n"),
            "a\n<!-- findings: waugh gain -->\n\nIt gains 3.00. *(box)*\n\n<!-- end -->\nb\n");
  EXPECT_EQ(blocks("<!-- findings: waugh -->\n<!-- end -->\n"),
            "<!-- findings: waugh -->\n\n* It gains 3.00. *(box)*\n\n<!-- end -->\n");
  EXPECT_EQ(blocks("<!-- findings: waugh gain gain -->\n<!-- end -->\n"),
            "<!-- findings: waugh gain gain -->\n\n* It gains 3.00. *(box)*\n* It gains 3.00. *(box)*\n\n<!-- end -->\n");
  EXPECT_TRUE(contains(blocks("<!-- table: waugh accuracy -->\n<!-- end -->\n"), "| m/s/1 | f32 |"));
  EXPECT_EQ(input_error([&] { (void)blocks("\n<!-- findings: waugh other -->\n<!-- end -->\n"); }),
            "a.md:2: the study has no finding 'other' with a source");
  EXPECT_EQ(input_error([&] { (void)blocks("<!-- findings: waugh -->\n"); }), "a.md:1: has no '<!-- end -->'");
}

TEST(StudiesInMarkdown, AreListedWithTheirMachines) {
  const Experiments experiments;
  experiments.write("study.toml", "title = \"t\"\nquestion = \"Is `it`?\"\n");
  experiments.write("../planned/study.toml", "title = \"No rows yet\"\n");
  experiments.write_session();
  const std::string earlier = measured({.rung = "m/s/2", .session = "s0", .key = "k2"}, {1e6, 1e6});
  std::string later = measured({.rung = "m/s/1"}, {1e6, 1e6, 1e6});
  later.replace(later.rfind("03:15"), 5, "03:17");
  experiments.write_rows(earlier + later);
  EXPECT_EQ(with_blocks(experiments.path() / "docs/a.md", "<!-- studies -->\nold\n<!-- end -->\n", experiments.path()),
            "<!-- studies -->\n\n"
            "| study | question | machine | newest rows | combinations | rounds | time |\n"
            "|---|---|---|---|---:|---:|---:|\n"
            "| [planned](../planned/study.toml) | No rows yet | — | — | — | — | — |\n"
            "| [waugh](../waugh/study.toml) | Is `it`? | box | 2026-11-21 | 2 | 3 | 2 min |\n"
            "\n<!-- end -->\n");
}

TEST(StudiesInMarkdown, AreTimedWithoutPauses) {
  const Experiments experiments;
  experiments.write("study.toml", "title = \"t\"\n");
  std::string rows = measured({.rung = "m/s/1"}, {1e6, 1e6});
  rows.replace(rows.rfind("03:15"), 5, "04:15");
  experiments.write_rows(rows);
  EXPECT_TRUE(contains(with_blocks("a.md", "<!-- studies -->\n<!-- end -->\n", experiments.path()), "| 2 | < 1 min |"));
}

/// A page without its list of studies, which gets further lines when a study is run on this machine.
std::string without_studies(const std::string& page) {
  const std::size_t begin = page.find("<!-- studies -->");
  return begin == std::string::npos ? page : page.substr(0, begin) + page.substr(page.find("<!-- end -->", begin));
}

TEST(StoredFindings, HoldOnTheMachinesForWhichTheyWereWritten) {
  const auto all = source_findings({.experiments = LADDER_SOURCE "/experiments", .studies = {}, .out = {}, .machine = {}});
  EXPECT_GT(all.size(), 0U);
  for (const SourceFinding& one : all) {
    EXPECT_TRUE(one.finding.is_known()) << one.study << ":" << one.finding.line << ": "
                                        << fmt::format("{}", fmt::join(one.finding.missing, "; "));
    if (!one.finding.is_known()) continue;

    EXPECT_TRUE(one.finding.holds) << one.study << ":" << one.finding.line << ": " << one.finding.text;
  }
}

TEST(StoredFindings, AreUpToDateInTheDocumentation) {
  const std::filesystem::path root = LADDER_SOURCE;
  for (const std::filesystem::path& file : markdown_files(root)) {
    const std::string page = read_whole(file), now = with_blocks(file, page, root / "experiments");
    EXPECT_EQ(without_studies(without_marks(now)), without_studies(without_marks(page))) << "run ./ladder report --docs";
  }
}

TEST(StoredStudies, AreListedInTheDocumentation) {
  const std::filesystem::path root = LADDER_SOURCE, file = root / "docs/studies.md";
  const std::string page = read_whole(file), now = with_blocks(file, page, root / "experiments");
  std::istringstream lines(page);
  std::size_t machines = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_of_study = line.starts_with("| [") && line.find("| — |") == std::string::npos;
    if (!is_of_study && !line.starts_with("| | |")) continue;
    const std::size_t machine = line.find('|', line.find('|', 1) + 1);
    EXPECT_TRUE(contains(now, line.substr(machine))) << line << "\nrun ./ladder report --docs";
    ++machines;
  }
  EXPECT_GT(machines, 20U);
}

}  // namespace
}  // namespace ladder::reports::test
