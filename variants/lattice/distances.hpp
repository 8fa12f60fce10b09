#pragma once

#include <span>

#include "variants/lattice/lattice.hpp"

namespace lattice {

/// Calls collide(g, rest) on the distances g[q] of the populations f[q] of a cell from rest, f - rest * weight, and adds the
/// rest again. A collision of the populations themselves would round with a bias, and change the mass in every step.
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
