#pragma once

#include <span>

#include "variants/lattice/lattice.hpp"

namespace lattice {

/// Subtracts rest * weight from a cell's populations f[q], calls collide(g, rest) on these distances g[q], and adds rest *
/// weight again. Colliding the populations themselves would introduce a rounding bias that changes the mass in every step.
template <class L, class Collide>
void in_distances(std::span<double, L::q> f, double rest, Collide collide) {
  double g[L::q];
  for (int i = 0; i < L::q; ++i)
    g[i] = f[static_cast<std::size_t>(i)] - rest * L::weight(i);
  collide(g, rest);
  for (int i = 0; i < L::q; ++i)
    f[static_cast<std::size_t>(i)] = g[i] + rest * L::weight(i);
}

}  // namespace lattice
