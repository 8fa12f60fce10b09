#include "variants/geometry/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace geometry {
namespace {

/// A triangle's side between points `a` and `b`, with a < b; `direction` is -1 if the triangle traverses it from b to a.
struct Side {
  int a, b, triangle, direction;
};

/// The sides of all triangles, grouped by edge.
std::vector<Side> sides_of(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = triangles[t][i], to = triangles[t][(i + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<int>(t), from < to ? 1 : -1});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& l, const Side& r) { return std::tie(l.a, l.b, l.triangle) < std::tie(r.a, r.b, r.triangle); });
  return sides;
}

/// Calls visit(first, last) for the range of sides of each edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, Visit visit) {
  for (auto first = sides.begin(); first != sides.end();) {
    const auto last = std::find_if(first, sides.end(), [&](const Side& s) { return s.a != first->a || s.b != first->b; });
    visit(first, last);
    first = last;
  }
}

/// Disjoint sets of indices that can be merged.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The smallest index in the set that contains `n`.
  int first(int n) {
    while (parent_[n] != n)
      n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  /// Merges two sets; returns whether they were different.
  bool join(int a, int b) {
    const auto [low, high] = std::minmax({first(a), first(b)});
    parent_[high] = low;
    return low != high;
  }

 private:
  std::vector<int> parent_;
};

/// The part of each triangle; parts are numbered in the order of their first triangles.
std::vector<int> parts_of(const std::vector<Side>& sides, std::size_t triangles) {
  Sets sets(triangles);
  for_each_edge(sides, [&](auto first, auto last) {
    for (auto side = first + 1; side != last; ++side)
      sets.join(first->triangle, side->triangle);
  });
  int parts = 0;
  std::vector<int> number(triangles);
  for (int t = 0; t < static_cast<int>(triangles); ++t)
    number[t] = sets.first(t) == t ? parts++ : number[sets.first(t)];
  return number;
}

/// For each point, the first point with the same coordinates.
std::vector<int> firsts(const std::vector<Point>& points) {
  std::vector<int> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int l, int r) { return std::tie(points[l], l) < std::tie(points[r], r); });
  for (std::size_t n = 0; n < order.size(); ++n)
    first[order[n]] = n > 0 && points[order[n]] == points[order[n - 1]] ? first[order[n - 1]] : order[n];
  return first;
}

/// Removes the triangles that do not stay; returns how many.
std::int64_t keep(std::vector<Triangle>& triangles, const std::vector<char>& stays) {
  std::size_t n = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (stays[t] != 0) triangles[n++] = triangles[t];
  const auto removed = static_cast<std::int64_t>(triangles.size() - n);
  triangles.resize(n);
  return removed;
}

/// Removes duplicate triangles as make_mesh() describes; returns how many.
std::int64_t remove_duplicated(std::vector<Triangle>& triangles) {
  struct Key {
    Triangle sorted;
    int triangle, direction;
  };
  std::vector<Key> keys;
  keys.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Triangle sorted = triangles[t];
    std::sort(sorted.begin(), sorted.end());
    const auto first = std::find(sorted.begin(), sorted.end(), triangles[t][0]) - sorted.begin();
    keys.push_back({sorted, static_cast<int>(t), triangles[t][1] == sorted[(first + 1) % 3] ? 1 : -1});
  }
  std::sort(keys.begin(), keys.end(),
            [](const Key& l, const Key& r) { return std::tie(l.sorted, l.triangle) < std::tie(r.sorted, r.triangle); });
  const auto for_each_group = [&](auto visit) {
    for (auto first = keys.begin(); first != keys.end();) {
      const auto last = std::find_if(first, keys.end(), [&](const Key& k) { return k.sorted != first->sorted; });
      visit(first, last, std::accumulate(first, last, 0, [](int sum, const Key& k) { return sum + k.direction; }));
      first = last;
    }
  };

  const std::vector<int> part = parts_of(sides_of(triangles), triangles.size());
  std::vector<char> only_pairs(triangles.size(), 1);  // indexed by part
  for_each_group([&](auto first, auto, int sum) {
    if (sum != 0) only_pairs[part[first->triangle]] = 0;
  });
  std::vector<char> stays(triangles.size(), 0);
  for_each_group([&](auto first, auto last, int sum) {
    if (sum == 0 && only_pairs[part[first->triangle]] != 0) stays[first->triangle] = 1;
    if (sum != 0) stays[std::find_if(first, last, [&](const Key& k) { return k.direction * sum > 0; })->triangle] = 1;
  });
  return keep(triangles, stays);
}

