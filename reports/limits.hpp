#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sections/common.hpp"

/// What limits a rung: upper bounds of its rate from measured ceilings and from the rung's own rows (docs/reports.md,
/// "limits").
namespace ladder::reports {

/// An upper bound of a cell's rate.
struct Limit {
  std::string_view name;            ///< one of `limit_names`
  double rate = unknown;            ///< updates per second; NaN if it was not measured
  const Cell* cell = nullptr;       ///< the ceiling, or the rung's own cell, that it comes from
  std::string title = {};           ///< `the bandwidth of L2`
  std::string how = {};             ///< describes `cell`
  std::string_view raised_by = {};  ///< what would raise this limit
};

/// Bandwidth of the memory level that holds the lattice, at the traffic that the rung declares; the rung's own rate with the
/// lattice in a closer cache; arithmetic; the time of the rung's own shortest step.
inline constexpr std::array<std::string_view, 4> limit_names = {"bandwidth", "in cache", "arithmetic", "short steps"};

/// A limit explains the rate of a rung that reaches at least this fraction of it.
inline constexpr double limiting = 0.7;

/// The limits of a cell, in the order of `limit_names`.
std::vector<Limit> limits_of(const Cell& cell, const Context& context);

/// "33,400 from the bandwidth of DRAM, copy-9 (cuda, 2.25 GiB, f32)", in MLUPS.
std::string limit_text(const Limit& limit);

/// The lowest known limit; null if none is known.
const Limit* lowest(std::span<const Limit> limits);

/// The rate that the limits predict, in updates per second: a step takes as long as the shortest one, plus the time that the
/// lowest of the other limits allows its cells. NaN unless the shortest step and another limit are known.
double predicted_rate(const std::vector<Limit>& limits);

/// What to try next and the most that it could bring: "fewer bytes per update: at most 1.45×, then arithmetic limits it".
std::string advice(const Cell& cell, const std::vector<Limit>& limits);

}  // namespace ladder::reports
