#include "reports/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/format.hpp"
#include "roofline/model/number.hpp"

namespace ladder::reports {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double same_size = 1.5;  ///< working sets that differ by a larger factor count as different sizes

Ceiling make_ceiling(const Cell& cell) {
  Ceiling ceiling{&cell, cell.row->backend, last_part(cell.row->rung), "", 0};
  const auto tuning = parse_tuning(cell.row->tuning);
  if (const auto store = tuning.find("store"); store != tuning.end()) ceiling.store = store->second;
  if (const std::string& name = cell.row->case_name; name.starts_with("ws-")) {
    double bytes = 0;
    std::from_chars(name.data() + 3, name.data() + name.size(), bytes);
    if (bytes >= 1 && bytes < 1e18) ceiling.bytes = bytes;
  }
  // These kinds choose their own working set, or have none.
  if (ceiling.is_on_chip()) ceiling.bytes = cell.row->footprint_bytes;
  if (!(cell.row->bytes_per_update_model > 0)) ceiling.bytes = 0;
  return ceiling;
}

/// Whether a working set is too large for the caches to matter.
bool is_beyond(const std::vector<CacheLevel>& caches, double bytes) {
  double largest = 0;
  for (const CacheLevel& cache : caches)
    largest = std::max(largest, cache.total());
  return bytes >= 4 * largest;
}

/// Whether memory treats working sets of these two sizes alike: they fit into the same level and have similar sizes, or both
/// far exceed the caches.
bool are_alike(double a, double b, const std::vector<CacheLevel>& caches) {
  if (residency(a, caches) != residency(b, caches)) return false;
  const double smaller = std::min(a, b);
  return std::max(a, b) <= same_size * smaller || (!caches.empty() && is_beyond(caches, smaller));
}

/// Keeps only those measured in a session of `peer`, if there are any.
void prefer_sessions_of(const Cell* peer, std::vector<Ceiling>& ceilings) {
  if (peer == nullptr) return;
  const auto is_of_another = [&](const Ceiling& c) { return !share_session(*c.cell, *peer); };
  if (!std::ranges::all_of(ceilings, is_of_another)) std::erase_if(ceilings, is_of_another);
}

std::optional<Ceiling> highest(const std::vector<Ceiling>& ceilings) {
  const auto found = std::ranges::max_element(ceilings, {}, [](const Ceiling& c) { return c.cell->median; });
  return found == ceilings.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

double Ceiling::bandwidth() const {
  const double bytes_per_element = cell->row->bytes_per_update_model;
  return bytes_per_element > 0 ? bytes_per_element * cell->median : nan;
}

double Ceiling::flops() const {
  const bool moves_bytes = cell->row->bytes_per_update_model > 0;
  return !moves_bytes && cell->row->flops_per_update > 0 ? cell->row->flops_per_update * cell->median : nan;
}

double Ceiling::latency() const {
  return cell->row->bytes_per_update_model > 0 || cell->row->flops_per_update > 0 ? nan : 1 / cell->median;
}

bool Ceiling::is_on_chip() const { return name.starts_with("l2-") || name == "shared"; }

Ceilings::Ceilings(const Results& results) : results_(&results) {
  for (const Cell& cell : results.ceilings())
    all_.push_back(make_ceiling(cell));
  for (const Cell& cell : results.earlier_ceilings())
    earlier_.push_back(make_ceiling(cell));
}

bool Ceilings::is_dram_sized(const Ceiling& ceiling) const {
  return is_beyond(results_->caches(*ceiling.cell->row), ceiling.bytes);
}

std::vector<Ceiling> Ceilings::matching(const CeilingQuery& query, const Cell* peer) const {
  std::vector<Ceiling> found;
  // The arithmetic roof is the one for the format in which the rung computes.
  const auto is_of_precision = [&](const Ceiling& c) {
    const std::string& own = c.cell->row->precision;
    return query.precision.empty() || own == query.precision ||
           (c.flops() > 0 && own == arithmetic_of(find_number(query.precision)).name);
  };
  std::ranges::copy_if(all_, std::back_inserter(found), [&](const Ceiling& c) {
    return c.name == query.name && is_of_precision(c) && (query.backend.empty() || c.backend == query.backend) &&
           (!query.workers || c.cell->row->workers() == *query.workers);
  });
  if (peer == nullptr) return found;
  for (Ceiling& latest : found) {
    if (share_session(*latest.cell, *peer)) continue;
    for (const Ceiling& c : earlier_)
      if (are_same_combination(*c.cell, *latest.cell) && share_session(*c.cell, *peer)) latest = c;
  }
  const auto is_near = [&](const Ceiling& c) { return results_->share_memory(*c.cell->row, *peer->row); };
  if (query.backend.empty() && std::ranges::any_of(found, is_near))
    std::erase_if(found, [&](const Ceiling& c) { return !is_near(c); });
  return found;
}

std::optional<Ceiling> Ceilings::dram(const CeilingQuery& query, const Cell* peer) const {
  std::vector<Ceiling> found = matching(query, peer);
  if (std::ranges::any_of(found, [&](const Ceiling& c) { return is_dram_sized(c); })) {
    std::erase_if(found, [&](const Ceiling& c) { return !is_dram_sized(c); });
  } else if (!found.empty()) {
    const double largest = std::ranges::max(found, {}, &Ceiling::bytes).bytes;
    std::erase_if(found, [&](const Ceiling& c) { return c.bytes < largest; });
  }
  prefer_sessions_of(peer, found);
  return highest(found);
}

std::optional<Ceiling> Ceilings::nearest(const CeilingQuery& query, double bytes, const Cell* peer) const {
  std::vector<Ceiling> found = matching(query, peer);
  std::erase_if(found,
                [&](const Ceiling& c) { return c.bytes <= 0 || !are_alike(c.bytes, bytes, results_->caches(*c.cell->row)); });
  if (found.empty()) return std::nullopt;
  prefer_sessions_of(peer, found);
  const auto distance = [&](const Ceiling& c) { return std::abs(std::log(c.bytes / bytes)); };
  const double least = distance(std::ranges::min(found, {}, distance));
  std::erase_if(found, [&](const Ceiling& c) { return distance(c) > least; });
  return highest(found);
}

Fraction Ceilings::fraction(const Cell& cell, const Ceiling& ceiling, double scale) const {
  // The ceiling of several devices is that of one, times their number.
  scale *= static_cast<double>(ceiling.cell->row->devices()) / static_cast<double>(cell.row->devices());
  Fraction result{paired_ratio(cell.updates_per_second, ceiling.cell->updates_per_second), ceiling};
  result.ratio.value *= scale;
  result.ratio.interval.low *= scale;
  result.ratio.interval.high *= scale;
  if (moves_less(cell)) result.most = cell.row->bytes_per_update_minimum / cell.row->dram_bytes_per_update();
  return result;
}

Fraction Ceilings::of_pattern(const Cell& cell, const Ceiling& ceiling) const { return fraction(cell, ceiling, 1); }

std::optional<Fraction> Ceilings::of_dram_copy(const Cell& cell, const std::string& backend) const {
  const auto copy = dram({pattern_copy(cell), cell.row->precision, backend}, &cell);
  return copy ? std::optional(of_pattern(cell, *copy)) : std::nullopt;
}

std::optional<Fraction> Ceilings::of_nearest_copy(const Cell& cell, const std::string& backend) const {
  const auto copy = nearest({pattern_copy(cell), cell.row->precision, backend}, cell.row->footprint_bytes, &cell);
  return copy ? std::optional(of_pattern(cell, *copy)) : std::nullopt;
}

Fraction Ceilings::of_bandwidth(const Cell& cell, const Ceiling& ceiling) const {
  // Ceilings that move no bytes give no fraction.
  const double moved = ceiling.cell->row->bytes_per_update_model;
  return fraction(cell, ceiling, moved > 0 ? cell.row->bytes_per_update_minimum / moved : nan);
}

bool moves_less(const Cell& cell) { return cell.row->dram_bytes_per_update() < cell.row->bytes_per_update_minimum; }

std::string pattern_copy(const Cell& cell) { return fmt::format("copy-{}", cell.row->q); }

}  // namespace ladder::reports
