#pragma once

#include <cmath>

#include "harness/record/rows.hpp"

namespace ladder {

/// Far above what a device, or all packages of a machine, consume. A counter that jumps, steps back or wraps unnoticed yields
/// more.
constexpr double most_watts = 20e3;

/// Whether the energy of a sample is unknown, or such that devices may consume it in the time of the sample.
inline bool has_possible_energy(const Row& row) {
  return std::isnan(row.joules) || row.joules <= most_watts * row.seconds * static_cast<double>(row.devices());
}

}  // namespace ladder
