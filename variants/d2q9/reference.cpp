#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "variants/d2q9/textbook.hpp"
#include "variants/lattice/distances.hpp"
#include "variants/lattice/fields.hpp"

namespace d2q9 {
namespace {

double speed(const double* f) {
  const Macroscopic m = moments(f);
  return std::sqrt(m.ux * m.ux + m.uy * m.uy);
}

/// Returns the sum of value(n) over `cells` cells n, divided by `fluid_cells`.
template <class Value>
double mean_over_fluid(std::int64_t cells, std::int64_t fluid_cells, Value value) {
  const auto sums = ladder::in_parts(cells, ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    double sum = 0;
    for (std::int64_t n = first; n < last; ++n)
      sum += value(n);
    return sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(fluid_cells);
}

}  // namespace

void Reference::accelerate(int row) {
  const double w1 = case_.density * case_.w1();
  const double w2 = case_.density * case_.w2();
  for (int x = 0; x < case_.nx && row >= 0; ++x) {
    const auto f = cell(x, row);
    if (case_.is_solid(x, row)) continue;
    if (f[3] - w1 > 0 && f[6] - w2 > 0 && f[7] - w2 > 0) {
      f[1] += w1;
      f[5] += w2;
      f[8] += w2;
      f[3] -= w1;
      f[6] -= w2;
      f[7] -= w2;
    }
  }
}

void Reference::rebound() {
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
    if (case_.is_solid(x, y))
      for (const int i : {1, 2, 5, 6})
        std::swap(at(n)[i], at(n)[Lattice::opposite(i)]);
  });
}

void Reference::collide() {
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
    if (case_.is_solid(x, y)) return;
    lattice::in_distances<Lattice>(at(n), case_.density,
                                   [&](double* g, double rest) { collide_textbook(g, case_.omega, rest); });
  });
}

double Reference::average_speed() const {
  return mean_over_fluid(case_.cells(), case_.fluid_cells(), [&](std::int64_t n) {
    return case_.solid[static_cast<std::size_t>(n)] != 0 ? 0 : speed(at(n).data());
  });
}

double Model::observe(const Case& c, const ladder::Populations& state, std::int64_t fluid_cells) {
  return mean_over_fluid(state.cells(), fluid_cells, [&](std::int64_t n) {
    const auto [x, y, z] = state.box.place(n);
    return c.is_solid(x, y) ? 0 : speed(lattice::populations<Lattice>(state, n).data());
  });
}

void Reference::step() {
  accelerate(case_.accelerated_row());
  propagate();
  rebound();
  collide();
  history_.push_back(average_speed());
}

}  // namespace d2q9