/// Whether a triangle has an area, for a mesh of this extent.
bool has_area(const std::vector<Point>& points, const Triangle& t, double extent) {
  Point u, v;
  for (std::size_t a = 0; a < 3; ++a) {
    u[a] = (points[t[1]][a] - points[t[0]][a]) / extent;
    v[a] = (points[t[2]][a] - points[t[0]][a]) / extent;
  }
  return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

/// Removes triangles without an area as long as that reduces the number of open edges; returns how many.
std::int64_t remove_flat(std::vector<Triangle>& triangles, const std::vector<char>& flat) {
  const std::vector<Side> sides = sides_of(triangles);
  std::vector<std::array<std::size_t, 3>> edges(triangles.size());  // indices of each triangle's edges
  std::vector<std::size_t> found(triangles.size(), 0), first_side;  // indexed by triangle; indexed by edge
  for_each_edge(sides, [&](auto first, auto last) {
    for (auto side = first; side != last; ++side)
      edges[side->triangle][found[side->triangle]++] = first_side.size();
    first_side.push_back(static_cast<std::size_t>(first - sides.begin()));
  });
  first_side.push_back(sides.size());
  std::vector<char> is_open;
  for (std::size_t e = 0; e + 1 < first_side.size(); ++e)
    is_open.push_back(static_cast<char>((first_side[e + 1] - first_side[e]) % 2));

  // Edges to look at again are queued once, however many of their triangles are removed in the meantime.
  std::vector<char> stays(triangles.size(), 1), is_queued(is_open.size(), 0);
  std::vector<std::size_t> to_do;
  const auto visit = [&](std::size_t t) {
    if (flat[t] == 0 || stays[t] == 0 || is_open[edges[t][0]] + is_open[edges[t][1]] + is_open[edges[t][2]] < 2) return;
    stays[t] = 0;
    for (const std::size_t e : edges[t]) {
      is_open[e] ^= 1;
      if (is_open[e] != 0 && std::exchange(is_queued[e], 1) == 0) to_do.push_back(e);
    }
  };
  for (std::size_t t = 0; t < triangles.size(); ++t)
    visit(t);
  while (!to_do.empty()) {
    const std::size_t e = to_do.back();
    to_do.pop_back();
    is_queued[e] = 0;
    for (std::size_t side = first_side[e]; is_open[e] != 0 && side < first_side[e + 1]; ++side)
      visit(static_cast<std::size_t>(sides[side].triangle));
  }
  return keep(triangles, stays);
}

/// Keeps only the points that triangles use, and computes the bounding box.
void take_points(Mesh& mesh, const std::vector<Point>& points) {
  std::vector<int> number(points.size(), -1);
  for (Triangle& t : mesh.triangles)
    for (int& p : t) {
      if (number[p] < 0) {
        number[p] = static_cast<int>(mesh.points.size());
        mesh.points.push_back(points[p]);
      }
      p = number[p];
    }
  mesh.lower = mesh.upper = mesh.points[0];
  for (const Point& p : mesh.points)
    for (std::size_t a = 0; a < 3; ++a) {
      mesh.lower[a] = std::min(mesh.lower[a], p[a]);
      mesh.upper[a] = std::max(mesh.upper[a], p[a]);
    }
}

double extent_of(const std::vector<Point>& points, const std::vector<Triangle>& triangles) {
  double extent = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    double lower = points[triangles[0][0]][a], upper = lower;
    for (const Triangle& t : triangles)
      for (const int p : t) {
        lower = std::min(lower, points[p][a]);
        upper = std::max(upper, points[p][a]);
      }
    extent = std::max(extent, upper - lower);
  }
  return extent;
}

