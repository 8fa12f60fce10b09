#include "variants/d3q19/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/d3q19/results.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/fields.hpp"

namespace d3q19 {
namespace {

/// Sum of value(x, y, z, n) over the fluid cells in a state's box, where n is the cell's index in the box.
template <class Value>
double sum_over_fluid(const Case& c, const ladder::Box& box, Value value) {
  return ladder::total(ladder::in_parts(box.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    ladder::Sum sum;
    for (std::int64_t n = first; n < last; ++n) {
      const auto [x, y, z] = box.place(n);
      if (c.kind(x, y, z) == 0) sum.add(value(x, y, z, n));
    }
    return sum.value();
  }));
}

}  // namespace

std::array<double, 3> force(const Case& c, const ladder::Populations& state) {
  std::array<double, 3> sum{};
  if (c.solid.empty()) return sum;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum[axis] = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      double handed_over = 0;
      for (int i = 1; i < q; ++i) {
        const lattice::Velocity v = Lattice::c(i);
        const int along = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
        if (along != 0 && c.kind(x + v.x, y + v.y, z + v.z) == D3Q19_WALL)
          handed_over += 2 * along * (state.at(i, n) - Lattice::weight(i));
      }
      return handed_over;
    });
  return sum;
}

double velocity_error(const Case& c, const ladder::Populations& state, double step, bool (*counts)(const Case&, std::int64_t)) {
  const auto takes = [&](std::int64_t x) { return counts == nullptr || counts(c, x); };
  const double error = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (!takes(x)) return 0.;
    const Macroscopic m = at(state, n), exact = c.exact(x, y, z, step);
    const double dx = m.ux - exact.ux, dy = m.uy - exact.uy, dz = m.uz - exact.uz;
    return dx * dx + dy * dy + dz * dz;
  });
  const double scale = sum_over_fluid(c, state.box, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t) {
    if (!takes(x)) return 0.;
    const Macroscopic exact = c.exact(x, y, z, step);
    return exact.ux * exact.ux + exact.uy * exact.uy + exact.uz * exact.uz;
  });
  return std::sqrt(error / scale);
}

double sphere_drag(double reynolds) {
  if (reynolds < 20) return 24 / reynolds * (1 + 0.1315 * std::pow(reynolds, 0.82 - 0.05 * std::log10(reynolds)));
  return 24 / reynolds * (1 + 0.1935 * std::pow(reynolds, 0.6305));
}

ladder::Box Model::series_box(const Case& c) {
  // The fluid cells next to walls.
  ladder::Triple low = c.grid(), high = {0, 0, 0};
  for (std::size_t n = 0; n < c.solid.size(); ++n)
    if (c.solid[n] == D3Q19_WALL) {
      const ladder::Triple place = ladder::Box{{}, c.grid()}.place(static_cast<std::int64_t>(n));
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], place[a]);
        high[a] = std::max(high[a], place[a]);
      }
    }
  ladder::Box box{{}, c.grid()};
  for (std::size_t a = 0; a < 3; ++a) {
    if (low[a] > high[a]) return {{}, {1, 1, 1}};
    if (low[a] == 0 || high[a] == c.grid()[a] - 1) continue;
    box.origin[a] = low[a] - 1;
    box.extent[a] = high[a] - low[a] + 3;
  }
  return box;
}

std::vector<double> Model::series(const Case& c, const ladder::Populations& state, std::int64_t) {
  const auto [drag, lift, side] = force(c, state);
  if (c.area == 0) return {drag, lift, 0, 0};
  const double diameter = std::sqrt(4 * c.area / M_PI), reynolds = c.speed * diameter / c.viscosity();
  return {drag, lift, 2 * drag / (c.speed * c.speed * c.area), reynolds >= 0.01 && reynolds <= 260 ? sphere_drag(reynolds) : 0};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(
      c,
      [&](std::int64_t x, std::int64_t y) {
        const Macroscopic m = at(plane, x + c.nx * y);
        return std::hypot(m.ux, m.uy, m.uz);
      },
      plane.box.origin[2]);
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook", [](Counting* f) { collide_textbook(f, Counting(1.25), Counting(1.1), Counting(1)); }),
          count("factored", [](Counting* f) { d3q19_collide(f, Counting(1.25), Counting(1.1)); })};
}

}  // namespace d3q19
