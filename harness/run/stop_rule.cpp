#include "harness/run/stop_rule.hpp"

#include <cmath>
#include <limits>

namespace ladder {

void StopRule::add(const Row& row) {
  if (row.outcome != "ok" || (row.kind != "sample" && row.kind != "twin")) return;
  Cell& cell = cells_[row.key];
  cell.noise = {row.backend, row.case_name};
  (row.kind == "sample" ? cell.samples : cell.twins).push_back({"", row.round, row.updates_per_second});
}

bool StopRule::looks_after(int rounds) {
  int look = static_cast<int>(verdict_rounds);
  while (look < rounds)
    look += (look + 1) / 2;
  return look == rounds;
}

double StopRule::floor(const NoiseSource& source) const {
  double largest = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [key, cell] : cells_) {
    if (cell.noise != source || cell.twins.empty()) continue;
    const double floor = noise_floor(paired_ratio(cell.samples, cell.twins));
    if (!(floor <= largest)) largest = floor;
  }
  return largest;
}

bool StopRule::could_be_resolved(const Ratio& ratio, double floor, int rounds) const {
  if (!ratio.interval.is_known()) return true;
  if (std::isnan(floor)) return false;  // no twin
  // Intervals narrow with the square root of the number of rounds, and so does the noise floor's interval.
  const double narrowed = std::sqrt(static_cast<double>(ratio.pairs) / rounds);
  const double noise = floor * narrowed;
  const double half_width = (ratio.interval.high - ratio.interval.low) / 2 * narrowed;
  const double distance = std::abs(ratio.value - 1);
  return (distance > half_width && distance > noise) || (noise <= resolution && distance + half_width <= resolution);
}

StopRule::Judgement StopRule::judge() const {
  if (pairs_.empty()) return {};
  Judgement judgement{.reason = Reason::resolved};
  bool hope = false;
  for (const Pair& pair : pairs_) {
    const auto cell = cells_.find(pair.cell);
    const auto over = cells_.find(pair.over);
    if (cell == cells_.end() || over == cells_.end()) continue;
    const auto ratio = paired_ratio(cell->second.samples, over->second.samples);
    const double noise = floor(pair.noise);
    if (verdict(ratio, noise) != Verdict::unresolved) continue;
    ++judgement.unresolved;
    if (could_be_resolved(ratio, noise, pair.rounds)) hope = true;
  }
  if (judgement.unresolved > 0) judgement.reason = hope ? Reason::none : Reason::noise;
  return judgement;
}

}  // namespace ladder
