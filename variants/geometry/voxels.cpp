#include "variants/geometry/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "base/memory.hpp"
#include "base/parallel.hpp"

namespace geometry {
namespace {

using ladder::Triple;
// Coordinates have up to 37 bits, differences 38, and sums of products of three differences fewer than 120.
__extension__ using Wide = __int128;

constexpr std::int64_t unit = 1 << 16;  ///< length of a cell's side in the unit of coordinates

constexpr int sign(Wide n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }
constexpr int first_sign(int a, int b, int c) { return a != 0 ? a : b != 0 ? b : c; }
constexpr std::int64_t floored(std::int64_t n, std::int64_t d) { return n / d - (n % d < 0 ? 1 : 0); }

/// The corners of a triangle, relative to the centre of cell (0,0,0), and the part to which it belongs.
struct Facet {
  std::array<Triple, 3> corners;
  int part;
};

std::vector<Facet> facets_of(const Mesh& mesh, const Grid& grid) {
  std::vector<Triple> places(mesh.points.size());
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::size_t a = 0; a < 3; ++a) {
      const double cells = (mesh.points[p][a] - grid.first[a]) / grid.side;
      if (!(std::abs(cells) <= farthest_point))
        throw ladder::InputError(fmt::format("the body reaches {:.3g} cells from cell (0,0,0); accepted: up to {:.0f}",
                                             std::abs(cells), farthest_point));
      places[p][a] = std::llround(cells * unit);
    }
  std::vector<Facet> facets;
  facets.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    facets.push_back({{places[a], places[b], places[c]}, mesh.part_of[t]});
  }
  return facets;
}

/// The axes along which rays (u), rows of rays (v) and planes of rays (w) follow.
struct Axes {
  std::size_t u, v, w;
};
constexpr std::array<Axes, 3> axes_of = {Axes{0, 1, 2}, Axes{1, 0, 2}, Axes{2, 0, 1}};

/// A crossing of a ray with a part.
struct Crossing {
  std::int64_t row;  ///< index of the ray in its plane
  int part;
  int turn;           ///< 1 if the ray enters through the side from which the triangle's corners appear clockwise, else -1
  std::int64_t from;  ///< first cell of the row behind the triangle, clamped to the row

  bool operator<(const Crossing& o) const { return std::tie(row, part, from) < std::tie(o.row, o.part, o.from); }
};

