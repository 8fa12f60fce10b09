// The sentences that answer a study: the fastest rung, its gain, its limit.
#include "reports/chapters.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

class Answer : public SectionTest {
 protected:
  [[nodiscard]] std::vector<std::string> of(const std::string& rows) const {
    experiments.write("study.toml", "title = \"t\"\n");
    experiments.write_session(rungs);
    experiments.write_rows(rows);
    return answers_of(experiments.path() / "waugh", "box");
  }
  void describe_rung(const std::string& id, const std::string& follows, const std::string& idea = "") {
    rungs[id] = {{"id", id}, {"build", "default"}, {"follows", follows}, {"idea", idea}};
  }
  /// A rung on a lattice that does not fit in any cache.
  static Entry large(const std::string& rung) {
    return {.rung = rung, .case_name = "box-64", .key = "k64" + rung, .cells = 4096, .bytes_model = 72, .footprint = 1 << 20};
  }
};

TEST_F(Answer, IsTheFastestRungItsGainAndItsLimit) {
  describe_rung("m/s/1", "");
  describe_rung("m/s/2", "m/s/1");
  describe_rung("m/s/3", "m/s/2");
  const auto sentences =
      of(measured(large("m/s/1"), {1e6, 1e6, 1e6}) + measured(large("m/s/2"), {3e6, 3e6, 3e6}) +
         measured(large("m/s/3"), {6e6, 6e6, 6e6}) + measured({.rung = "m/s/1"}, {9e6, 9e6, 9e6}) +
         ceiling("copy-9", 1 << 20, "nt", {8e6, 8e6, 8e6}, 72) + ceiling("fma", 0, "", {1e9, 1e9, 1e9}, 0, 2));
  ASSERT_EQ(sentences.size(), 3U);
  EXPECT_EQ(sentences[0], "box-64, f32: the fastest rung is m/s/3 with 6.00 MLUPS on cpu.");
  EXPECT_EQ(sentences[1],
            "It is 6.00× [6.00, 6.00] as fast as m/s/1, the first rung of its ladder, and 2.00× [2.00, 2.00] as fast as m/s/2, "
            "the rung before it.");
  EXPECT_EQ(
      sentences[2],
      "Its limits in MLUPS: 8.00 from the bandwidth of DRAM, copy-9 (openmp, store=nt, 1 MiB, f32); 20.0 from arithmetic, "
      "fma (openmp, f32). It reaches 75.0 % of the lowest, the bandwidth of DRAM.");
}

TEST_F(Answer, NamesTheIdeaOfTheStepThatGainsMost) {
  describe_rung("m/s/1", "", "the start");
  describe_rung("m/s/2", "m/s/1", "one kernel");
  describe_rung("m/s/3", "m/s/2", "a wider store");
  const auto of_three = of(measured(large("m/s/1"), {1e6}) + measured(large("m/s/2"), {3e6}) + measured(large("m/s/3"), {6e6}));
  EXPECT_TRUE(contains(of_three.at(1), ", the rung before it; the largest gain of a step is 3.00× by m/s/2 (one kernel)."))
      << of_three.at(1);
  const auto of_slower =
      of(measured(large("m/s/1"), {1e6}) + measured(large("m/s/2"), {1.5e6}) + measured(large("m/s/3"), {6e6}));
  EXPECT_TRUE(contains(of_slower.at(1), "4.00× by m/s/3 (a wider store).")) << of_slower.at(1);
  // A step that makes up for a slower one gains only what exceeds the rungs before it.
  const auto of_recovery =
      of(measured(large("m/s/1"), {4e6}) + measured(large("m/s/2"), {1e6}) + measured(large("m/s/3"), {6e6}));
  EXPECT_TRUE(contains(of_recovery.at(1), "the largest gain of a step is 1.50× by m/s/3")) << of_recovery.at(1);
  // Two rungs do not form a step if the rung between them is missing.
  const auto of_two = of(measured(large("m/s/1"), {1e6}) + measured(large("m/s/3"), {6e6}));
  EXPECT_EQ(of_two.at(1), "It is 6.00× as fast as m/s/1, the first rung of its ladder.");
}

