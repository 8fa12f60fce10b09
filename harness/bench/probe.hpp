#pragma once

#include <nlohmann/json.hpp>

#include "backends/status.hpp"
#include "backends/team.hpp"
#include "base/processor.hpp"

namespace ladder {

/// The answer of every executable to `probe` (docs/architecture.md, "A rung is an executable").
inline nlohmann::ordered_json probe_answer(const BackendStatus& status) {
  const std::string device = status.available && status.device.empty() ? processor_name() : status.device;
  nlohmann::ordered_json answer = {{"available", status.available}, {"device", device},
                                   {"driver", status.driver},       {"threads", status.threads},
                                   {"resident", status.resident},   {"pins_threads", status.pins_threads},
                                   {"ceilings", status.ceilings},   {"profiler", status.profile != nullptr}};
  if (has_processes()) answer["processes"] = true;
  if (&uses_several_devices != nullptr) answer["devices"] = true;
  if (status.profile == nullptr) answer["no_profiler"] = status.no_profiler;
  if (status.cache_bytes > 0) answer["cache_bytes"] = status.cache_bytes;
  if (status.memory_bytes > 0) answer["memory_bytes"] = status.memory_bytes;
  if (status.available && device_count != nullptr) answer["device_count"] = device_count();
  if (!status.compute_capability.empty()) answer["compute_capability"] = status.compute_capability;
  if (!status.available) answer["reason"] = status.reason;
  return answer;
}

}  // namespace ladder