/// A facet as seen by rays along one axis.
class Target {
 public:
  Target(const Facet& facet, const Axes& axes) : facet_(&facet), axes_(axes) {
    const auto& [a, b, c] = facet.corners;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      normal_[i] = Wide(b[j] - a[j]) * (c[k] - a[k]) - Wide(b[k] - a[k]) * (c[j] - a[j]);
    }
    const auto [low, high] = std::minmax({a[axes.w], b[axes.w], c[axes.w]});
    first_plane_ = -floored(-low, unit);
    last_plane_ = floored(high, unit);
  }

  /// Whether any ray can cross the facet.
  [[nodiscard]] bool is_hit() const { return normal_[axes_.u] != 0 && first_plane_ <= last_plane_; }
  [[nodiscard]] std::int64_t first_plane() const { return first_plane_; }
  [[nodiscard]] std::int64_t last_plane() const { return last_plane_; }

  /// Appends the crossings of the rays in a plane, which consists of `rows` rays, each through a row of `cells` cells.
  void cross(std::int64_t plane, std::int64_t rows, std::int64_t cells, std::vector<Crossing>& out) const {
    const auto [lowest, highest] = extent(static_cast<double>(plane * unit));
    // The margin of one unit far exceeds the rounding errors of extent().
    const auto first = static_cast<std::int64_t>(std::ceil((lowest - 1) / unit));
    const auto last = static_cast<std::int64_t>(std::floor((highest + 1) / unit));
    for (std::int64_t row = std::max<std::int64_t>(0, first); row <= std::min(rows - 1, last); ++row)
      if (contains(row * unit, plane * unit))
        out.push_back({row, facet_->part, normal_[axes_.u] > 0 ? -1 : 1,
                       std::clamp<std::int64_t>(first_behind(row * unit, plane * unit), 0, cells)});
  }

 private:
  /// The range of v in which the facet intersects the line at this w.
  [[nodiscard]] std::pair<double, double> extent(double w) const {
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    const auto take = [&](double v) {
      lowest = std::min(lowest, v);
      highest = std::max(highest, v);
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const Triple &p = facet_->corners[i], &q = facet_->corners[(i + 1) % 3];
      const auto pw = static_cast<double>(p[axes_.w]), qw = static_cast<double>(q[axes_.w]);
      const auto pv = static_cast<double>(p[axes_.v]), qv = static_cast<double>(q[axes_.v]);
      if (pw == w) take(pv);
      if ((pw < w && w < qw) || (qw < w && w < pw)) take(pv + (qv - pv) * ((w - pw) / (qw - pw)));
    }
    return {lowest, highest};
  }

  /// Whether the ray at (v, w) crosses the facet after an infinitesimal displacement, which is largest along the lower-numbered
  /// axis.
  [[nodiscard]] bool contains(std::int64_t v, std::int64_t w) const {
    int sides = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Triple &p = facet_->corners[i], &q = facet_->corners[(i + 1) % 3];
      const std::int64_t dv = q[axes_.v] - p[axes_.v], dw = q[axes_.w] - p[axes_.w];
      sides += first_sign(sign(Wide(dv) * (w - p[axes_.w]) - Wide(dw) * (v - p[axes_.v])), sign(-dw), sign(dv));
    }
    return sides == 3 || sides == -3;
  }

  /// The first cell in the row at (v, w) whose centre, displaced like the ray, is behind the facet.
  [[nodiscard]] std::int64_t first_behind(std::int64_t v, std::int64_t w) const {
    const Triple& a = facet_->corners[0];
    const int up = sign(normal_[axes_.u]);
    // The facet's plane satisfies normal * (place - a) = 0.
    const Wide over =
        up * (normal_[axes_.u] * a[axes_.u] - normal_[axes_.v] * (v - a[axes_.v]) - normal_[axes_.w] * (w - a[axes_.w]));
    const Wide under = up * normal_[axes_.u] * unit;
    const Wide cell = over / under - (over % under < 0 ? 1 : 0);
    const bool lies_on = cell * under == over;
    const bool moves_behind = up * first_sign(sign(normal_[0]), sign(normal_[1]), sign(normal_[2])) > 0;
    return static_cast<std::int64_t>(cell) + (lies_on && moves_behind ? 0 : 1);
  }

  const Facet* facet_;
  Axes axes_;
  std::array<Wide, 3> normal_{};
  std::int64_t first_plane_ = 0, last_plane_ = 0;
};

/// Calls visit(plane, crossings) for each plane of rays along the axis `u` that meets facets of the parts `wanted`; crossings
/// are sorted by row, part and position. Planes are distributed over threads, so `visit` may only write to its own plane.
template <class Wanted, class Visit>
void for_each_plane(const std::vector<Facet>& facets, const Triple& sides, const Axes& axes, Wanted wanted, Visit visit) {
  std::vector<Target> targets;
  for (const Facet& facet : facets)
    if (wanted(facet.part))
      if (const Target target(facet, axes); target.is_hit()) targets.push_back(target);
  std::sort(targets.begin(), targets.end(), [](const Target& l, const Target& r) { return l.first_plane() < r.first_plane(); });

  const auto sweep = [&](std::int64_t first, std::int64_t last) {
    std::vector<const Target*> active;
    std::vector<Crossing> crossings;
    auto next = targets.begin();
    for (std::int64_t plane = first; plane < last; ++plane) {
      for (; next != targets.end() && next->first_plane() <= plane; ++next)
        active.push_back(&*next);
      std::erase_if(active, [&](const Target* t) { return t->last_plane() < plane; });
      crossings.clear();
      for (const Target* target : active)
        target->cross(plane, sides[axes.v], sides[axes.u], crossings);
      if (crossings.empty()) continue;
      std::sort(crossings.begin(), crossings.end());
      visit(plane, std::span<const Crossing>(crossings));
    }
  };
  const std::int64_t least = std::max<std::int64_t>(1, ladder::worth_a_thread / (sides[axes.u] * sides[axes.v]));
  for (const std::exception_ptr& error : ladder::in_parts(sides[axes.w], least, [&](std::int64_t first, std::int64_t last) {
         try {
           sweep(first, last);
         } catch (...) {
           return std::current_exception();
         }
         return std::exception_ptr{};
       }))
    if (error) std::rethrow_exception(error);
}