TEST_F(Answer, CountsNoForeignPrograms) {
  Entry foreign = large("contender/boast");
  foreign.backend = "foreign";
  const auto sentences = of(measured(large("m/s/1"), {1e6}) + measured(large("m/s/2"), {2e6}) + measured(foreign, {9e9}));
  EXPECT_EQ(sentences.at(0), "box-64, f32: the fastest rung is m/s/2 with 2.00 MLUPS on cpu.");
}

TEST_F(Answer, NamesTheLowestLimitOrSaysThatNoneExplainsTheRate) {
  const std::string rung = measured(large("m/s/1"), {6e6});
  const std::string copy = ceiling("copy-9", 1 << 20, "nt", {20e6}, 72);
  EXPECT_TRUE(
      contains(of(rung + copy + ceiling("fma", 0, "", {4e8}, 0, 2)).at(1), "It reaches 75.0 % of the lowest, arithmetic."));
  EXPECT_TRUE(contains(of(rung + copy + ceiling("fma", 0, "", {4e9}, 0, 2)).at(1),
                       "It reaches 30.0 % of the lowest, the bandwidth of DRAM; none of them explains its rate."));
  EXPECT_TRUE(contains(of(rung + copy).at(1), "It reaches 30.0 % of it, which does not explain its rate."));
}

TEST_F(Answer, TakesTheRungsOwnRateInACloserCacheAndItsShortestStepForLimits) {
  const Entry in_cache{.rung = "m/s/1", .case_name = "box-16", .key = "k16", .cells = 256, .footprint = 18432};
  const auto of_both = of(measured(large("m/s/1"), {6e6}) + measured(in_cache, {7e6}) + measured({.rung = "m/s/1"}, {4e6}) +
                          measured(large("m/s/2"), {1e6}) + ceiling("copy-9", 1 << 20, "nt", {20e6}, 72));
  EXPECT_TRUE(
      contains(of_both.back(), "7.00 from its rate in L3, box-16; 1,024 from its shortest step, 4.00 µs per step on box-4"))
      << of_both.back();
  EXPECT_TRUE(contains(of_both.back(), "It reaches 85.7 % of the lowest, its rate in L3.")) << of_both.back();
}

TEST_F(Answer, CountsTheBytesThatSeveralStepsPerPassSave) {
  Entry blocked = large("m/s/1");
  blocked.bytes_model = 24;
  const auto sentences = of(measured(blocked, {24e6}) + ceiling("copy-9", 1 << 20, "nt", {10e6}, 72));
  EXPECT_TRUE(contains(sentences.at(1), "30.0 from the bandwidth of DRAM")) << sentences.at(1);
  EXPECT_TRUE(contains(sentences.at(1), "It reaches 80.0 % of it.")) << sentences.at(1);
}

TEST_F(Answer, DoesNotJudgeACachedLatticeByDram) {
  const Entry small{.rung = "m/s/1", .bytes_model = 72};
  const auto of_dram = of(measured(small, {6e6}) + ceiling("copy-9", 1 << 20, "nt", {4e6}, 72));
  EXPECT_EQ(of_dram.size(), 1U) << of_dram.back();
  const auto of_cache =
      of(measured(small, {6e6}) + ceiling("copy-9", 1 << 20, "nt", {4e6}, 72) + ceiling("copy-9", 1536, "nt", {8e6}, 72));
  EXPECT_TRUE(contains(of_cache.at(1), "8.00 from the bandwidth of L2, copy-9 (openmp, store=nt, 1.50 KiB, f32)"));
  EXPECT_TRUE(contains(of_cache.at(1), "It reaches 75.0 % of it."));
}

TEST_F(Answer, OfOneRungIsItsRate) {
  const auto sentences = of(measured({.rung = "m/s/1", .tuning = "wx=8"}, {2e6}));
  EXPECT_EQ(sentences, std::vector<std::string>{"box-4, f32: the fastest rung is m/s/1 (wx=8) with 2.00 MLUPS on cpu."});
}

