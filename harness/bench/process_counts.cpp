#include "harness/bench/process_counts.hpp"

#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "backends/team.hpp"
#include "base/hash.hpp"

namespace ladder {
namespace {

/// Name of the node that this process runs on. With Slurm, one machine may host several nodes.
std::string node_name() {
  if (const char* name = std::getenv("SLURMD_NODENAME")) return name;
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

std::optional<ProcessCounts> process_counts() {
  if (!has_processes()) return std::nullopt;
  std::vector<double> nodes(static_cast<std::size_t>(team().size()), 0);
  nodes[static_cast<std::size_t>(team().rank())] = static_cast<double>(fnv1a(node_name()) >> 12);  // exact in a double
  team().add(nodes);
  return ProcessCounts{team().size(), std::set<double>(nodes.begin(), nodes.end()).size()};
}

}  // namespace ladder
