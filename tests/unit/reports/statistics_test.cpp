// Medians, bootstrap intervals and paired ratios for data with known results.
#include "harness/record/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace ladder::reports {
namespace {

Series rounds(const std::string& session, const std::vector<double>& values) {
  Series series;
  for (std::size_t i = 0; i < values.size(); ++i)
    series.push_back({session, static_cast<std::int64_t>(i + 1), values[i]});
  return series;
}

TEST(Groups, AreSeparatedByMoreThanTheirSpread) {
  const auto groups = two_groups({60.1, 20.4, 61.2, 59.8, 20.1, 60.4});
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->in_low, 2U);
  EXPECT_EQ(groups->in_high, 4U);
  EXPECT_DOUBLE_EQ(groups->low, 20.25);
  EXPECT_DOUBLE_EQ(groups->high, 60.25);
}

TEST(Groups, NeedSixValuesAndTwoInEach) {
  EXPECT_FALSE(two_groups({20, 20, 60, 60, 60}));
  EXPECT_FALSE(two_groups({20, 60, 60, 60, 60, 60}));
  EXPECT_TRUE(two_groups({20, 20, 60, 60, 60, 60}));
}

TEST(Groups, OfAFewStragglersAreNone) {
  std::vector<double> values(18, 60.0);
  values.insert(values.end(), {20.0, 20.0});
  EXPECT_FALSE(two_groups(values));
}

TEST(Groups, CloserThanFivePercentAreNone) {
  EXPECT_FALSE(two_groups({100, 100, 100, 104, 104, 104}));
  EXPECT_TRUE(two_groups({100, 100, 100, 106, 106, 106}));
}

TEST(Groups, AreRarelyFoundInNormalSamples) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(100, 5);
  const auto found = [&](std::size_t size) {
    int count = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> values(size);
      for (double& v : values)
        v = normal(generator);
      count += two_groups(values) ? 1 : 0;
    }
    return count / 2000.0;
  };
  EXPECT_LT(found(6), 0.06);
  EXPECT_LT(found(9), 0.025);
  EXPECT_LT(found(15), 0.005);
}

TEST(SpreadOfFew, IsOfTwoToFiveValuesMoreThanAFifthApart) {
  const auto found = spread_of_few({125, 100, 110});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->low, 100);
  EXPECT_EQ(found->high, 125);
  EXPECT_FALSE(spread_of_few({100, 120})) << "not more than 20 %";
  EXPECT_TRUE(spread_of_few({100, 121, 100, 100, 100}));
  EXPECT_FALSE(spread_of_few({100, 125, 100, 125, 100, 125})) << "enough to test for groups";
  EXPECT_FALSE(spread_of_few({100}));
  EXPECT_FALSE(spread_of_few({}));
}

TEST(Disagreement, IsBetweenSessionsWhoseIntervalsAreApart) {
  Series series = rounds("a", {100, 101, 102});
  const Series faster = rounds("b", {120, 121, 122});
  series.insert(series.end(), faster.begin(), faster.end());
  const auto found = disagreement(series);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slow, "a");
  EXPECT_EQ(found->fast, "b");
  EXPECT_EQ(found->fast_median, 121);
}

TEST(Disagreement, IsNoneWithinTheIntervalsOrOfASingleSample) {
  Series series = rounds("a", {100, 101, 119});
  const Series faster = rounds("b", {118, 121, 122});
  series.insert(series.end(), faster.begin(), faster.end());
  EXPECT_FALSE(disagreement(series)) << "the intervals overlap";
  Series alone = rounds("a", {100, 101, 102});
  alone.push_back({"b", 1, 200});
  EXPECT_FALSE(disagreement(alone));
  EXPECT_FALSE(disagreement(rounds("a", {100, 200, 300}))) << "one session";
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median(std::vector{7.0}), 7.0);
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
}

