#include <cmath>
#include <numeric>

#include "harness/parallel.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {
namespace {

/// Calls `f(first, last)` for parts of the rows of a case, or of its cells.
template <class F>
auto rows_of(const Case& c, F f) {
  return ladder::in_parts(c.ny, ladder::worth_a_thread / (q * c.nx), f);
}
template <class F>
auto cells_of(const Case& c, F f) {
  return ladder::in_parts(c.cells(), ladder::worth_a_thread / q, f);
}

}  // namespace

Reference::Reference(const Case& c)
    : case_(c), fluid_cells_(c.fluid_cells()), cells_(static_cast<std::size_t>(q * c.cells())), propagated_(cells_.size()) {
  rows_of(c, [&](std::int64_t first, std::int64_t last) {
    for (auto y = static_cast<int>(first); y < last; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          cell(x, y)[i] = c.initial(i, x, y);
  });
}

std::span<double, q> Reference::cell(int x, int y) {
  return std::span<double, q>(&cells_[q * (static_cast<std::size_t>(y) * case_.nx + x)], q);
}

void Reference::accelerate(int row) {
  const double w1 = case_.w1();
  const double w2 = case_.w2();
  for (int x = 0; x < case_.nx; ++x) {
    const auto f = cell(x, row);
    if (case_.solid[static_cast<std::size_t>(row) * case_.nx + x]) continue;
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

void Reference::propagate() {
  // Each number has a place of its own to go to, so that rows can be moved at the same time.
  rows_of(case_, [&](std::int64_t first, std::int64_t last) {
    for (auto y = static_cast<int>(first); y < last; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        const auto from = cell(x, y);
        for (int i = 0; i < q; ++i) {
          int to_x = x + cx[i];
          int to_y = y + cy[i];
          if (to_x < 0) to_x = case_.nx - 1;
          if (to_x == case_.nx) to_x = 0;
          if (to_y < 0) to_y = case_.ny - 1;
          if (to_y == case_.ny) to_y = 0;
          propagated_[q * (static_cast<std::size_t>(to_y) * case_.nx + to_x) + i] = from[i];
        }
      }
  });
  cells_.swap(propagated_);
}

void Reference::rebound() {
  for (std::size_t n = 0; n < case_.solid.size(); ++n)
    if (case_.solid[n])
      for (const int i : {1, 2, 5, 6})
        std::swap(cells_[q * n + i], cells_[q * n + opposite[i]]);
}

void Reference::collide() {
  cells_of(case_, [&](std::int64_t first, std::int64_t last) {
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      if (!case_.solid[n]) collide_textbook(&cells_[q * n], case_.omega);
  });
}

double Reference::average_speed() const {
  const auto sums = cells_of(case_, [&](std::int64_t first, std::int64_t last) {
    double sum = 0;
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last); ++n)
      if (!case_.solid[n]) {
        const auto m = moments(&cells_[q * n]);
        sum += std::sqrt(m.ux * m.ux + m.uy * m.uy);
      }
    return sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(fluid_cells_);
}

void Reference::advance(std::int64_t steps) {
  for (std::int64_t step = 0; step < steps; ++step) {
    accelerate(case_.accelerated_row());
    propagate();
    rebound();
    collide();
    history_.push_back(average_speed());
  }
}

void Reference::store(ladder::Populations& out) const {
  cells_of(case_, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t cell = first; cell < last; ++cell)
      for (int i = 0; i < q; ++i)
        out.at(i, cell) = cells_[q * cell + i];
  });
}

}  // namespace d2q9