/// Removes and returns the leading members of `rest` that have the same `key`.
template <class Key>
std::span<const Crossing> take_equal(std::span<const Crossing>& rest, Key key) {
  std::size_t n = 0;
  while (n < rest.size() && rest[n].*key == rest[0].*key)
    ++n;
  const auto group = rest.first(n);
  rest = rest.subspan(n);
  return group;
}

/// Calls visit(from, to) for the cells between crossings that are inside, according to the sum of turns or the number of
/// crossings.
template <class Visit>
void for_each_span(std::span<const Crossing> crossings, Closure closure, Visit visit) {
  int winding = 0;
  for (std::size_t n = 0; n + 1 < crossings.size(); ++n) {
    winding = closure == Closure::oriented ? winding + crossings[n].turn : 1 - winding;
    if (winding != 0 && crossings[n].from < crossings[n + 1].from) visit(crossings[n].from, crossings[n + 1].from);
  }
}

/// The volume that each part encloses, negative if the triangles of an oriented part face inwards.
std::vector<double> volumes_of(const Mesh& mesh, const std::vector<Facet>& facets) {
  std::vector<double> volumes(mesh.parts.size(), 0);
  std::vector<Triple> first(mesh.parts.size());
  std::vector<char> has_first(mesh.parts.size(), 0);
  for (const Facet& facet : facets) {
    if (std::exchange(has_first[facet.part], 1) == 0) first[facet.part] = facet.corners[0];
    std::array<Point, 3> p;
    for (std::size_t n = 0; n < 3; ++n)
      for (std::size_t a = 0; a < 3; ++a)
        p[n][a] = static_cast<double>(facet.corners[n][a] - first[facet.part][a]);
    volumes[facet.part] += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                           p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }
  return volumes;
}

bool is_before(const Crossing& l, const Crossing& r) { return l.from < r.from; }

