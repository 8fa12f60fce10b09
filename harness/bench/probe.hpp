#pragma once

#include "backends/status.hpp"
#include "backends/team.hpp"
#include "base/processor.hpp"
#include "harness/record/answers.hpp"

namespace ladder {

/// Every executable's answer to `probe`.
inline Availability availability(const BackendStatus& status) {
  const bool is_processor = status.available && status.device.empty();
  return {.available = status.available,
          .reason = status.available ? "" : status.reason,
          .device = is_processor ? processor_name() : status.device,
          .driver = status.driver,
          .threads = status.threads,
          .resident = status.resident,
          .pins_threads = status.pins_threads,
          .ceilings = status.ceilings,
          .profiler = status.profile != nullptr,
          .processes = has_processes(),
          .devices = &uses_several_devices != nullptr,
          .no_profiler = status.profile == nullptr ? status.no_profiler : "",
          .cache_bytes = static_cast<double>(status.cache_bytes),
          .memory_bytes = static_cast<double>(status.memory_bytes),
          .device_count = status.available && device_count != nullptr ? device_count() : 0,
          .compute_capability = status.compute_capability};
}

}  // namespace ladder
