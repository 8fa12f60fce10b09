#include "base/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The first number in a file, or `otherwise`.
double number_in(const fs::path& path, double otherwise) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : otherwise;
}

/// Memory for cached files counts as used, but it is released when needed.
double cached_bytes(const fs::path& group) {
  std::ifstream file(group / "memory.stat");
  double bytes = 0;
  for (std::string key; file >> key >> bytes;)
    if (key == "inactive_file") return bytes;
  return 0;
}

/// The path of the process's group below the root; a group outside this namespace begins with "..", and counts as the root.
fs::path group_in(const fs::path& member) {
  std::ifstream file(member);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::/") && line.find("..") == std::string::npos) return line.substr(4);
  return {};
}

}  // namespace

ControlGroups control_groups(const fs::path& member, const fs::path& root) {
  ControlGroups left;
  for (fs::path group = group_in(member);; group = group.parent_path()) {
    const fs::path folder = root / group;
    const double limit = number_in(folder / "memory.max", unlimited);
    const double used = number_in(folder / "memory.current", 0);
    left.memory_bytes = std::min(left.memory_bytes, limit - used + cached_bytes(folder));
    std::ifstream file(folder / "cpu.max");  // `150000 100000`, or `max 100000`
    double quota = 0, period = 0;
    if (file >> quota >> period && period > 0) left.processors = std::min(left.processors, quota / period);
    if (group.empty()) return left;
  }
}

}  // namespace ladder