/// Returns 1 for each part, or -1 for an oriented part that must be reversed to be a body like the others: it is oriented
/// against the largest part and has a cell outside all parts oriented like the largest, so that it cannot be a cavity.
std::vector<int> turns_of(const Mesh& mesh, const std::vector<Facet>& facets, const Triple& sides) {
  std::vector<double> volumes = volumes_of(mesh, facets);
  double largest = 0;
  for (std::size_t part = 0; part < volumes.size(); ++part) {
    if (mesh.parts[part] != Closure::oriented) volumes[part] = 0;
    if (std::abs(volumes[part]) > std::abs(largest)) largest = volumes[part];
  }
  const auto is_against = [&](int part) { return volumes[part] * largest < 0; };
  std::vector<int> turns(mesh.parts.size(), 1);
  if (std::all_of(volumes.begin(), volumes.end(), [&](double volume) { return volume * largest >= 0; })) return turns;

  for_each_plane(
      facets, sides, axes_of[0], [&](int part) { return mesh.parts[part] == Closure::oriented; },
      [&](std::int64_t, std::span<const Crossing> crossings) {
        std::vector<Crossing> like;
        std::vector<char> covered;
        while (!crossings.empty()) {
          const std::span<const Crossing> row = take_equal(crossings, &Crossing::row);
          like.clear();
          std::copy_if(row.begin(), row.end(), std::back_inserter(like),
                       [&](const Crossing& c) { return !is_against(c.part); });
          if (like.size() == row.size()) continue;
          std::sort(like.begin(), like.end(), is_before);
          covered.assign(static_cast<std::size_t>(sides[0]), 0);
          for_each_span(like, Closure::oriented, [&](std::int64_t from, std::int64_t to) {
            std::fill(covered.begin() + from, covered.begin() + to, 1);
          });
          for (std::span<const Crossing> rest = row; !rest.empty();) {
            const std::span<const Crossing> part = take_equal(rest, &Crossing::part);
            if (is_against(part[0].part))
              for_each_span(part, Closure::oriented, [&](std::int64_t from, std::int64_t to) {
                if (std::find(covered.begin() + from, covered.begin() + to, 0) != covered.begin() + to)
                  std::atomic_ref(turns[part[0].part]).store(-1, std::memory_order_relaxed);
              });
          }
        }
      });
  return turns;
}

/// Marks the cells inside closed parts; sets `found` for parts that contain a cell.
void fill_closed(const Mesh& mesh, const std::vector<Facet>& facets, const std::vector<int>& turns, const Triple& sides,
                 std::vector<std::uint8_t>& inside, std::vector<std::uint8_t>& found) {
  for_each_plane(
      facets, sides, axes_of[0], [&](int part) { return mesh.parts[part] != Closure::open; },
      [&](std::int64_t plane, std::span<const Crossing> crossings) {
        std::vector<Crossing> oriented;
        while (!crossings.empty()) {
          std::span<const Crossing> row = take_equal(crossings, &Crossing::row);
          const auto cells = inside.begin() + sides[0] * (row[0].row + sides[1] * plane);
          const auto fill = [&](std::int64_t from, std::int64_t to) { std::fill(cells + from, cells + to, 1); };
          oriented.clear();
          while (!row.empty()) {
            const std::span<const Crossing> part = take_equal(row, &Crossing::part);
            const Closure closure = mesh.parts[part[0].part];
            for_each_span(part, closure, [&](std::int64_t from, std::int64_t to) {
              std::atomic_ref(found[part[0].part]).store(1, std::memory_order_relaxed);
              if (closure == Closure::mixed) fill(from, to);
            });
            if (closure != Closure::oriented) continue;
            for (Crossing crossing : part) {
              crossing.turn *= turns[crossing.part];
              oriented.push_back(crossing);
            }
          }
          std::sort(oriented.begin(), oriented.end(), is_before);
          for_each_span(oriented, Closure::oriented, fill);
        }
      });
}

/// For each cell, how many of the rays cross open parts an odd number of times.
std::vector<std::uint8_t> votes_of(const Mesh& mesh, const std::vector<Facet>& facets, const Grid& grid) {
  const Triple& sides = grid.sides;
  std::vector<std::uint8_t> votes(static_cast<std::size_t>(sides[0] * sides[1] * sides[2]), 0);
  const Triple stride = {1, sides[0], sides[0] * sides[1]};
  for (const Axes& axes : axes_of)
    for_each_plane(
        facets, sides, axes, [&](int part) { return mesh.parts[part] == Closure::open; },
        [&](std::int64_t plane, std::span<const Crossing> crossings) {
          std::vector<std::int64_t> ends;
          while (!crossings.empty()) {
            const std::span<const Crossing> row = take_equal(crossings, &Crossing::row);
            ends.clear();
            for (const Crossing& crossing : row)
              ends.push_back(crossing.from);
            ends.push_back(0);
            ends.push_back(sides[axes.u]);
            std::sort(ends.begin(), ends.end());
            std::uint8_t* cells = votes.data() + stride[axes.v] * row[0].row + stride[axes.w] * plane;
            // There are n-1 crossings before the n-th end, because the first end is 0.
            for (std::size_t n = 1; n < ends.size(); ++n) {
              const bool looks_back = axes.u != 1 || !grid.has_ground;
              const auto vote = static_cast<std::uint8_t>((looks_back ? (n - 1) % 2 : 0) + (row.size() - (n - 1)) % 2);
              for (std::int64_t i = ends[n - 1]; vote != 0 && i < ends[n]; ++i)
                cells[stride[axes.u] * i] += vote;
            }
          }
        });
  return votes;
}

}  // namespace