TEST(Bootstrap, GivesNoIntervalForFewerThanThreeValues) {
  EXPECT_FALSE(bootstrap_median(std::vector{1.0, 2.0}).is_known());
  EXPECT_TRUE(bootstrap_median(std::vector{1.0, 2.0, 3.0}).is_known());
}

TEST(Bootstrap, OfEqualValuesIsAPoint) {
  const Interval interval = bootstrap_median(std::vector(5, 1.5));
  EXPECT_EQ(interval.low, 1.5);
  EXPECT_EQ(interval.high, 1.5);
}

TEST(Bootstrap, AlwaysGivesTheSameIntervalForTheSameValues) {
  const std::vector values{1.0, 1.1, 0.9, 1.3, 1.05, 0.97, 1.2};
  const Interval once = bootstrap_median(values);
  const Interval again = bootstrap_median(values);
  EXPECT_EQ(once.low, again.low);
  EXPECT_EQ(once.high, again.high);
  EXPECT_LE(once.low, 1.05);
  EXPECT_GE(once.high, 1.05);
}

TEST(Bootstrap, OfThreeValuesReachesFromTheSmallestToTheLargest) {
  // The median of a resample of three is an extreme with probability 7/27, far above 2.5 %.
  const Interval interval = bootstrap_median(std::vector{1.0, 2.0, 3.0});
  EXPECT_EQ(interval.low, 1.0);
  EXPECT_EQ(interval.high, 3.0);
}

TEST(Bootstrap, CoversTheTrueMedianAboutAsOftenAsItSays) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(10, 1);
  int covered = 0;
  constexpr int trials = 200;
  for (int i = 0; i < trials; ++i) {
    std::vector<double> values(25);
    for (double& v : values)
      v = normal(generator);
    const Interval interval = bootstrap_median(values);
    covered += interval.low <= 10 && 10 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, trials * 88 / 100);
  EXPECT_LE(covered, trials);
}

TEST(PairedRatio, IsUnmovedByDriftThatHitsBothAlike) {
  const Ratio ratio = paired_ratio(rounds("s", {2, 4, 8, 16}), rounds("s", {1, 2, 4, 8}));
  EXPECT_EQ(ratio.value, 2.0);
  EXPECT_EQ(ratio.interval.low, 2.0);
  EXPECT_EQ(ratio.interval.high, 2.0);
  EXPECT_EQ(ratio.pairs, 4U);
  EXPECT_EQ(ratio.pairing, Pairing::rounds);
}

TEST(PairedRatio, OfTwoRoundsHasNoInterval) {
  const Ratio ratio = paired_ratio(rounds("s", {2, 4}), rounds("s", {1, 2, 3, 4}));
  EXPECT_EQ(ratio.value, 2.0);
  EXPECT_EQ(ratio.pairs, 2U);
  EXPECT_FALSE(ratio.interval.is_known());
}

TEST(PairedRatio, NeverPairsRoundsOfDifferentSessions) {
  Series above = rounds("a", {2, 2, 2});
  const Ratio ratio = paired_ratio(above, rounds("b", {1, 1, 1}));
  EXPECT_EQ(ratio.value, 2.0);
  EXPECT_EQ(ratio.pairing, Pairing::none);
  EXPECT_FALSE(ratio.interval.is_known());

  above.push_back({"b", 9, 3});
  EXPECT_EQ(paired_ratio(above, rounds("b", {1, 1, 1})).value, 3.0) << "the common session counts";
  EXPECT_EQ(paired_ratio(above, rounds("b", {1, 1, 1})).pairing, Pairing::sessions);
}

TEST(PairedRatio, OfNothingIsUnknown) {
  EXPECT_FALSE(paired_ratio({}, rounds("s", {1})).is_known());
  EXPECT_FALSE(paired_ratio(rounds("s", {1}), {}).is_known());
}

/// Two series in which all rounds have this ratio, up to the given spread.
Ratio ratio_of(double value, double spread, int rounds) {
  Series above;
  Series below;
  for (int round = 1; round <= rounds; ++round) {
    below.push_back({"s", round, 1e6});
    above.push_back({"s", round, 1e6 * (value + (round % 2 == 0 ? spread : -spread))});
  }
  return paired_ratio(above, below);
}

