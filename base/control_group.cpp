#include "base/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

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

/// The value of `name` in a file with one `name value` pair per line; 0 if absent.
double value_of(const fs::path& path, std::string_view name) {
  std::ifstream file(path);
  double value = 0;
  for (std::string key; file >> key >> value;)
    if (key == name) return value;
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
    // Memory for cached files counts as used, but it is released when needed.
    left.memory_bytes = std::min(left.memory_bytes, limit - used + value_of(folder / "memory.stat", "inactive_file"));
    std::ifstream file(folder / "cpu.max");  // `150000 100000`, or `max 100000`
    double quota = 0, period = 0;
    if (file >> quota >> period && period > 0 && quota / period < left.processors) {
      left.processors = quota / period;
      left.periods = value_of(folder / "cpu.stat", "nr_periods");
      left.throttled = value_of(folder / "cpu.stat", "nr_throttled");
    }
    if (group.empty()) return left;
  }
}

double throttled_fraction(const ControlGroups& before, const ControlGroups& after) {
  const double periods = after.periods - before.periods, throttled = after.throttled - before.throttled;
  return periods > 0 && throttled >= 2 ? throttled / periods : 0;
}

}  // namespace ladder
