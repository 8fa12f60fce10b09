// Values and texts in sections of the kind `steps`.
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

class Steps : public SectionTest {};

TEST_F(Steps, StandBesideThePapers) {
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", paper = \"slow\", rung = \"m/s/1\" },\n"
      "{ label = \"b\", paper = \"fast\", rung = \"m/s/2\" }]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6, 2e6, 4e6}) + measured({.rung = "m/s/2"}, {3e6, 6e6, 12e6}) +
                         ceiling("copy-9", 1 << 20, "nt", {6e6, 12e6, 24e6}, 72) +
                         ceiling("copy-9", 1536, "nt", {12e6, 24e6, 48e6}, 72));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\na,10,10000,,,m/s/1,8,0.008,2,,"));  // 10 s over 1000 steps; 16 sites at 2 MLUPS
  EXPECT_TRUE(contains(csv, "\nb,4,4000,2.5,2,m/s/2,"));
  EXPECT_TRUE(contains(csv, ",6,3,unresolved: 3 rounds,0.5,L2,0.25,"));  // MLUPS, speed-up by round, verdict on 3 rounds, of
                                                                         // the copy, footprint, of the copy that size
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "3.00× [3.00, 3.00]"));
  EXPECT_TRUE(contains(page, "&#39;b&#39; is 2.50× by its table, 2.00× in its text")) << "the paper against itself";
}

TEST_F(Steps, AreNamedByTheIdeasOfTheirRungs) {
  const auto describe = [&](const std::string& id, const std::string& idea) { rungs[id] = {{"id", id}, {"idea", idea}}; };
  describe("m/s/01_fused", "one kernel a step: populations move once");
  describe("m/s/02_wide", "a clause that is longer than what fits beside the bars of a chart, of which no part is a name");
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/01_fused"}, {1e6}) + measured({.rung = "m/s/02_wide"}, {2e6}) +
                         measured({.rung = "m/s/03_last_one"}, {3e6}));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\n01 one kernel a step,m/s/01_fused,")) << csv;
  EXPECT_TRUE(contains(csv, "\n02 wide,m/s/02_wide,")) << csv;
  EXPECT_TRUE(contains(csv, "\n03 last one,m/s/03_last_one,")) << "not described: " << csv;
}

TEST_F(Steps, OfDifferentNumbersAreComparedByTheTimeOfOne) {
  paper += "table1,twice,box-4,seconds,8,s,I\ntext,twice,box-4,steps,2000,,I\n";
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", paper = \"slow\" },\n"
      "{ label = \"b\", paper = \"twice\", rung = \"m/s/2\" }]\n");
  experiments.write_rows(measured({.rung = "m/s/2"}, {1e6}));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\nb,8,4000,2.5,m/s/2,16,0.032,")) << "10 s for 1000 steps, 8 s for 2000: " << csv;
}

TEST_F(Steps, CountFluidCellsWhereSomeAreNot) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  // Rows with additional columns, including the one for fluid cells.
  const auto with_fluid = [&](int fluid) {
    std::string text = test::header_to("reason_code") + "\n";
    for (const char byte : measured({.rung = "m/s/1"}, {2e6}))
      text += byte == '\n' ? fmt::format(",,,,,,,,,,,,9,1,{},4,4,1,,,\n", fluid) : std::string(1, byte);
    experiments.write("results/box.csv", text);
    return table("steps-box-4");
  };
  const std::string csv = with_fluid(12);
  EXPECT_TRUE(contains(csv, ",mlups,mflups,"));
  EXPECT_TRUE(contains(csv, ",m/s/1,8,2,1.5,"));
  EXPECT_FALSE(contains(with_fluid(16), "mflups"));
}

TEST_F(Steps, SayWhatTheRoundsProve) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  const std::vector<double> slow(6, 1e6);
  const auto verdict_over = [&](double factor, double noise) {
    experiments.write_rows(with_twins("m/s/1", "", slow, noise) +
                           measured({.rung = "m/s/2"}, std::vector<double>(6, 1e6 * factor)));
    const std::string csv = table("steps-box-4");
    const std::string row = csv.substr(csv.find("\n2,"));
    for (const char* verdict : {"faster", "slower", "same", "unresolved", "unresolved: noise 9.1 %"})
      if (contains(row, std::string(",") + verdict + ",")) return std::string(verdict);
    return row;
  };
  EXPECT_EQ(verdict_over(1.5, 1), "faster");
  EXPECT_EQ(verdict_over(0.9, 1), "slower");
  EXPECT_EQ(verdict_over(1.001, 1.01), "same");
  EXPECT_EQ(verdict_over(1.05, 1.1), "unresolved: noise 9.1 %") << "no verdict is finer than the noise floor";
  EXPECT_EQ(verdict_over(1.5, 1.1), "faster");
}

