#include <algorithm>

#include "variants/d3q19/open.h"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/distances.hpp"

namespace d3q19 {

namespace {

/// Like d3q19_returned_open(), but for the populations themselves.
double returned(std::span<const double, q> f, int i, int kind, double speed) {
  if (kind == D3Q19_INFLOW) {
    double density = 0;
    for (const double population : f)
      density += population;
    return f[static_cast<std::size_t>(i)] - 6 * Lattice::weight(i) * density * d3q19_cx[i] * speed;
  }
  double distance[q];
  for (int j = 0; j < q; ++j)
    distance[j] = f[static_cast<std::size_t>(j)] - Lattice::weight(j);
  return Lattice::weight(i) + d3q19_returned(distance, i, kind, speed);
}

}  // namespace

void Reference::step() {
  const auto [nx, ny, nz] = case_.grid();
  // A population that leaves a fluid cell toward a boundary cell comes back from there. No two cells write the same element.
  for_each_cell([&, nx = nx, ny = ny, nz = nz](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (case_.kind(x, y, z) != 0) return;
    for (int i = 1; i < q; ++i) {
      const std::int64_t bx = ladder::wrapped(x + d3q19_cx[i], nx), by = ladder::wrapped(y + d3q19_cy[i], ny),
                         bz = ladder::wrapped(z + d3q19_cz[i], nz);
      const int kind = case_.kind(bx, by, bz);
      if (kind == 0) continue;
      // What an outflow cell returns against the flow is what the cell upstream of it holds in the same direction.
      const auto back = static_cast<std::size_t>(d3q19_opposite[i]);
      const bool extrapolates = kind == D3Q19_OUTFLOW && d3q19_cx[i] > 0 && case_.kind(x, by, bz) == 0;
      cell(bx, by, bz)[back] = extrapolates ? cell(x, by, bz)[back] : returned(at(n), i, kind, case_.speed);
    }
  });
  propagate();
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (case_.kind(x, y, z) == 0)
      lattice::in_distances<Lattice>(
          at(n), 1, [&](double* g, double rest) { collide_textbook(g, case_.omega(), case_.omega_minus(), rest); });
    else
      for (int i = 0; i < q; ++i)
        at(n)[static_cast<std::size_t>(i)] = Lattice::weight(i);
  });
}

}  // namespace d3q19