TEST(Verdict, TakesAnIntervalWithoutOneAndMoreThanTheNoise) {
  EXPECT_EQ(verdict(ratio_of(1.1, 0.01, 8), 0.02), Verdict::faster);
  EXPECT_EQ(verdict(ratio_of(0.9, 0.01, 8), 0.02), Verdict::slower);
  EXPECT_EQ(verdict(ratio_of(1.1, 0.2, 8), 0.02), Verdict::unresolved) << "the interval contains 1";
  EXPECT_EQ(verdict(ratio_of(1.1, 0.01, 8), 0.2), Verdict::unresolved) << "the noise is wider";
  EXPECT_EQ(verdict(ratio_of(1.1, 0.01, 8), std::nan("")), Verdict::unresolved) << "nobody knows the noise";
}

TEST(Verdict, CallsTheSameWhatLiesWithinTheResolution) {
  EXPECT_EQ(verdict(ratio_of(1, 0.01, 8), 0.01), Verdict::same);
  EXPECT_EQ(verdict(ratio_of(1, 0.01, 8), 0.05), Verdict::unresolved) << "the noise is wider than the resolution";
  EXPECT_EQ(verdict(ratio_of(1, 0.03, 8), 0.01), Verdict::unresolved);
}

TEST(Verdict, TakesSixRounds) {
  EXPECT_EQ(verdict(ratio_of(2, 0, 5), 0), Verdict::unresolved);
  EXPECT_EQ(verdict(ratio_of(2, 0, 6), 0), Verdict::faster);
  EXPECT_EQ(verdict(Ratio{}, 0), Verdict::unresolved);
}

TEST(Verdict, SaysWhatWasMissing) {
  EXPECT_EQ(verdict_text(ratio_of(1.1, 0.01, 8), 0.02), "faster");
  EXPECT_EQ(verdict_text(ratio_of(2, 0, 3), 0), "unresolved: 3 rounds");
  EXPECT_EQ(verdict_text(ratio_of(2, 0, 1), 0), "unresolved: 1 round");
  EXPECT_EQ(verdict_text(ratio_of(1.1, 0.01, 8), 0.2), "unresolved: noise 20.0 %");
  EXPECT_EQ(verdict_text(ratio_of(1.1, 0.01, 8), 1.14), "unresolved: noise 114 %");
  EXPECT_EQ(verdict_text(ratio_of(1.1, 0.01, 8), std::nan("")), "unresolved: no twin");
  EXPECT_EQ(verdict_text(ratio_of(1.1, 0.2, 8), 0.02), "unresolved") << "the interval itself contains 1";
  EXPECT_EQ(verdict_text(Ratio{}, 0), "unresolved");
}

TEST(NoiseFloor, IsTheFartherEndOfTheInterval) {
  EXPECT_NEAR(noise_floor(ratio_of(1, 0.03, 8)), 0.03, 1e-12);
  EXPECT_TRUE(std::isnan(noise_floor(ratio_of(1, 0.03, 2)))) << "two rounds have no interval";
}

TEST(Tie, IsARatioThatRoundsOrNoiseDoNotTellFromOne) {
  const Ratio clear{.value = 1.1, .interval = {1.05, 1.15}, .pairs = 6};
  EXPECT_FALSE(is_tie(clear, 0.02));
  EXPECT_FALSE(is_tie(clear, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(is_tie(clear, 0.2)) << "within the noise";
  EXPECT_TRUE(is_tie({.value = 1.1, .interval = {0.99, 1.15}, .pairs = 6}, 0.02)) << "the interval includes 1";
  EXPECT_FALSE(is_tie({.value = 1.01, .interval = {}, .pairs = 2}, 0.02)) << "two rounds say nothing";
}

}  // namespace
}  // namespace ladder::reports
