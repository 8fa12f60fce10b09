#include "harness/run/search.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace ladder {
namespace {

/// The distinct values of each tunable, ascending.
std::vector<std::vector<int>> values_of(const std::vector<Point>& points) {
  if (points.empty()) return {};
  std::vector<std::vector<int>> values;
  for (std::size_t t = 0; t < points.front().size(); ++t) {
    std::set<int> all;
    for (const Point& point : points)
      all.insert(point[t]);
    values.emplace_back(all.begin(), all.end());
  }
  return values;
}

/// The points in the order in which to try them: the initial point, then all others in random order.
std::vector<Point> shuffled(const Space& space, const SearchOptions& options) {
  std::vector<Point> points = space.legal;
  std::sort(points.begin(), points.end());
  std::mt19937_64 random(options.seed);
  std::shuffle(points.begin(), points.end(), random);
  std::stable_partition(points.begin(), points.end(), [&](const Point& p) { return p == options.initial; });
  return points;
}

class Search {
 public:
  Search(const Space& space, const SearchOptions& options, const Measure& measure)
      : space_(space), options_(options), measure_(measure), order_(shuffled(space, options)) {}

  SearchResult run() {
    next_batch();
    while (next_ < order_.size() && result_.fastest(1).empty() && options_.has_time())
      next_batch();
    const std::size_t rest = order_.size() - next_;
    if (order_.size() <= options_.small || rest == 0 || options_.affords(rest))
      search_whole();
    else
      climb();
    return std::move(result_);
  }

 private:
  void measure(const std::vector<Point>& points) {
    if (points.empty()) return;
    const std::vector<double> speeds = measure_(points);
    for (std::size_t i = 0; i < points.size(); ++i)
      result_.speeds[points[i]] = speeds.at(i);
  }

  void next_batch() {
    const std::size_t end = std::min(next_ + options_.batch, order_.size());
    measure({order_.begin() + static_cast<std::ptrdiff_t>(next_), order_.begin() + static_cast<std::ptrdiff_t>(end)});
    next_ = end;
  }

  void search_whole() {
    while (next_ < order_.size() && options_.has_time())
      next_batch();
    result_.end = next_ < order_.size() ? SearchResult::End::no_time : SearchResult::End::whole;
  }

  void climb() {
    result_.end = SearchResult::End::no_time;
    for (const Point& start : result_.fastest(options_.climbs))
      if (!climb_from(start)) return;
    result_.end = SearchResult::End::no_better_neighbour;
  }

  /// Returns whether there was enough time to finish.
  bool climb_from(Point at) {
    while (options_.has_time()) {
      const auto around = neighbours(space_, at);
      std::vector<Point> unknown;
      std::copy_if(around.begin(), around.end(), std::back_inserter(unknown),
                   [&](const Point& p) { return !result_.speeds.contains(p); });
      measure(unknown);
      const auto speed = [&](const Point& p) { return result_.speeds.at(p); };
      const auto best =
          std::max_element(around.begin(), around.end(), [&](const Point& a, const Point& b) { return speed(a) < speed(b); });
      if (best == around.end() || speed(*best) <= speed(at)) return true;
      at = *best;
    }
    return false;
  }

  const Space& space_;
  const SearchOptions& options_;
  const Measure& measure_;
  const std::vector<Point> order_;
  std::size_t next_ = 0;  ///< index in order_ of the next point to try at random
  SearchResult result_;
};

}  // namespace

std::vector<Point> neighbours(const Space& space, const Point& point) {
  const auto values = values_of(space.legal);
  const std::set<Point> legal(space.legal.begin(), space.legal.end());
  std::vector<Point> found;
  for (std::size_t t = 0; t < point.size(); ++t) {
    const auto here = std::lower_bound(values[t].begin(), values[t].end(), point[t]) - values[t].begin();
    Point other = point;
    for (const auto next : {here - 1, here + 1}) {
      if (next < 0 || next >= std::ssize(values[t])) continue;
      other[t] = values[t][static_cast<std::size_t>(next)];
      if (legal.contains(other)) found.push_back(other);
    }
  }
  return found;
}

std::vector<std::vector<std::vector<int>>> products(std::vector<Point> points) {
  if (points.empty()) return {};
  std::sort(points.begin(), points.end());
  const auto values = values_of(points);
  std::size_t size = 1;
  for (const auto& list : values)
    size *= list.size();
  if (size == points.size()) return {values};
  // Groups the values of the first tunable by the points of the other tunables with which they occur.
  std::map<int, std::vector<Point>> slices;
  for (const Point& point : points)
    slices[point[0]].emplace_back(point.begin() + 1, point.end());
  std::map<std::vector<Point>, std::vector<int>> alike;
  for (const auto& [value, slice] : slices)
    alike[slice].push_back(value);
  std::vector<std::vector<std::vector<int>>> all;
  for (const auto& [slice, firsts] : alike)
    for (auto& product : products(slice)) {
      product.insert(product.begin(), firsts);
      all.push_back(std::move(product));
    }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Point> SearchResult::fastest(std::size_t count) const {
  std::vector<Point> points;
  for (const auto& [point, speed] : speeds)
    if (speed > 0) points.push_back(point);
  std::stable_sort(points.begin(), points.end(), [&](const Point& a, const Point& b) { return speeds.at(a) > speeds.at(b); });
  points.resize(std::min(count, points.size()));
  return points;
}

SearchResult search(const Space& space, const SearchOptions& options, const Measure& measure) {
  return Search(space, options, measure).run();
}

}  // namespace ladder
