// Which samples may be shown, and which of several tunings a query selects.
#include "reports/results.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::check_of;
using test::Entry;
using test::Folder;
using test::line;
using test::measured;

/// Results of these rows; `initial` gives a rung's default tuning.
struct ResultsFixture {
  explicit ResultsFixture(const std::string& rows, const std::map<std::string, int>& initial = {}) {
    data.file = read_rows(folder.write("m.csv", test::header + rows));
    RungDescription rung;
    rung.id = Entry{}.rung;
    rung.build = "default";
    for (const auto& [name, value] : initial)
      rung.tunables.push_back({.name = name, .meaning = "", .values = {value}, .initial = value});
    data.sessions.emplace_back().rungs.emplace_back(rung.id, rung);
    results.emplace(data);
  }
  Folder folder;
  MachineData data;
  std::optional<Results> results;
};

const CellQuery query{.rung = Entry{}.rung, .case_name = "box-4", .precision = "f32"};

TEST(Results, SamplesInTwoGroupsAreMarked) {
  const ResultsFixture f(measured({}, {20e6, 60e6, 61e6, 20.1e6, 60.5e6, 60.2e6}));
  const Cell* cell = f.results->choose(query);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->mark(), " ◊");
  EXPECT_EQ(cell->why_marked(), "2 samples of 20.1 MLUPS, 4 of 60.4");
}

TEST(Results, SessionsThatDisagreeAreMarked) {
  const ResultsFixture f(measured({}, {2e6, 2e6, 2e6}) + measured({.session = "s2"}, {3e6, 3e6, 3e6}));
  const Cell* cell = f.results->choose(query);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->mark(), " §") << "not ◊, because the sessions are the reason";
  EXPECT_EQ(cell->why_marked(), "2.00 MLUPS in session s1, 3.00 in s2");
}

TEST(Results, FewSamplesThatSpreadAreMarked) {
  const ResultsFixture wide(measured({}, {20e6, 21e6, 25e6}));
  const Cell* cell = wide.results->choose(query);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->mark(), " ≀");
  EXPECT_EQ(cell->why_marked(), "3 samples from 20.0 to 25.0 MLUPS");
  const ResultsFixture narrow(measured({}, {20e6, 21e6, 23e6}));
  EXPECT_EQ(narrow.results->choose(query)->mark(), "");
}

TEST(Results, APatternAlsoSelectsTheInitialTuning) {
  const ResultsFixture f(measured({.tuning = "wx=2"}, {1e6}) + measured({.tuning = "wx=8", .key = "k8"}, {3e6}), {{"wx", 2}});
  CellQuery pattern = query;
  pattern.rung = Entry{}.rung.substr(0, Entry{}.rung.size() - 1) + "*";
  EXPECT_EQ(f.results->choose(pattern)->row->tuning, "wx=2");
  pattern.tuning = "best";
  EXPECT_EQ(f.results->choose(pattern)->row->tuning, "wx=8");
}

TEST(Results, MedianOverOkSamples) {
  const ResultsFixture f(measured({}, {1e6, 5e6, 2e6}) + line({.outcome = "timeout", .round = 4}));
  const Cell* cell = f.results->choose(query);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->median, 2e6);
  EXPECT_EQ(cell->microseconds_per_step(), 8.0);
  EXPECT_EQ(f.results->failures().size(), 1U);
}

TEST(Results, AWrongAnswerIsNeverShown) {
  Entry wrong = check_of({});
  wrong.outcome = "wrong";
  wrong.reason = "population 3";
  const ResultsFixture f(measured({}, {1e6, 2e6}) + line(wrong));
  EXPECT_EQ(f.results->choose(query), nullptr);
  ASSERT_EQ(f.results->withheld().size(), 1U);
  EXPECT_EQ(f.results->failures().at(0).row->reason, "population 3");
}

TEST(Results, TheLatestCheckDecides) {
  Entry wrong = check_of({});
  wrong.outcome = "wrong";
  const ResultsFixture f(line(wrong) + measured({}, {1e6}));
  EXPECT_NE(f.results->choose(query), nullptr);
  EXPECT_TRUE(f.results->failures().at(0).ok_since);
}

TEST(Results, WhatWasNotCheckedIsNotShown) {
  const ResultsFixture f(line({}));
  EXPECT_EQ(f.results->choose(query), nullptr);
  EXPECT_TRUE(test::contains(f.results->withheld().at(0).why, "no check"));
}

TEST(Results, ACheckSpeaksForItsTuningAlone) {
  const ResultsFixture f(measured({.tuning = "wx=1"}, {1e6}) + line({.tuning = "wx=2", .updates_per_second = 9e6}));
  CellQuery best = query;
  best.tuning = "best";
  EXPECT_EQ(f.results->choose(best)->row->tuning, "wx=1");
}

TEST(Results, SamplesOfAnOlderExecutableAreLeftOut) {
  const ResultsFixture f(measured({.key = "old"}, {9e6, 9e6}) + measured({.session = "s2", .key = "new"}, {1e6}));
  EXPECT_EQ(f.results->choose(query)->median, 1e6);
  EXPECT_EQ(f.results->superseded(), 2U);
}

