#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ladder {

/// The middle value (mean of the two middle ones for an even count); NaN for no values.
double median(std::vector<double> values);

/// Two ends; NaN if there is no interval.
struct Interval {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_known() const { return low <= high; }
};

/// 95 % percentile bootstrap interval of the median: 2000 resamples drawn with a generator of fixed seed, so that the same rows
/// always give the same interval. Unknown for fewer than 3 values.
Interval bootstrap_median(std::span<const double> values);

/// One measured value with its session and round, by which it is paired with others.
struct Observation {
  std::string session;
  std::int64_t round = 0;
  double value = 0;
};

using Series = std::vector<Observation>;

/// Two groups that the samples of a cell fall into: medians and numbers of samples.
struct TwoGroups {
  double low = 0, high = 0;
  std::size_t in_low = 0, in_high = 0;
};

/// The two groups that positive values fall into, if they do. The logarithms are split where the squares of their distances
/// from the groups' means are least. The groups count if the means are more than 5 % and more than 6 standard deviations
/// (within the groups) apart. Each must have at least 2 values and a fifth of all, so that a few stragglers are no group. None
/// for fewer than 6 values. Normal samples without groups are taken for two groups in 5 % of all cases at 6 samples, 2 % at 9.
std::optional<TwoGroups> two_groups(std::vector<double> values);

/// The lowest and the highest of a few samples that are far apart.
struct Spread {
  double low = 0, high = 0;
};

/// The range of 2 to 5 positive values if the highest is more than 20 % above the lowest: too few to say whether they fall into
/// groups, too far apart to trust their median. None for other numbers of values.
std::optional<Spread> spread_of_few(const std::vector<double>& values);

/// Two sessions whose samples of one cell disagree.
struct Disagreement {
  std::string slow, fast;  ///< names of the sessions
  double slow_median = 0, fast_median = 0;
};

/// The slowest and the fastest session, if the intervals of their medians are more than 10 % apart. The interval of 2 values
/// reaches from one to the other; sessions with one value are passed over.
std::optional<Disagreement> disagreement(const Series& series);

/// How the values of a ratio are paired, from strong to weak.
enum class Pairing { rounds, sessions, none };

/// One median over another.
struct Ratio {
  double value = std::numeric_limits<double>::quiet_NaN();
  Interval interval;      ///< known from 3 paired rounds on
  std::size_t pairs = 0;  ///< rounds that both series have
  Pairing pairing = Pairing::none;

  [[nodiscard]] bool is_known() const { return value == value; }
};

/// `above` over `below`: the median of the ratios of each (session, round) that both have; if they share no round, the median
/// of the ratios of the medians of each session that both have; if they share no session, the ratio of the medians. NaN if a
/// series is empty.
Ratio paired_ratio(const Series& above, const Series& below);

/// The median of the series' values.
double median(const Series& series);

/// Whether the rounds do not tell the faster of two from the other: the interval of their ratio, faster over other, includes 1,
/// or the ratio is above 1 by no more than the noise floor (NaN: unknown). False if the interval is unknown.
bool is_tie(const Ratio& ratio, double floor);

/// The noise floor of runs of a rung against itself: the distance from 1 of the farther end of the ratio's interval, e.g.
/// 0.012. NaN if the interval is unknown.
double noise_floor(const Ratio& against_itself);

/// The verdict on a ratio of speeds.
enum class Verdict { faster, slower, same, unresolved };
[[nodiscard]] std::string to_string(Verdict verdict);

/// Ratios this close to 1 count as equal.
constexpr double resolution = 0.02;

/// Rounds that a verdict takes: with fewer, the bootstrap interval is too narrow to be trusted.
constexpr std::size_t verdict_rounds = 6;

/// `faster` or `slower` if the interval excludes 1 and the median is farther from 1 than the noise floor; `same` if the
/// interval lies within the resolution and the noise floor is no wider than that; otherwise, and if fewer than verdict_rounds
/// rounds are paired or the floor is unknown (NaN), `unresolved`.
Verdict verdict(const Ratio& ratio, double floor);

/// " [1.70, 1.75]"; empty if the interval is unknown.
std::string interval_text(const Interval& interval);

/// The verdict in words; if it is unresolved, with the reason: `unresolved: 3 rounds` or, if the interval excludes 1,
/// `unresolved: noise 29.1 %`.
std::string verdict_text(const Ratio& ratio, double floor);

}  // namespace ladder
