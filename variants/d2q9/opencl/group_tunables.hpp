#pragma once

#include <string>
#include <vector>

#include "backends/opencl/device.hpp"
#include "harness/rung.hpp"

namespace d2q9 {

/// The work-items of a work-group along x, as a tunable; an initial value of 0 leaves it to the device.
inline ladder::Tunable wx_tunable(int initial) {
  ladder::Tunable t = {.name = "wx",
                       .meaning = "work-items of a work-group along x",
                       .values = {1, 2, 4, 8, 16, 32, 64, 128},
                       .initial = initial};
  if (initial == 0) {
    t.meaning += "; 0: what suits the device";
    t.values.insert(t.values.begin(), 0);
  }
  return t;
}

/// The same along y.
inline ladder::Tunable wy_tunable(int initial) {
  ladder::Tunable t = wx_tunable(initial);
  t.name = "wy";
  t.meaning.replace(t.meaning.find("along x"), 7, "along y");
  return t;
}

/// A work-group adds up the speeds of its cells in local memory, of which every device has 32 KiB or more.
inline std::vector<ladder::Constraint> group_constraints() {
  return {{"wx * wy <= 4096 (a work-group's sums fit in 32 KiB of local memory)",
           [](const ladder::Tuning& t) { return t.at("wx") * t.at("wy") <= 4096; }}};
}

/// The work-group that the tuning names.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
}

/// The same; a side of 0 is that of `own`.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning, ladder::opencl::Shape own) {
  const ladder::opencl::Shape named = group_shape(tuning);
  return {named.x > 0 ? named.x : own.x, named.y > 0 ? named.y : own.y};
}

/// The same; a side of 0 is that of `processor` on a CPU and that of `other` elsewhere.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning, const ladder::opencl::Device& device,
                                         ladder::opencl::Shape processor, ladder::opencl::Shape other) {
  return group_shape(tuning, device.is_processor() ? processor : other);
}

/// The work-groups that the device accepts; `processor` and `other` stand in for a side of 0.
inline std::vector<ladder::Constraint> device_group_constraints(ladder::opencl::Shape processor = {},
                                                                ladder::opencl::Shape other = {}) {
  const auto device = ladder::opencl::Device::select();
  const std::size_t limit = device.work_group_limit();
  const ladder::opencl::Shape sides = device.work_group_sides();
  const ladder::opencl::Shape own = device.is_processor() ? processor : other;
  return {{"wx * wy <= " + std::to_string(limit) + ", wx <= " + std::to_string(sides.x) + ", wy <= " + std::to_string(sides.y) +
               " (" + device.name() + ")",
           [=](const ladder::Tuning& tuning) {
             const ladder::opencl::Shape group = group_shape(tuning, own);
             return group.items() <= limit && group.x <= sides.x && group.y <= sides.y;
           }}};
}

}  // namespace d2q9
