#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "backends/opencl/device.hpp"
#include "harness/rung.hpp"

namespace d3q27 {

/// The work-items of a work-group, as a tunable: the cells are numbered in one row.
inline ladder::Tunable wx_tunable() {
  return {.name = "wx", .meaning = "work-items of a work-group", .values = {32, 64, 128, 256, 512}, .initial = 128};
}

/// The work-group that the tuning names.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), 1};
}

/// The work-groups that the device accepts.
inline std::vector<ladder::Constraint> device_group_constraints() {
  const auto device = ladder::opencl::Device::select();
  const std::size_t limit = std::min(device.work_group_limit(), device.work_group_sides().x);
  return {{"wx <= " + std::to_string(limit) + " (" + device.name() + ")",
           [=](const ladder::Tuning& tuning) { return group_shape(tuning).x <= limit; }}};
}

}  // namespace d3q27
