#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ladder {

/// The middle value (or the mean of the two middle values); NaN for no values.
double median(std::vector<double> values);

/// The two ends of an interval; NaN if there is none.
struct Interval {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_known() const { return low <= high; }
};

/// 95 % percentile bootstrap interval of the median, from 2000 resamples. The generator has a fixed seed, so the same rows
/// always give the same interval. Unknown for fewer than 3 values.
Interval bootstrap_median(std::span<const double> values);

/// One measured value, with the session and round used to pair it with others.
struct Observation {
  std::string session;
  std::int64_t round = 0;
  double value = 0;
};

using Series = std::vector<Observation>;

/// The two groups that a cell's samples fall into: medians and sample counts.
struct TwoGroups {
  double low = 0, high = 0;
  std::size_t in_low = 0, in_high = 0;
};

/// Detects whether positive values fall into two groups. Splits their logarithms where the sum of squared distances from the
/// groups' means is smallest. The groups are accepted if the means differ by more than 5 % and by more than 6 standard
/// deviations (within the groups), and if each has at least 2 values and a fifth of all, so that a few stragglers do not form a
/// group. Empty for fewer than 6 values. Normally distributed samples are mistaken for two groups in 5 % of all cases with 6
/// samples, and in 2 % with 9.
std::optional<TwoGroups> two_groups(std::vector<double> values);

/// The lowest and highest of a few samples that are far apart.
struct Spread {
  double low = 0, high = 0;
};

/// The range of 2 to 5 positive values if the highest exceeds the lowest by more than 20 %: too few to tell whether they form
/// groups, too far apart to trust their median. Empty for any other number of values.
std::optional<Spread> spread_of_few(const std::vector<double>& values);

/// Two sessions whose samples of the same cell disagree.
struct Disagreement {
  std::string slow, fast;  ///< names of the sessions
  double slow_median = 0, fast_median = 0;
};

/// The slowest and the fastest session, if the intervals of their medians are more than 10 % apart. With 2 values, the interval
/// is their range; sessions with one value are skipped.
std::optional<Disagreement> disagreement(const Series& series);

/// How the values of a ratio are paired, from strongest to weakest.
enum class Pairing { rounds, sessions, none };

/// A ratio of two medians.
struct Ratio {
  double value = std::numeric_limits<double>::quiet_NaN();
  Interval interval;      ///< known with at least 3 paired rounds
  std::size_t pairs = 0;  ///< number of rounds that both series contain
  Pairing pairing = Pairing::none;

  [[nodiscard]] bool is_known() const { return value == value; }
};

/// `above` divided by `below`: the median ratio over all (session, round) pairs that both contain. If they share no round, the
/// median ratio of session medians over shared sessions; if they share no session, the ratio of the overall medians. NaN if a
/// series is empty.
Ratio paired_ratio(const Series& above, const Series& below);

/// The median of all values in the series.
double median(const Series& series);

/// Whether the rounds cannot tell which of the two is faster: the interval of their ratio (faster over slower) includes 1, or
/// the ratio exceeds 1 by no more than the noise floor (NaN: unknown). False if the interval is unknown.
bool is_tie(const Ratio& ratio, double floor);

/// The noise floor, from runs of a rung against itself: the larger distance of the ratio's interval ends from 1, e.g. 0.012.
/// NaN if the interval is unknown.
double noise_floor(const Ratio& against_itself);

/// The verdict on a ratio of speeds.
enum class Verdict { faster, slower, same, unresolved };
[[nodiscard]] std::string to_string(Verdict verdict);

/// Ratios this close to 1 count as equal.
constexpr double resolution = 0.02;

/// Rounds required for a verdict; with fewer, the bootstrap interval is too narrow to be trusted.
constexpr std::size_t verdict_rounds = 6;

/// `faster` or `slower` if the interval excludes 1 and the median differs from 1 by more than the noise floor; `same` if the
/// interval is within the resolution and the noise floor does not exceed it. Otherwise `unresolved`, as well as with fewer than
/// verdict_rounds paired rounds or an unknown floor (NaN).
Verdict verdict(const Ratio& ratio, double floor);

/// " [1.70, 1.75]"; empty if the interval is unknown.
std::string interval_text(const Interval& interval, int digits = 3);

/// The verdict in words. If unresolved, includes the reason: `unresolved: 3 rounds` or, if the interval excludes 1,
/// `unresolved: noise 29.1 %`.
std::string verdict_text(const Ratio& ratio, double floor);

}  // namespace ladder
