#include "harness/run/noise_flags.hpp"

#include <algorithm>

namespace ladder {

std::string NoiseFlags::of(const Row& row, bool pins_threads, int asked, double throttled) {
  std::string reasons;
  const auto suspect = [&](const char* reason) { reasons += (reasons.empty() ? "" : ";") + std::string(reason); };
  const double left_over = row.gpu_mhz > 0 ? processors_ - std::max(asked, 1) - 1 : 0;
  const auto taken = [](double processors) { return processors > 0 ? processors : 0; };  // unknown: NaN
  const bool is_spared = taken(row.other_load) + taken(row.steal) <= left_over;
  if (row.other_load > accepted_load && !is_spared) suspect("load");
  if (row.steal > accepted_steal && !is_spared) suspect("steal");
  if (pins_threads && row.affinity.find_first_of("-,") != std::string::npos) suspect("unpinned");
  if (pins_threads && row.threads < asked) suspect("threads");
  if (throttled > accepted_throttling) suspect("quota");
  const auto is_low = [&](const char* name, double clock) {
    if (clock <= 0) return false;
    double& highest = highest_[row.device + name];
    highest = std::max(highest, clock);
    return clock < accepted_clock * highest;
  };
  const bool cpu_is_low = is_low(" cpu", row.cpu_mhz);
  const bool gpu_is_low = is_low(" gpu", row.gpu_mhz);
  if (cpu_is_low || gpu_is_low) suspect("clock");
  if (!row.gpu_throttle.empty()) suspect("throttle");
  return reasons;
}

}  // namespace ladder
