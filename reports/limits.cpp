#include "reports/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The level that holds a cell's lattice: main memory if no cache does or the caches are unknown.
struct Level {
  int distance = std::numeric_limits<int>::max();  ///< 1: the closest cache
  std::string name = "DRAM";
  double bytes = 0;  ///< capacity of a cache, counting those of all threads in use
};

Level level_of(const Cell& cell, const Context& context) {
  const std::vector<CacheLevel>& stored = context.results.caches(*cell.row);
  const std::vector<Cache> caches = model_of(stored);
  const bool is_processor = &stored == &context.results.caches();
  const int threads = is_processor ? static_cast<int>(cell.row->workers()) : 0;
  const int level = ladder::residency(cell.row->footprint_bytes, caches, threads);
  if (level == main_memory) return {};
  return {level, residency_name(level), capacity(caches, level, threads)};
}

bool is_same_program(const Cell& a, const Cell& b) {
  const Row &x = *a.row, &y = *b.row;
  return x.rung == y.rung && x.build == y.build && x.precision == y.precision && x.tuning == y.tuning &&
         x.placement == y.placement && x.workers() == y.workers();
}

/// Calls find(query) for a ceiling with as many threads as the cell and, if there is none, for any.
template <class Find>
std::optional<Ceiling> with_threads_of(const Cell& cell, const std::string& name, Find find) {
  const auto same = find(CeilingQuery{name, cell.row->precision, "", cell.row->workers()});
  return same ? same : find(CeilingQuery{name, cell.row->precision, ""});
}

Limit of_bandwidth(const Cell& cell, const Context& context) {
  Limit limit{limit_names[0]};
  limit.raised_by = "fewer bytes per update";
  const Level level = level_of(cell, context);
  const auto copy = with_threads_of(cell, pattern_copy(cell), [&](const CeilingQuery& query) {
    return level.bytes > 0 ? context.ceilings.nearest(query, cell.row->footprint_bytes, &cell)
                           : context.ceilings.dram(query, &cell);
  });
  if (!copy) return limit;
  const double copies_per_second = cell.median / context.ceilings.of_pattern(cell, *copy).ratio.value;
  limit.rate = copies_per_second * cell.row->bytes_per_update_minimum / cell.row->dram_bytes_per_update();
  limit.cell = copy->cell;
  limit.title = "the bandwidth of " + level.name;
  limit.how = describe(*copy);
  return limit;
}

Limit of_arithmetic(const Cell& cell, const Context& context) {
  Limit limit{limit_names[2]};
  limit.raised_by = "fewer operations per update";
  const auto fma = with_threads_of(cell, "fma", [&](const CeilingQuery& query) { return context.ceilings.dram(query, &cell); });
  if (!fma || !(cell.row->flops_per_update > 0)) return limit;
  const double devices = static_cast<double>(cell.row->devices()) / static_cast<double>(fma->cell->row->devices());
  limit.rate = fma->flops() * devices / cell.row->flops_per_update;
  limit.cell = fma->cell;
  limit.title = "arithmetic";
  limit.how = describe(*fma);
  return limit;
}

/// A step takes at least as long as one of the same program on a lattice with at most a quarter of the cells. Little else than
/// launches, barriers and latencies takes time there.
Limit of_short_steps(const Cell& cell, const Context& context) {
  Limit limit{limit_names[3]};
  limit.raised_by = "fewer launches or barriers";
  for (const Cell& other : context.results.cells()) {
    if (!is_same_program(other, cell) || 4 * other.row->cells > cell.row->cells) continue;
    const double rate = 1e6 * static_cast<double>(cell.row->cells) / other.microseconds_per_step();
    if (rate <= limit.rate) continue;
    limit.rate = rate;
    limit.cell = &other;
    limit.title = "its shortest step";
    limit.how = fmt::format("{} µs per step on {}", significant(other.microseconds_per_step()), other.row->case_name);
  }
  return limit;
}

/// The rate of the same program, with the same tuning, on a lattice in a closer cache. The lattice must fill at least a quarter
/// of the cache, and its steps must take at least four times as long as the shortest one, so that launches and barriers take
/// little of their time.
Limit of_closer_cache(const Cell& cell, const Context& context) {
  Limit limit{limit_names[1]};
  limit.raised_by = "fewer instructions per update";
  const Level own = level_of(cell, context);
  for (const Cell& other : context.results.cells()) {
    if (!is_same_program(other, cell)) continue;
    const Level level = level_of(other, context);
    if (level.distance >= own.distance || other.row->footprint_bytes < 0.25 * level.bytes) continue;
    const Limit shortest = of_short_steps(other, context);
    if (shortest.cell == nullptr || other.median > 0.25 * shortest.rate) continue;
    if (limit.cell != nullptr && other.median <= limit.rate) continue;
    limit.rate = other.median;
    limit.cell = &other;
    limit.title = "its rate in " + level.name;
    limit.how = other.row->case_name;
  }
  return limit;
}

}  // namespace

std::vector<Limit> limits_of(const Cell& cell, const Context& context) {
  return {of_bandwidth(cell, context), of_closer_cache(cell, context), of_arithmetic(cell, context),
          of_short_steps(cell, context)};
}

std::string limit_text(const Limit& limit) {
  return fmt::format("{} from {}, {}", significant(limit.rate / 1e6), limit.title, limit.how);
}

const Limit* lowest(std::span<const Limit> limits) {
  const Limit* least = nullptr;
  for (const Limit& limit : limits)
    if (!std::isnan(limit.rate) && (least == nullptr || limit.rate < least->rate)) least = &limit;
  return least;
}

double predicted_rate(const std::vector<Limit>& limits) {
  const Limit* least = lowest(std::span(limits).first(limits.size() - 1));
  return least == nullptr ? unknown : 1 / (1 / limits.back().rate + 1 / least->rate);
}

std::string advice(const Cell& cell, const std::vector<Limit>& limits) {
  const Limit* least = lowest(limits);
  if (least == nullptr) return "";
  if (cell.median < limiting * least->rate)
    return fmt::format("find what else limits it: at most {}, then {} limits it", times(least->rate / cell.median),
                       least->title);
  std::vector<Limit> others = limits;
  std::erase_if(others, [&](const Limit& limit) { return limit.name == least->name; });
  const Limit* next = lowest(others);
  return next == nullptr
             ? std::string(least->raised_by)
             : fmt::format("{}: at most {}, then {} limits it", least->raised_by, times(next->rate / cell.median), next->title);
}

}  // namespace ladder::reports