TEST_F(Answer, SaysIfASecondRungCannotBeToldFromTheFastest) {
  const auto sentences =
      of(measured({.rung = "m/s/1"}, {1.0e6, 1.02e6, 1.0e6}) + measured({.rung = "m/s/2"}, {1.01e6, 1.01e6, 1.03e6}));
  EXPECT_TRUE(contains(sentences.at(0), "; the rows do not distinguish it from m/s/1 (1.01× [0.990, 1.03])"))
      << sentences.at(0);
}

TEST_F(Answer, SkipsRungsOfTheLadderThatAreNotMeasured) {
  describe_rung("m/s/3", "m/s/2");
  describe_rung("m/s/2", "m/s/1");
  const std::string only_first = measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/3"}, {2e6});
  EXPECT_TRUE(contains(of(only_first).at(1), "It is 2.00× as fast as m/s/1, the first rung of its ladder."));
  describe_rung("m/s/1", "m/s/0");
  EXPECT_TRUE(contains(of(only_first).at(1), "It is 2.00× as fast as m/s/1, the first measured rung of its ladder."));
}

TEST_F(Answer, SaysWhereRungsWereNotMeasuredInOneSession) {
  describe_rung("m/s/2", "m/s/1");
  const auto sentences = of(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2", .session = "s2"}, {2e6}));
  EXPECT_EQ(sentences.at(1), "It is 2.00× (from different sessions) as fast as m/s/1, the first rung of its ladder.");
}

TEST_F(Answer, IsOfTheModelAndPrecisionWithTheMostRungsOnALargeCaseThatTwoHave) {
  const Entry alone{.rung = "m/s/1", .case_name = "box-99", .key = "large", .cells = 9801};
  const auto sentences =
      of(measured({.rung = "a/s/1"}, {9e6}) + measured(alone, {7e6}) + measured({.rung = "m/s/1"}, {1e6}) +
         measured({.rung = "m/s/2"}, {2e6}) + measured({.rung = "m/s/2", .key = "k64", .precision = "f64"}, {3e6}));
  EXPECT_EQ(sentences.at(0), "box-4, f32: the fastest rung is m/s/2 with 2.00 MLUPS on cpu.");
}

TEST_F(Answer, OfFailuresAloneIsHowManyThereAre) {
  const auto sentences = of(line({.kind = "check", .rung = "m/s/1", .outcome = "wrong", .reason = "population 3"}) +
                            line({.kind = "check", .rung = "m/s/2", .outcome = "crashed", .reason = "signal 11"}));
  EXPECT_EQ(sentences, std::vector<std::string>{"No rung has a time: 1 crashed, 1 wrong; the first is m/s/1: population 3."});
}

TEST_F(Answer, SaysThatAProgramFromOutsideHasATime) {
  const std::string right = measured({.rung = "contender/right", .backend = "foreign"}, {1e6});
  const auto sentences =
      of(right + line({.kind = "check", .rung = "contender/bad", .outcome = "failed", .reason = "no files", .key = "b"}));
  EXPECT_EQ(sentences, std::vector<std::string>{"Only programs from outside this project have a time (contender/right): "
                                                "1 failed; the first is contender/bad: no files."});
}

TEST_F(Answer, OfCeilingsAloneIsTheHighest) {
  const auto sentences = of(ceiling("triad", 1 << 20, "nt", {1e9}, 12) + ceiling("fma", 0, "", {4e9}, 0, 2));
  EXPECT_EQ(sentences,
            std::vector<std::string>{"Among the ceilings, the highest bandwidth is 12.0 GB/s, triad (openmp, store=nt, "
                                     "1 MiB, f32); the highest arithmetic rate is 8.00 GFLOP/s, fma (openmp, "
                                     "f32)."});
}

TEST_F(Answer, EndsWithAWarningWhereMeasurementsAreNoisy) {
  const auto noisy = of(with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1.25));
  EXPECT_TRUE(noisy.back().starts_with("These measurements are noisy: m/s/1 differs from itself by ")) << noisy.back();
  EXPECT_FALSE(contains(of(with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1.01)).back(), "noisy"));
}

TEST_F(Answer, OfNothingIsEmpty) {
  EXPECT_TRUE(of("").empty());
  EXPECT_TRUE(answers_of(experiments.path() / "waugh", "another").empty());
}

}  // namespace
}  // namespace ladder::reports::test
