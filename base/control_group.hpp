#pragma once

#include <filesystem>
#include <limits>

namespace ladder {

/// What the control groups of this process, from its own up to the root, leave to it. Infinite where nothing is limited.
struct ControlGroups {
  double memory_bytes = std::numeric_limits<double>::infinity();  ///< that may still be allocated
  double processors = std::numeric_limits<double>::infinity();    ///< quota: processor time per wall time
  // Counters of the group with the lowest quota; 0 if there is no quota.
  double periods = 0;    ///< scheduling periods so far
  double throttled = 0;  ///< periods in which the quota stopped the group's processes
};

/// `member`: names the process's group, in the format of /proc/self/cgroup; `root`: where the groups are mounted.
ControlGroups control_groups(const std::filesystem::path& member = "/proc/self/cgroup",
                             const std::filesystem::path& root = "/sys/fs/cgroup");

/// Fraction of the scheduling periods between `before` and `after` that were throttled; 0 if fewer than two were, or if there
/// is no quota.
double throttled_fraction(const ControlGroups& before, const ControlGroups& after);

}  // namespace ladder
