#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/opencl/lanes.hpp"
#include "harness/bench/rung.hpp"

namespace lattice::opencl {

using ladder::opencl::Definitions;
using ladder::opencl::Device;
using ladder::opencl::Shape;

/// What a rung requires of the device.
struct Setup {
  Shape group;                               ///< work-items per work-group
  Definitions macros = {};                   ///< of the rung's kernels, in addition to `real`, `wx`, `wy`, `width` and `strip`
  int width = 1;                             ///< cells of a row that a work-item updates as one vector
  int strip = 1;                             ///< cells of a row that a work-item updates in total; may exceed the row
  std::vector<std::string_view> texts = {};  ///< compiled before the rung's kernel file
  std::string language = "CL1.2";            ///< of the rung's program
  Device device = Device::select();

  /// Returns the alignment, in bytes, of the rows of a lattice of `real`: at least a cache line and a vector.
  template <class real>
  [[nodiscard]] std::int64_t row_alignment() const {
    return std::max<std::int64_t>(64, static_cast<std::int64_t>(sizeof(real)) * width);
  }
};

/// The tunable for one side of a work-group; an initial value of 0 leaves the choice to the device.
inline ladder::Tunable group_tunable(const std::string& name, const std::string& axis, int initial) {
  ladder::Tunable t = {.name = name,
                       .meaning = "work-items per work-group along " + axis,
                       .values = {1, 2, 4, 8, 16, 32, 64, 128},
                       .initial = initial};
  if (initial == 0) {
    t.meaning += "; 0: what suits the device";
    t.values.insert(t.values.begin(), 0);
  }
  return t;
}
inline ladder::Tunable wx_tunable(int initial) { return group_tunable("wx", "x", initial); }
inline ladder::Tunable wy_tunable(int initial) { return group_tunable("wy", "y", initial); }

/// The tunable `wx` for the size of a work-group over cells numbered in a single row.
inline ladder::Tunable row_tunable() {
  return {.name = "wx", .meaning = "work-items per work-group", .values = {32, 64, 128, 256, 512}, .initial = 128};
}

/// A work-group sums one value per work-item in local memory; every device has at least 32 KiB of it.
inline std::vector<ladder::Constraint> group_sum_constraints() {
  return {{"wx * wy <= 4096 (a work-group's sums fit in 32 KiB of local memory)",
           [](const ladder::Tuning& t) { return t.at("wx") * t.at("wy") <= 4096; }}};
}

/// The default work-groups, for a CPU and for other devices, of a rung whose tunables do not set them.
struct OwnGroups {
  Shape processor;
  Shape other;

  [[nodiscard]] Shape of(const Device& device) const { return device.is_processor() ? processor : other; }
};

/// Returns the work-group that the tuning selects; a side of 0 is replaced by the side of `own`.
inline Shape group_shape(const ladder::Tuning& tuning, Shape own = {}) {
  const Shape named{static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
  return {named.x > 0 ? named.x : own.x, named.y > 0 ? named.y : own.y};
}

/// Same as above, for cells numbered in a single row.
inline Shape row_shape(const ladder::Tuning& tuning) { return {static_cast<std::size_t>(tuning.at("wx")), 1}; }

/// Returns the constraints that the device puts on work-groups, for Rung::device_constraints. @throws ladder::Unavailable
/// without a device
template <OwnGroups own = OwnGroups{}>
std::vector<ladder::Constraint> device_group_constraints() {
  const auto device = Device::select();
  const std::size_t limit = device.work_group_limit();
  const Shape sides = device.work_group_sides();
  return {{"wx * wy <= " + std::to_string(limit) + ", wx <= " + std::to_string(sides.x) + ", wy <= " + std::to_string(sides.y) +
               " (" + device.name() + ")",
           [=, instead = own.of(device)](const ladder::Tuning& tuning) {
             const Shape group = group_shape(tuning, instead);
             return group.items() <= limit && group.x <= sides.x && group.y <= sides.y;
           }}};
}

/// Same as above, for cells numbered in a single row.
inline std::vector<ladder::Constraint> device_row_constraints() {
  const auto device = Device::select();
  const std::size_t limit = std::min(device.work_group_limit(), device.work_group_sides().x);
  return {{"wx <= " + std::to_string(limit) + " (" + device.name() + ")",
           [=](const ladder::Tuning& tuning) { return row_shape(tuning).x <= limit; }}};
}

/// The tunable `width`: the number of cells that a work-item updates as one vector.
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "cells of a row that a work-item updates as one vector; 0: the device's vector width",
          .values = {0, 1, 2, 4, 8, 16},
          .initial = 0};
}

/// The tunable `strip`: the length of a work-item's span of a row, in vectors that it updates one after another.
inline ladder::Tunable strip_tunable() {
  return {.name = "strip",
          .meaning = "vectors of a row per work-item; 0: the whole row on a CPU, otherwise 1",
          .values = {0, 1, 2, 4, 8, 16, 32, 64},
          .initial = 0};
}

/// The tunable `rows`: the number of cells of a column that a work-item updates one after another.
inline ladder::Tunable column_tunable() {
  return {.name = "rows",
          .meaning = "cells of a column per work-item, updated one row after another",
          .values = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
          .initial = 8};
}

/// Returns the setup of a vectorized rung, from the tunables wx, wy, width and, if the rung has it, strip.
template <class real>
Setup vector_setup(const ladder::Tuning& tuning, const OwnGroups& own) {
  Setup setup{.group = {}};
  setup.group = group_shape(tuning, own.of(setup.device));
  const int width = tuning.at("width");
  setup.width = width > 0 ? width : ladder::opencl::vector_width<real>(setup.device);
  constexpr int whole_row = 1 << 30;
  const auto strip = tuning.find("strip");
  if (strip == tuning.end() || (strip->second == 0 && !setup.device.is_processor()))
    setup.strip = setup.width;
  else
    setup.strip = strip->second > 0 ? strip->second * setup.width : whole_row;
  return setup;
}

}  // namespace lattice::opencl
