#pragma once

#include <algorithm>
#include <cstdlib>

namespace ladder {

/// Into how many parts, one per device, a process divides its work: `devices` of the placement, from the environment variable
/// LADDER_DEVICES; 1 if it is not set.
inline int wanted_devices() {
  const char* const text = std::getenv("LADDER_DEVICES");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

}  // namespace ladder
