#pragma once

#include <filesystem>
#include <limits>

namespace ladder {

/// What the control groups of this process, from its own up to the root, leave to it. Infinite where nothing is limited.
struct ControlGroups {
  double memory_bytes = std::numeric_limits<double>::infinity();  ///< that may still be allocated
  double processors = std::numeric_limits<double>::infinity();    ///< quota: processor time per wall time
};

/// `member`: names the process's group, in the format of /proc/self/cgroup; `root`: where the groups are mounted.
ControlGroups control_groups(const std::filesystem::path& member = "/proc/self/cgroup",
                             const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace ladder
