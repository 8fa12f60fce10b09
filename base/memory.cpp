#include "base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

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

double number_in(const char* path, double otherwise) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : otherwise;
}

/// Memory for cached files counts as used, but it is released when needed.
double control_group_cache() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  double bytes = 0;
  for (std::string key; file >> key >> bytes;)
    if (key == "inactive_file") return bytes;
  return 0;
}

}  // namespace

double available_memory() {
  const double unlimited = std::numeric_limits<double>::infinity();
  const double limit = number_in("/sys/fs/cgroup/memory.max", unlimited);
  const double used = number_in("/sys/fs/cgroup/memory.current", 0);
  return std::min(system_available(), limit - used + control_group_cache());
}

void require_memory(double bytes, std::string_view what) {
  const double there = 0.9 * available_memory();  // a study's default limit
  if (bytes > there)
    throw Refused(Reason::no_memory, fmt::format("{} needs {:.1f} GB of memory; this machine has {:.1f} GB available", what,
                                                 bytes * 1e-9, there * 1e-9));
}

}  // namespace ladder
