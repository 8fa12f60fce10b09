#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ladder::reports {

/// The middle value (mean of the two middle ones for an even count); NaN of nothing.
double median(std::vector<double> values);

/// Two ends, NaN if no interval can be given.
struct Interval {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool is_known() const { return low <= high; }
};

/// 95 % percentile bootstrap interval of the median: 2000 resamples drawn with a generator of fixed seed, so that the same rows
/// always give the same interval. Unknown for fewer than 3 values.
Interval bootstrap_median(std::span<const double> values);

/// One measured value with the session and round that pair it with others.
struct Observation {
  std::string session;
  std::int64_t round = 0;
  double value = 0;
};

using Series = std::vector<Observation>;

/// How the values of a ratio belong together, from strong to weak.
enum class Pairing { rounds, sessions, none };

/// One median over another.
struct Ratio {
  double value = std::numeric_limits<double>::quiet_NaN();
  Interval interval;      ///< known from 3 paired rounds on
  std::size_t pairs = 0;  ///< rounds that both series have
  Pairing pairing = Pairing::none;

  [[nodiscard]] bool is_known() const { return value == value; }
};

/// `above` over `below`: the median of the ratios of each (session, round) that both have; where they share no round, of the
/// ratios of medians of each session that both have; where they share no session, the ratio of the medians.
/// NaN if a series is empty.
Ratio paired_ratio(const Series& above, const Series& below);

/// The median of the series' values.
double median(const Series& series);

/// How far apart runs of one thing against itself are: the end of the ratio's interval that is farther from 1, as a distance,
/// e.g. 0.012. NaN if the interval is unknown.
double noise_floor(const Ratio& against_itself);

/// What a ratio of speeds says.
enum class Verdict { faster, slower, same, unresolved };
[[nodiscard]] std::string to_string(Verdict verdict);

/// Ratios this close to 1 are of no interest.
constexpr double resolution = 0.02;

/// Rounds that a verdict takes: of fewer, the bootstrap interval is too narrow to be believed.
constexpr std::size_t verdict_rounds = 6;

/// `faster` and `slower` where the interval excludes 1 and the median is farther from 1 than the noise floor; `same` where the
/// interval lies within the resolution and the noise floor is no wider than that; otherwise, and where fewer than
/// verdict_rounds rounds are paired or the floor is unknown (NaN), `unresolved`.
Verdict verdict(const Ratio& ratio, double floor);

/// The verdict in words; one that is unresolved says what was missing: `unresolved: 3 rounds` or, where the interval excludes
/// 1, `unresolved: noise 29.1 %`.
std::string verdict_text(const Ratio& ratio, double floor);

}  // namespace ladder::reports
