#pragma once

#include <vector>

#include "backends/opencl/device.hpp"
#include "harness/rung.hpp"

namespace d2q9 {

/// The work-group's shape as the tunables wx and wy, with what they are where the user names none.
inline std::vector<ladder::Tunable> group_tunables(int wx, int wy) {
  const std::vector<int> sides = {1, 2, 4, 8, 16, 32, 64, 128};
  return {{.name = "wx", .meaning = "work-items of a work-group along x", .values = sides, .initial = wx},
          {.name = "wy", .meaning = "work-items of a work-group along y", .values = sides, .initial = wy}};
}

inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
}

}  // namespace d2q9
