#include "base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/control_group.hpp"
#include "base/error.hpp"

namespace ladder {
namespace {

double system_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, unit; file >> key;) {
    double kilobytes = 0;
    file >> kilobytes;
    std::getline(file, unit);
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double available_memory() { return std::min(system_available(), control_groups().memory_bytes); }

void require_memory(double bytes, std::string_view what) {
  const double there = std::max(0.9 * available_memory(), 0.0);  // a study's default limit
  if (bytes <= there) return;
  const bool is_of_group = control_groups().memory_bytes < system_available();
  throw Refused(Reason::no_memory, fmt::format("{} needs {:.1f} GB of memory; this machine has {:.1f} GB available{}", what,
                                               bytes * 1e-9, there * 1e-9, is_of_group ? " (limit of its control group)" : ""));
}

}  // namespace ladder