Voxels voxelise(const Mesh& mesh, const Grid& grid) {
  const auto& [nx, ny, nz] = grid.sides;
  if (nx < 1 || ny < 1 || nz < 1)
    throw ladder::InputError(fmt::format("a grid of {} x {} x {} cells; accepted: at least one each", nx, ny, nz));
  if (!(grid.side > 0) || !std::isfinite(grid.side))
    throw ladder::InputError(fmt::format("the side of a cell is {:g}; accepted: a positive number", grid.side));
  Voxels out;
  out.oriented = std::count(mesh.parts.begin(), mesh.parts.end(), Closure::oriented);
  out.mixed = std::count(mesh.parts.begin(), mesh.parts.end(), Closure::mixed);
  out.open = std::count(mesh.parts.begin(), mesh.parts.end(), Closure::open);
  ladder::require_room(static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz) * (out.open > 0 ? 2 : 1),
                       fmt::format("a grid of {} x {} x {} cells", nx, ny, nz));

  const std::vector<Facet> facets = facets_of(mesh, grid);
  out.inside.assign(static_cast<std::size_t>(nx * ny * nz), 0);
  std::vector<std::uint8_t> found(mesh.parts.size(), 0);
  const std::vector<int> turns = turns_of(mesh, facets, grid.sides);
  out.turned = std::count(turns.begin(), turns.end(), -1);
  fill_closed(mesh, facets, turns, grid.sides, out.inside, found);
  out.without_cells = out.oriented + out.mixed - std::count(found.begin(), found.end(), 1);

  if (out.open > 0) {
    const std::vector<std::uint8_t> votes = votes_of(mesh, facets, grid);
    out.rays = grid.has_ground ? 5 : 6;
    bool is_found = false;
    for (std::size_t n = 0; n < votes.size(); ++n) {
      if (votes[n] > 0 && votes[n] < out.rays) ++out.contested;
      if (2 * votes[n] <= out.rays) continue;
      is_found = true;
      if (votes[n] < out.rays && out.inside[n] == 0) ++out.majority;
      out.inside[n] = 1;
    }
    if (!is_found) out.without_cells += out.open;
  }
  const auto counts = ladder::in_parts(nx * ny * nz, ladder::worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    return static_cast<std::int64_t>(std::count(out.inside.begin() + first, out.inside.begin() + last, 1));
  });
  out.cells = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  return out;
}

std::string Voxels::text() const {
  const auto some = [](std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  std::string out = fmt::format("{} inside", some(cells, "cell"));
  if (oriented > 0) out += fmt::format("; {} decided by winding number", some(oriented, "closed part"));
  if (turned > 0) out += fmt::format(", {} of them turned around to be like the largest", turned);
  if (mixed > 0) out += fmt::format("; {} with faces of both orientations decided by parity", some(mixed, "closed part"));
  if (open > 0)
    out += fmt::format("; {} decided by the majority of {} rays, which disagree about {}", some(open, "open part"),
                       rays == 6 ? "six" : "five", some(contested, "cell"));
  if (without_cells > 0) out += fmt::format("; {} contain no centre of a cell", some(without_cells, "part"));
  return out;
}

}  // namespace geometry
