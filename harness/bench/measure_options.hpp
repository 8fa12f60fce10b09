#pragma once

#include <cstdint>
#include <string>

namespace ladder {

struct MeasureOptions {
  double min_seconds = 0.2;  ///< minimum duration of a sample
  int samples = 1;
  std::int64_t steps = 0;     ///< steps per sample; 0: as many as min_seconds requires
  std::string gpu;            ///< PCI address of an NVIDIA GPU to observe, or empty
  bool on_processor = false;  ///< whether the work runs on the processors only
};

}  // namespace ladder