TEST_F(Steps, AreMarkedIfTheDotsShowAnotherSpeedUpThanTheRounds) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  const auto page = [&](double elsewhere) {
    experiments.write_rows(measured({.rung = "m/s/1"}, {1e6, 1e6, 1e6}) + measured({.rung = "m/s/2"}, {2e6, 2e6, 2e6}) +
                           measured({.rung = "m/s/1", .session = "s2"}, std::vector<double>(5, elsewhere)));
    (void)experiments.report();
    return experiments.read("out/index.html");
  };
  EXPECT_TRUE(contains(page(1.5e6), "differ by more than 10 %: 2 2.00×, 1.33×."));
  EXPECT_FALSE(contains(page(1.05e6), "≠"));
}

TEST_F(Steps, ACaseHasTheNoiseOfItsOwnTwin) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  const std::vector<double> slow(6, 1e6);
  const std::string loud = with_twins("m/s/1", "", slow, 1.3, "box-8");
  const std::string step = measured({.rung = "m/s/2"}, std::vector<double>(6, 1.05e6));
  experiments.write_rows(loud + with_twins("m/s/1", "", slow, 1.01) + step);
  EXPECT_TRUE(contains(table("steps-box-4"), ",faster,")) << "another case's noise does not apply";
  experiments.write_rows(loud + measured({.rung = "m/s/1"}, slow) + step);
  EXPECT_TRUE(contains(table("steps-box-4"), ",unresolved: noise 23.1 %,")) << "because it has none itself";
}

TEST_F(Steps, ARowThatSelectsTheSameMeasurementHasNoSpeedUp) {
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\n"
      "rows = [{ label = \"one\", rung = \"m/s/1\" }, { label = \"best\", rung = \"m/*\", tuning = \"best\", over = \"one\" "
      "}]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {2e6, 2e6, 2e6}));
  EXPECT_TRUE(contains(table("steps-box-4"), "\nbest,m/s/1,8,2,the same measurement,")) << table("steps-box-4");
}

