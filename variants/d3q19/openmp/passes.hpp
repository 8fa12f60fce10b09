#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "variants/d3q19/traffic.hpp"

/// Shared by rungs that take several steps in one pass through the lattice, in which each thread owns a slab of planes.
namespace d3q19 {

/// Steps per pass; each step shortens a thread's slab by one plane at either end.
inline int depth(const Case& c, const ladder::Tuning& tuning) {
  return std::min(tuning.at("steps"), c.nz / omp_get_max_threads() / 2 + 1);
}

/// Traffic per step. Slabs of threads overlap at either end.
inline std::vector<ladder::Traffic> pass_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double steps = depth(c, tuning);
  const double again = 1 + 2 * (steps - 1) * omp_get_max_threads() / c.nz;
  const ladder::Traffic once = fused_traffic(real, c, tuning).front();
  return {{once.read * again / steps, once.write * again / steps}};
}

}  // namespace d3q19
