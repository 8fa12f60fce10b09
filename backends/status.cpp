#include "backends/status.hpp"

#include <algorithm>
#include <string>

namespace ladder {
namespace {

/// Combines `a` and `b`, or returns the one that is not empty.
std::string joined(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + ", " + b;
}

}  // namespace

BackendStatus combined(const std::vector<BackendStatus>& parts) {
  BackendStatus all = parts.front();
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    all.available = all.available && part->available;
    all.reason = joined(all.reason, part->reason);
    all.device = joined(all.device, part->device);
    all.driver = joined(all.driver, part->driver);
    all.threads = std::max(all.threads, part->threads);
    if (all.gpu.empty()) all.gpu = part->gpu;
    all.cache_bytes = std::max(all.cache_bytes, part->cache_bytes);
    if (all.compute_capability.empty()) all.compute_capability = part->compute_capability;
    all.memory_bytes = std::max(all.memory_bytes, part->memory_bytes);
    all.resident = all.resident || part->resident;
    all.pins_threads = all.pins_threads || part->pins_threads;
    if (!part->ceilings.empty()) all.ceilings = part->ceilings;
    if (all.profile == nullptr) all.profile = part->profile;
    if (!part->no_profiler.empty()) all.no_profiler = part->no_profiler;
  }
  return all;
}

}  // namespace ladder