TEST(Results, EnoughRoundsOfTheSameSourcesAreShownInsteadOfALaterRound) {
  const auto shown = [](const std::string& sources, std::size_t rounds, const std::vector<double>& later,
                        const std::string& more = "") {
    MachineData data;
    const Folder folder;
    data.file = read_rows(folder.write("m.csv", test::header + measured({.key = "old"}, {1e6, 1e6, 1e6, 1e6, 1e6, 1e6}) + more +
                                                    measured({.session = "s2", .key = "new"}, later)));
    data.rounds = rounds;
    for (const auto& [session, hash] : {std::pair<std::string, std::string>("s1", sources), {"s2", "a"}}) {
      RungDescription rung;
      rung.id = Entry{}.rung;
      rung.build = "default";
      rung.sources = hash;
      Provenance& provenance = data.sessions.emplace_back();
      provenance.session = session;
      provenance.rungs.emplace_back(rung.id, rung);
    }
    const Results results(data);
    const Cell* const cell = results.choose(query);
    return cell == nullptr ? 0 : cell->median;
  };
  EXPECT_EQ(shown("a", 9, {2e6}), 1e6);
  EXPECT_EQ(shown("b", 9, {2e6}), 2e6) << "other sources";
  EXPECT_EQ(shown("a", 9, {2e6, 2e6, 2e6, 2e6, 2e6, 2e6}), 2e6) << "enough for a verdict";
  EXPECT_EQ(shown("a", 2, {2e6}), 1e6);
  EXPECT_EQ(shown("a", 2, {2e6, 2e6}), 2e6) << "as many as the study has";
  const Entry wrong{.outcome = "wrong", .round = 7, .key = "old"};
  EXPECT_EQ(shown("a", 9, {2e6}, line(wrong)), 2e6) << "a timed run with the older key was wrong";
  EXPECT_EQ(shown("a", 9, {2e6}, line(check_of(wrong))), 2e6) << "the check of the older key failed";
}

TEST(Results, ALaterRoundIsShownIfAnotherCellNeedsItsSession) {
  const std::vector<double> six(6, 1e6);
  MachineData data;
  const Folder folder;
  const Entry other{.rung = "d2q9/serial/02_other", .session = "s2", .key = "changed"};
  for (const bool is_needed : {false, true}) {
    Entry elsewhere = other;
    elsewhere.case_name = "box-8";
    data.file = read_rows(folder.write("m.csv", test::header + measured({.key = "old"}, six) +
                                                    measured({.session = "s2", .key = "new"}, {2e6}) +
                                                    measured(is_needed ? other : elsewhere, {3e6})));
    data.sessions.clear();
    for (const char* session : {"s1", "s2"}) {
      RungDescription rung;
      rung.id = Entry{}.rung;
      rung.build = "default";
      rung.sources = "a";
      Provenance& provenance = data.sessions.emplace_back();
      provenance.session = session;
      provenance.rungs.emplace_back(rung.id, rung);
    }
    EXPECT_EQ(Results(data).choose(query)->median, is_needed ? 2e6 : 1e6);
  }
}

TEST(Results, OfOneSessionTheKeyWithTheMostSamplesIsShown) {
  const ResultsFixture f(measured({.key = "short check"}, {1e6, 1e6, 1e6}) + measured({.key = "long check"}, {9e6}));
  EXPECT_EQ(f.results->choose(query)->median, 1e6);
  EXPECT_EQ(f.results->superseded(), 1U);
}

TEST(Results, ARungWhoseLongerCheckFailsIsNotShownEither) {
  Entry wrong = check_of({.key = "long check"});
  wrong.outcome = "wrong";
  EXPECT_EQ(ResultsFixture(measured({.key = "short check"}, {1e6}) + line(wrong)).results->choose(query), nullptr);
  wrong.key = "short check";
  const Entry other = check_of({.key = "long check"});
  EXPECT_EQ(ResultsFixture(line(wrong) + line({.key = "short check"}) + line(other)).results->choose(query), nullptr);
}

TEST(Results, AQueryMeansTheRungsOwnTuningUnlessItSaysOtherwise) {
  const ResultsFixture f(measured({.tuning = "wx=16;wy=16"}, {1e6}) + measured({.tuning = "wx=32;wy=8"}, {3e6}) +
                             measured({.tuning = "wx=64;wy=8"}, {2e6}),
                         {{"wx", 16}, {"wy", 16}});
  CellQuery q = query;
  EXPECT_EQ(f.results->choose(q)->row->tuning, "wx=16;wy=16");
  q.tuning = "best";
  EXPECT_EQ(f.results->choose(q)->row->tuning, "wx=32;wy=8");
  q.tuning = "wx=64";
  EXPECT_EQ(f.results->choose(q)->row->tuning, "wx=64;wy=8");
  q.tuning = "wx=7";
  EXPECT_EQ(f.results->choose(q), nullptr);
}

TEST(Results, EqualFailuresAreOneLine) {
  std::string rows;
  for (const char* tuning : {"wx=64", "wx=128"}) {
    Entry skipped = check_of({.tuning = tuning, .reason = "too large"});
    skipped.outcome = "skipped";
    rows += line(skipped);
  }
  const ResultsFixture f(rows);
  ASSERT_EQ(f.results->failures().size(), 1U);
  EXPECT_EQ(f.results->failures()[0].count, 2U);
  EXPECT_EQ(f.results->failures()[0].tunings, (std::vector<std::string>{"wx=64", "wx=128"}));
}

}  // namespace
}  // namespace ladder::reports