/// Counts edges, and determines the parts and how they enclose a volume.
void find_parts(Mesh& mesh) {
  const std::vector<Side> sides = sides_of(mesh.triangles);
  mesh.part_of = parts_of(sides, mesh.triangles.size());
  mesh.parts.assign(static_cast<std::size_t>(*std::max_element(mesh.part_of.begin(), mesh.part_of.end())) + 1,
                    Closure::oriented);
  Sets borders(mesh.points.size());
  std::vector<char> is_open(mesh.points.size(), 0);
  for_each_edge(sides, [&](auto first, auto last) {
    Closure& part = mesh.parts[mesh.part_of[first->triangle]];
    const auto n = last - first;
    const int sum = std::accumulate(first, last, 0, [](int s, const Side& side) { return s + side.direction; });
    if (n > 2) ++mesh.report.non_manifold_edges;
    if (n % 2 != 0) {
      ++mesh.report.open_edges;
      for (const int p : {first->a, first->b})
        if (std::exchange(is_open[p], 1) == 0) ++mesh.report.holes;
      if (borders.join(first->a, first->b)) --mesh.report.holes;
      part = Closure::open;
    } else if (sum != 0) {
      ++mesh.report.mixed_edges;
      if (part == Closure::oriented) part = Closure::mixed;
    }
  });
}

}  // namespace

Mesh make_mesh(const std::string& name, const std::vector<Point>& points, const std::vector<Triangle>& triangles) {
  Mesh mesh;
  Report& report = mesh.report;
  report.points = static_cast<std::int64_t>(points.size());
  report.faces = static_cast<std::int64_t>(triangles.size());
  const auto refuse = [&] {
    throw ladder::InputError(
        fmt::format("{}: none of its {} triangles has an area; accepted: a surface", name, triangles.size()));
  };

  const std::vector<int> first = firsts(points);
  for (std::size_t p = 0; p < first.size(); ++p)
    report.merged += first[p] != static_cast<int>(p) ? 1 : 0;
  for (const Triangle& t : triangles) {
    const Triangle merged = {first[t[0]], first[t[1]], first[t[2]]};
    if (merged[0] == merged[1] || merged[1] == merged[2] || merged[2] == merged[0])
      ++report.degenerate;
    else
      mesh.triangles.push_back(merged);
  }
  if (mesh.triangles.empty()) refuse();
  report.duplicated = remove_duplicated(mesh.triangles);

  const double extent = extent_of(points, mesh.triangles);
  std::vector<char> flat;
  for (const Triangle& t : mesh.triangles)
    flat.push_back(has_area(points, t, extent) ? 0 : 1);
  const auto flats = std::count(flat.begin(), flat.end(), 1);
  if (flats == static_cast<std::ptrdiff_t>(flat.size())) refuse();
  if (flats > 0) report.degenerate += remove_flat(mesh.triangles, flat);
  take_points(mesh, points);
  find_parts(mesh);
  return mesh;
}

std::string Mesh::text() const {
  const auto some = [](std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string out =
      fmt::format("{} in {} {}", some(static_cast<std::int64_t>(triangles.size()), "triangle"),
                  parts.size() == 1 ? (report.closed() ? "a closed" : "an open") : (report.closed() ? "closed" : "open"),
                  parts.size() == 1 ? "surface" : fmt::format("surfaces ({} parts)", parts.size()));
  const auto add = [&](std::int64_t n, std::string_view what, std::string_view rest) {
    if (n > 0) out += fmt::format("; {}{}", some(n, what), rest);
  };
  add(report.open_edges, "edge", fmt::format(" with an odd number of triangles ({})", some(report.holes, "border")));
  add(report.mixed_edges, "edge", " whose triangles disagree about the outer side");
  add(report.non_manifold_edges, "edge", " with more than two triangles");
  add(report.degenerate, "degenerate triangle", " removed");
  add(report.duplicated, "duplicated triangle", " removed");
  add(report.merged, "repeated point", " merged");
  return out;
}

}  // namespace geometry
