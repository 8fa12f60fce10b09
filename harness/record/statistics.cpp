#include "harness/record/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "base/format.hpp"

namespace ladder {
namespace {

constexpr std::uint64_t bootstrap_seed = 20180117;
constexpr std::size_t resamples = 2000;

constexpr std::size_t fewest_for_groups = 6;
constexpr double few_apart = 1.2;        ///< ratio of the highest value to the lowest
constexpr double groups_apart = 0.05;    ///< minimum relative distance between two groups
constexpr double groups_deviations = 6;  ///< minimum distance between two groups, in standard deviations within them
constexpr double sessions_apart = 0.10;  ///< minimum relative distance between two sessions' intervals

/// Median of each group; `group` assigns observations to groups.
template <class Group>
auto medians_by(const Series& series, Group group) {
  std::map<decltype(group(series.front())), std::vector<double>> values;
  for (const Observation& o : series)
    values[group(o)].push_back(o.value);
  std::map<decltype(group(series.front())), double> medians;
  for (auto& [key, of_key] : values)
    medians[key] = median(std::move(of_key));
  return medians;
}

/// Ratios of medians for groups that occur in both series.
template <class Group>
std::vector<double> ratios_by(const Series& above, const Series& below, Group group) {
  const auto denominators = medians_by(below, group);
  std::vector<double> ratios;
  for (const auto& [key, numerator] : medians_by(above, group))
    if (const auto found = denominators.find(key); found != denominators.end()) ratios.push_back(numerator / found->second);
  return ratios;
}

/// A split of sorted values after the first `low`: the distance between the groups' means, and the sum of squares within the
/// groups.
struct Split {
  std::size_t low = 0;
  double distance = 0;
  double squares = std::numeric_limits<double>::infinity();
};

Split split_after(std::span<const double> sorted, std::size_t low) {
  const auto mean = [](std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
  };
  const auto squares = [](std::span<const double> part, double around) {
    const auto add = [&](double sum, double v) { return sum + (v - around) * (v - around); };
    return std::accumulate(part.begin(), part.end(), 0.0, add);
  };
  const double below = mean(sorted.first(low));
  const double above = mean(sorted.subspan(low));
  return {low, above - below, squares(sorted.first(low), below) + squares(sorted.subspan(low), above)};
}

/// Indices of all resamples of `count` values. Drawing them takes longer than computing the medians, so they are cached for
/// small counts.
const std::vector<std::uint32_t>& resampled_indices(std::size_t count) {
  constexpr std::size_t small = 32;
  thread_local std::array<std::vector<std::uint32_t>, small + 1>
      known;  // indexed by count; entry 0 is reused for all large counts
  std::vector<std::uint32_t>& indices = known[count <= small ? count : 0];
  if (count <= small && !indices.empty()) return indices;
  std::mt19937_64 generator(bootstrap_seed);
  indices.resize(resamples * count);
  // Uses a modulo because the result of std::uniform_int_distribution may differ between standard libraries.
  for (std::uint32_t& index : indices)
    index = static_cast<std::uint32_t>(generator() % count);
  return indices;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double median(const Series& series) {
  std::vector<double> values(series.size());
  std::ranges::transform(series, values.begin(), &Observation::value);
  return median(std::move(values));
}

Interval bootstrap_median(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 3) return {};
  std::vector<std::size_t> by_value(count), rank(count), drawn(count);
  std::iota(by_value.begin(), by_value.end(), std::size_t{0});
  std::ranges::sort(by_value, {}, [&](std::size_t i) { return values[i]; });
  for (std::size_t k = 0; k < count; ++k)
    rank[by_value[k]] = k;

  const std::vector<std::uint32_t>& indices = resampled_indices(count);
  std::vector<double> medians(resamples);
  for (std::size_t sample = 0; sample < resamples; ++sample) {
    std::ranges::fill(drawn, 0);  // how often the value of each rank is drawn
    for (std::size_t k = 0; k < count; ++k)
      ++drawn[rank[indices[sample * count + k]]];
    std::size_t at = 0, seen = drawn[0];
    const auto value_of = [&](std::size_t place) {
      while (seen <= place)
        seen += drawn[++at];
      return values[by_value[at]];
    };
    const double lower = value_of((count - 1) / 2);
    medians[sample] = (lower + value_of(count / 2)) / 2;
  }
  const auto quantile = [&](std::size_t place) {
    const auto found = medians.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(medians, found);
    return *found;
  };
  return {quantile(resamples * 25 / 1000), quantile(resamples * 975 / 1000 - 1)};
}

std::optional<Spread> spread_of_few(const std::vector<double>& values) {
  if (values.size() < 2 || values.size() >= fewest_for_groups) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  return high > few_apart * low ? std::optional(Spread{low, high}) : std::nullopt;
}

std::optional<TwoGroups> two_groups(std::vector<double> values) {
  const std::size_t all = values.size();
  if (all < fewest_for_groups) return std::nullopt;
  std::ranges::sort(values);
  std::vector<double> logs(all);
  std::ranges::transform(values, logs.begin(), [](double v) { return std::log(v); });
  const std::size_t least = std::max<std::size_t>(2, (all + 4) / 5);
  Split best;
  for (std::size_t low = least; low + least <= all; ++low) {
    const Split split = split_after(logs, low);
    if (split.squares < best.squares) best = split;
  }
  const double deviation = std::sqrt(best.squares / static_cast<double>(all - 2));
  if (!(best.distance > std::log1p(groups_apart) && best.distance > groups_deviations * deviation)) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(best.low);
  return TwoGroups{median(std::vector(values.begin(), middle)), median(std::vector(middle, values.end())), best.low,
                   all - best.low};
}

std::optional<Disagreement> disagreement(const Series& series) {
  std::map<std::string, std::vector<double>> sessions;
  for (const Observation& o : series)
    sessions[o.session].push_back(o.value);
  std::erase_if(sessions, [](const auto& s) { return s.second.size() < 2; });
  if (sessions.size() < 2) return std::nullopt;
  const auto of = [](const auto& session) { return median(session.second); };
  const auto [slow, fast] = std::ranges::minmax_element(sessions, {}, of);
  if (!(of(*fast) > (1 + sessions_apart) * of(*slow))) return std::nullopt;  // avoid computing the intervals
  const auto interval = [](const std::vector<double>& values) {
    const Interval known = bootstrap_median(values);
    if (known.is_known()) return known;
    const auto [low, high] = std::ranges::minmax(values);
    return Interval{low, high};
  };
  if (!(interval(fast->second).low > (1 + sessions_apart) * interval(slow->second).high)) return std::nullopt;
  return Disagreement{slow->first, fast->first, of(*slow), of(*fast)};
}

Ratio paired_ratio(const Series& above, const Series& below) {
  if (above.empty() || below.empty()) return {};
  const std::vector<double> by_round =
      ratios_by(above, below, [](const Observation& o) { return std::pair(o.session, o.round); });
  if (!by_round.empty()) return {median(by_round), bootstrap_median(by_round), by_round.size(), Pairing::rounds};
  const std::vector<double> by_session = ratios_by(above, below, [](const Observation& o) { return o.session; });
  if (!by_session.empty()) return {median(by_session), {}, 0, Pairing::sessions};
  return {median(above) / median(below), {}, 0, Pairing::none};
}

bool is_tie(const Ratio& ratio, double floor) {
  return ratio.interval.is_known() && (ratio.interval.low <= 1 || ratio.value - 1 <= floor);
}

double noise_floor(const Ratio& against_itself) {
  const Interval& i = against_itself.interval;
  if (!i.is_known()) return std::numeric_limits<double>::quiet_NaN();
  return std::max(std::abs(i.low - 1), std::abs(i.high - 1));
}

std::string to_string(Verdict verdict) {
  return verdict == Verdict::faster   ? "faster"
         : verdict == Verdict::slower ? "slower"
         : verdict == Verdict::same   ? "same"
                                      : "unresolved";
}

Verdict verdict(const Ratio& ratio, double floor) {
  const Interval& i = ratio.interval;
  if (!i.is_known() || ratio.pairs < verdict_rounds || std::isnan(floor)) return Verdict::unresolved;
  if (i.low > 1 && ratio.value > 1 + floor) return Verdict::faster;
  if (i.high < 1 && ratio.value < 1 - floor) return Verdict::slower;
  const bool is_same = floor <= resolution && i.low >= 1 - resolution && i.high <= 1 + resolution;
  return is_same ? Verdict::same : Verdict::unresolved;
}

std::string interval_text(const Interval& interval, int digits) {
  if (!interval.is_known()) return "";
  return fmt::format(" [{}, {}]", significant(interval.low, digits), significant(interval.high, digits));
}

std::string verdict_text(const Ratio& ratio, double floor) {
  const Verdict found = verdict(ratio, floor);
  const Interval& i = ratio.interval;
  if (found != Verdict::unresolved || ratio.pairs == 0) return to_string(found);
  if (ratio.pairs < verdict_rounds)
    return fmt::format("{}: {} round{}", to_string(found), ratio.pairs, ratio.pairs == 1 ? "" : "s");
  if (i.low <= 1 && i.high >= 1) return to_string(found);
  if (std::isnan(floor)) return fmt::format("{}: no twin", to_string(found));
  return fmt::format("{}: noise {}", to_string(found), percent(floor));
}

}  // namespace ladder
