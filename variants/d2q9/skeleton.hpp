#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "variants/d2q9/textbook.hpp"

/// The skeleton's loops on the host, over lattices [y][x][9].
namespace d2q9 {

/// Solid cells: f = g with every direction reversed.
template <class real>
void rebound_on_host(const Case& c, const std::vector<real>& g, std::vector<real>& f) {
  for (std::size_t cell = 0; cell < c.solid.size(); ++cell)
    if (c.solid[cell] != 0)
      for (std::size_t i = 0; i < 9; ++i)
        f[9 * cell + i] = g[9 * cell + static_cast<std::size_t>(d2q9_opposite[i])];
}

/// Fluid cells: f = g after relaxation.
template <class real>
void collide_on_host(const Case& c, const std::vector<real>& g, std::vector<real>& f) {
  for (std::size_t cell = 0; cell < c.solid.size(); ++cell)
    if (c.solid[cell] == 0) {
      real s[q];
      std::copy_n(&g[9 * cell], q, s);
      collide_textbook(s, static_cast<real>(c.omega), real(1));
      std::copy_n(s, q, &f[9 * cell]);
    }
}

/// Returns the sum of |u| over the fluid cells of f; each row is added up in f's precision.
template <class real>
double speeds_on_host(const Case& c, const std::vector<real>& f) {
  const auto nx = static_cast<std::size_t>(c.nx);
  double total = 0;
  for (std::size_t row = 0; row < c.solid.size(); row += nx) {
    real sum = 0;
    for (std::size_t cell = row; cell < row + nx; ++cell)
      if (c.solid[cell] == 0) {
        const auto m = moments(&f[9 * cell], real(1));
        sum += std::sqrt(m.ux * m.ux + m.uy * m.uy);
      }
    total += sum;
  }
  return total;
}

}  // namespace d2q9
