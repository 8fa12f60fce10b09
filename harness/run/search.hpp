#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "harness/record/answers.hpp"

/// Searches a rung's tunings. This code decides which tunings to measure and in what order, but does not measure them.
namespace ladder {

/// The legal points that differ from `point` by one step, up or down, in the value of one tunable.
std::vector<Point> neighbours(const Space& space, const Point& point);

/// Combines the points into a few products of lists: `{{1, 2}, {8, 16}}` stands for four points.
std::vector<std::vector<std::vector<int>>> products(std::vector<Point> points);

struct SearchOptions {
  Point initial;           ///< measured first
  std::uint64_t seed = 1;  ///< of the random start
  std::size_t batch = 16;  ///< points to measure together
  std::size_t small = 64;  ///< spaces up to this size are searched completely
  std::size_t climbs = 3;  ///< number of climbs, from the fastest random points
  /// Whether there is time left.
  std::function<bool()> has_time = [] { return true; };
  /// Whether the remaining time is likely to suffice for this many more points.
  std::function<bool(std::size_t)> affords = [](std::size_t) { return false; };
};

struct SearchResult {
  enum class End { whole, no_better_neighbour, no_time };
  End end = End::whole;
  std::map<Point, double> speeds;  ///< of all measured points; 0 if unknown

  /// The `count` fastest points with a known speed, fastest first.
  [[nodiscard]] std::vector<Point> fastest(std::size_t count) const;
};

/// Measures points and returns their speeds, 0 for a point that is wrong or cannot run.
using Measure = std::function<std::vector<double>(const std::vector<Point>&)>;

/// Starts with the initial point and random others. Then measures all points if the space is small or time permits. Otherwise
/// climbs from each of the fastest few points: moves repeatedly to the fastest neighbour until none is faster. Stops early,
/// between two batches, if time runs out.
SearchResult search(const Space& space, const SearchOptions& options, const Measure& measure);

}  // namespace ladder
