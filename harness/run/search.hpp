#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "harness/record/answers.hpp"

/// The search over a rung's tunings. It decides which tunings to measure, and in what order, but does not measure them.
namespace ladder {

/// The legal points that differ from `point` in one tunable, which takes its next higher or lower value.
std::vector<Point> neighbours(const Space& space, const Point& point);

/// The points as a few products of lists: `{{1, 2}, {8, 16}}` stands for four points.
std::vector<std::vector<std::vector<int>>> products(std::vector<Point> points);

struct SearchOptions {
  Point initial;           ///< measured first
  std::uint64_t seed = 1;  ///< of the random start
  std::size_t batch = 16;  ///< points that are measured together
  std::size_t small = 64;  ///< spaces up to this size are searched completely
  std::size_t climbs = 3;  ///< number of fastest random points to climb from
  /// Whether there is time left.
  std::function<bool()> has_time = [] { return true; };
  /// Whether the time left is likely to suffice for this many more points.
  std::function<bool(std::size_t)> affords = [](std::size_t) { return false; };
};

struct SearchResult {
  enum class End { whole, no_better_neighbour, no_time };
  End end = End::whole;
  std::map<Point, double> speeds;  ///< of all measured points; 0 if a point has no speed

  /// The `count` fastest points that have a speed, fastest first.
  [[nodiscard]] std::vector<Point> fastest(std::size_t count) const;
};

/// Measures points and returns their speeds, 0 for a point that is wrong or cannot run.
using Measure = std::function<std::vector<double>(const std::vector<Point>&)>;

/// Starts with the initial point and random others. Then measures all points if the space is small or there is time for all;
/// otherwise moves from each of the fastest few points to its fastest neighbour, repeatedly, until no neighbour is faster.
/// Stops early, between two batches, if no time is left.
SearchResult search(const Space& space, const SearchOptions& options, const Measure& measure);

}  // namespace ladder
