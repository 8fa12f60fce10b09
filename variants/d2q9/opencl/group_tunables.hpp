#pragma once

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

/// The work-group that the tuning names.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
}

/// The same; a side of 0 is that of `processor` on a CPU and that of `other` elsewhere.
inline ladder::opencl::Shape group_shape(const ladder::Tuning& tuning, const ladder::opencl::Device& device,
                                         ladder::opencl::Shape processor, ladder::opencl::Shape other) {
  const ladder::opencl::Shape own = device.is_processor() ? processor : other;
  const ladder::opencl::Shape named = group_shape(tuning);
  return {named.x > 0 ? named.x : own.x, named.y > 0 ? named.y : own.y};
}

}  // namespace d2q9
