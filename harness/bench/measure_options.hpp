#pragma once

#include <cstdint>
#include <string>

namespace ladder {

struct MeasureOptions {
  double min_seconds = 0.2;  ///< a sample lasts at least this long
  int samples = 1;
  std::int64_t steps = 0;     ///< steps of a sample; 0: as many as min_seconds requires
  std::string gpu;            ///< PCI address of an NVIDIA GPU to observe, or empty
  bool on_processor = false;  ///< whether the processors do the work, and no other device
};

}  // namespace ladder