TEST_F(Steps, MayBeWhateverRungsThereAre) {
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/t/*\", \"m/s/*\"]\n"
      "rows = [{ label = \"best\", paper = \"fast\", rung = \"m/*\", tuning = \"best\", over = \"s/1\" }]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {8e6}) +
                         measured({.rung = "m/t/1"}, {4e6}) + line({.kind = "check", .rung = "m/t/2", .outcome = "skipped"}));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\nt/1,,,,m/t/1,4,,4,")) << "no seconds if the paper has none";
  EXPECT_TRUE(contains(csv, "\nt/2,,,,m/t/2,skipped,"));
  EXPECT_TRUE(contains(csv, "\nbest,4,4000,2,m/s/2,2,0.002,8,8,")) << "the fastest that matches, over the row it names";
}

TEST_F(Steps, AFewRoundsGiveAFactorWithoutAnInterval) {
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", rung = \"m/s/1\" }, { label = \"b\", rung = \"m/s/2\" "
      "}]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6, 2e6}) + measured({.rung = "m/s/2"}, {3e6, 6e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), ">3.00×</td>"));
}

TEST_F(Steps, AFractionAboveOneIsFlagged) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", rung = \"m/s/1\" }]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {3e6}) + ceiling("copy-9", 1 << 20, "nt", {2e6}, 72));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "<td class=\"n flag\""));
  EXPECT_TRUE(contains(page, "Above 100 % of the DRAM copy: a (150 %; it fits in L2)"));
}

/// Number of occurrences of `part` in `text`.
std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST_F(Steps, SayOnceWhichRungsMayStandAboveTheCopy) {
  study("kind = \"steps\"\ncases = [\"box-4\", \"box-8\"]\nrungs = [\"m/s/*\"]\n");
  std::string rows = ceiling("copy-9", 1 << 20, "nt", {2e6}, 72) + measured({.rung = "m/s/1", .bytes_model = 72}, {1e6});
  for (const auto& [name, bytes] : {std::pair("box-4", 24.0), std::pair("box-8", 18.0)})
    rows += measured({.rung = "m/s/2", .case_name = name, .key = name, .bytes_model = bytes}, {5.9e6});
  experiments.write_rows(rows);
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  const std::string sentence =
      "2 (18 to 24 of 72 B) moves fewer bytes of DRAM per update than one step through memory needs, because a pass "
      "through memory advances several steps, or cells do not store all their populations; it may exceed copy-9 and STREAM "
      "(docs/temporal-blocking.md).";
  EXPECT_EQ(count_of(page, sentence), 1U) << page;
  EXPECT_TRUE(contains(page, ">295 %<")) << "of the copy";
  EXPECT_FALSE(contains(page, "<td class=\"n flag\"")) << "24 of 72 B explain 300 %";
  EXPECT_FALSE(contains(page, "Above 100 %"));
}

TEST_F(Steps, AreFlaggedAboveWhatTheTrafficOfSeveralStepsExplains) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(ceiling("copy-9", 1 << 20, "nt", {2e6}, 72) + measured({.rung = "m/s/2", .bytes_model = 24}, {6.2e6}));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "<td class=\"n flag\""));
  EXPECT_TRUE(contains(page, "Above 100 % of the DRAM copy: 2 (310 %; its traffic explains 300 %; it fits in L2).")) << page;
}

/// Rows that declare bytes for each memory level.
std::string with_levels(const std::string& rows, const std::string& levels) {
  std::string longer;
  for (const char c : rows)
    longer += c == '\n' ? std::string(19, ',') + levels + ",\n" : std::string(1, c);
  return longer;
}

TEST_F(Steps, SayWhichRungsKeepCellsOnTheChip) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write("results/box.csv",
                    test::header_to("reason_code") + "\n" +
                        with_levels(measured({.rung = "m/s/1", .bytes_model = 54}, {1e6}), "shared=27+27;dram=10+9") +
                        with_levels(measured({.rung = "m/s/2", .bytes_model = 54}, {1e6}), "shared=36+18;dram=8+6") +
                        with_levels(measured({.rung = "m/s/3", .bytes_model = 60}, {1e6}), "shared=30+30"));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page,
                       "1 (19 of 72 B), 2 (14 of 72 B) move fewer bytes of DRAM per update than one step through "
                       "memory needs, because the lattice, or a part of it, stays on the chip; they may exceed copy-9"))
      << page;
  EXPECT_FALSE(contains(page, "several steps")) << "no rung declares a pass of several steps";
}

TEST_F(Steps, ARowThatDidNotRunSaysWhy) {
  study(
      "kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", rung = \"m/s/1\" }, { label = \"b\", rung = \"m/s/2\" "
      "}, { label = \"c\", rung = \"m/s/3\" }]\n");
  const std::string skipped = line({.kind = "check", .rung = "m/s/1", .outcome = "skipped", .reason = "no device"});
  experiments.write_rows(skipped + measured({.rung = "m/s/3"}, {1e6}));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\na,m/s/1,skipped,")) << "and no columns for a paper that does not mention it";
  EXPECT_TRUE(contains(csv, "\nb,m/s/2,not measured,"));
  experiments.write_rows(skipped);
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-4, f32: none of these is measured here.")) << "no empty table";
}

TEST_F(Steps, NameTheFastest) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {8e6}) +
                         measured({.rung = "m/s/3"}, {2e6}));
  (void)experiments.report();
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"), "the fastest is &#39;2&#39; with 8.00 MLUPS, 8.00× over &#39;1&#39;."));
}

TEST_F(Steps, NameTheNextIfTheRowsDoNotDistinguishIt) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {8e6, 8e6, 8e6}) + measured({.rung = "m/s/2"}, {9e6, 7e6, 7.9e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "the fastest is &#39;1&#39; with 8.00 MLUPS; the rows do not distinguish it from &#39;2&#39;."));
}

TEST_F(Steps, ChartsAreHeadedByTheFastestWhichTheTextDoesNotRepeat) {
  const std::string block = "kind = \"steps\"\nrungs = [\"m/s/*\"]\n";
  study(block + "cases = [\"box-4\"]\n[[report]]\n" + block + "cases = [\"box-8\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) +
                         measured({.rung = "m/s/1", .case_name = "box-8", .key = "b"}, {3e6}));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "<p class=\"conclusion\">box-8: the fastest is &#39;1&#39; with 3.00 MLUPS.</p>")) << page;
  EXPECT_FALSE(contains(page, "<p class=\"finding\">box-8")) << page;
  EXPECT_TRUE(contains(page, "<p class=\"finding\">box-4")) << "its chart is at the top of the page: " << page;
}

TEST_F(Steps, TheFastestOfAnotherSessionIsMarked) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2", .session = "s2"}, {8e6}));
  (void)experiments.report();
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"), "the fastest is &#39;2&#39; with 8.00 MLUPS, 8.00× ‡ over &#39;1&#39;."));
}

TEST_F(Steps, AnUnknownLabelOfThePaperIsAnError) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrows = [{ label = \"a\", paper = \"fastest\" }]\n");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "study.toml:6: 'paper' names 'fastest'"));
}

TEST_F(Steps, AreOverTheRungThatEachFollows) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  const auto described = [](const char* id, const char* follows) { return nlohmann::json{{"id", id}, {"follows", follows}}; };
  experiments.write_session({{"m/s/1", described("m/s/1", "")},
                             {"m/s/2", described("m/s/2", "m/s/1")},
                             {"m/s/3", described("m/s/3", "m/s/1")},
                             {"m/s/4", described("m/s/4", "m/s/other")}});
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {8e6}) +
                         measured({.rung = "m/s/3"}, {2e6}) + measured({.rung = "m/s/4"}, {6e6}));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "\n2,m/s/2,2,8,8,")) << csv;
  EXPECT_TRUE(contains(csv, "\n3,m/s/3,8,2,2,")) << "over 1, not over 2: " << csv;
  EXPECT_TRUE(contains(csv, "\n4,m/s/4,2.6666666666666665,6,3,")) << "over the row before, as its parent is not shown: " << csv;
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "2.00× over 1"));
  EXPECT_TRUE(contains(page, "3.00× over 3")) << "named, because it is not the parent";
}

TEST_F(Steps, ComeAfterTheRungThatEachFollowsEvenIfItsNumberIsHigher) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  const auto described = [](const char* id, const char* follows) { return nlohmann::json{{"id", id}, {"follows", follows}}; };
  experiments.write_session({{"m/s/1", described("m/s/1", "")},
                             {"m/s/2", described("m/s/2", "m/s/4")},
                             {"m/s/3", described("m/s/3", "m/s/2")},
                             {"m/s/4", described("m/s/4", "m/s/5")},
                             {"m/s/5", described("m/s/5", "m/s/1")}});
  const std::string others = measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {8e6}) +
                             measured({.rung = "m/s/3"}, {16e6}) + measured({.rung = "m/s/5"}, {2e6});
  experiments.write_rows(others + measured({.rung = "m/s/4"}, {4e6}));
  std::string csv = table("steps-box-4");
  std::size_t last = 0;
  for (const char* row : {"\n1,m/s/1,", "\n5,m/s/5,8,2,2,", "\n4,m/s/4,4,4,2,", "\n2,m/s/2,2,8,2,", "\n3,m/s/3,1,16,2,"}) {
    EXPECT_GT(csv.find(row), last) << row << " is not in order in " << csv;
    last = csv.find(row);
  }
  EXPECT_NE(last, std::string::npos) << csv;
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "2.00× over")) << "each is over the row before";
}

TEST_F(Steps, AreOverTheNearestShownRungThatTheyFollow) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/s/[134]\"]\n");
  const auto described = [](const char* id, const char* follows) { return nlohmann::json{{"id", id}, {"follows", follows}}; };
  experiments.write_session({{"m/s/1", described("m/s/1", "")},
                             {"m/s/2", described("m/s/2", "m/s/1")},
                             {"m/s/3", described("m/s/3", "m/s/1")},
                             {"m/s/4", described("m/s/4", "m/s/2")}});
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {2e6}) +
                         measured({.rung = "m/s/3"}, {3e6}) + measured({.rung = "m/s/4"}, {4e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "4.00× over 1")) << "not over 3, the row before";
}

}  // namespace
}  // namespace ladder::reports::test
