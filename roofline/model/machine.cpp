#include "roofline/model/machine.hpp"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "base/affinity.hpp"
#include "base/processor.hpp"

namespace ladder {
namespace {

using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc: the machine's topology cannot be set up");
  Topology topology(raw, &hwloc_topology_destroy);
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc: the machine's topology cannot be read");
  return topology;
}

/// The caches of one level, with one entry per size: machines with two kinds of cores have caches of two sizes.
std::vector<Cache> caches_of(hwloc_topology_t topology) {
  std::vector<Cache> caches;
  const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
                                     HWLOC_OBJ_L5CACHE};
  for (int level = 1; level <= 5; ++level)
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, levels[level - 1], object)) != nullptr;) {
      const auto bytes = static_cast<std::int64_t>(object->attr->cache.size);
      if (bytes == 0) continue;
      const auto same =
          std::find_if(caches.begin(), caches.end(), [&](const Cache& c) { return c.level == level && c.bytes == bytes; });
      if (same == caches.end())
        caches.push_back({.level = level, .bytes = bytes, .count = 1});
      else
        ++same->count;
    }
  return caches;
}

/// One logical processor per core that this process may use, with the operating system's numbering.
std::vector<int> processors_of(hwloc_topology_t topology) {
  std::vector<int> numbers;
  const hwloc_obj_type_t type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const std::vector<int> allowed = allowed_processors();
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
    for (int number = hwloc_bitmap_first(object->cpuset); number >= 0; number = hwloc_bitmap_next(object->cpuset, number))
      if (allowed.empty() || std::binary_search(allowed.begin(), allowed.end(), number)) {
        numbers.push_back(number);
        break;
      }
  return numbers;
}

/// Flags in /proc/cpuinfo that determine vector width and vector operations.
constexpr std::array instruction_sets{"sse4_2",   "avx",         "fma",         "avx2",     "avx512f", "avx512dq", "avx512bw",
                                      "avx512vl", "avx512_bf16", "avx512_fp16", "amx_tile", "asimd",   "sve",      "sve2"};

}  // namespace

Processor parse_cpuinfo(std::string_view text) {
  std::map<std::string, std::string> values;  // of the first processor
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    values.emplace(name, line.substr(std::min(colon + 2, line.size())));
  }
  const auto text_of = [&](const char* x86, const char* arm) { return values.contains(x86) ? values[x86] : values[arm]; };
  // On Arm, numbers are hexadecimal with a 0x prefix.
  const auto number_of = [&](const char* x86, const char* arm) {
    return static_cast<int>(std::strtol(text_of(x86, arm).c_str(), nullptr, 0));
  };
  Processor processor{.vendor = text_of("vendor_id", "CPU implementer"),
                      .family = number_of("cpu family", "CPU architecture"),
                      .model = number_of("model", "CPU part"),
                      .stepping = number_of("stepping", "CPU revision"),
                      .instruction_sets = {}};
  std::istringstream words(text_of("flags", "Features"));
  const std::vector<std::string> flags{std::istream_iterator<std::string>(words), {}};
  for (const char* set : instruction_sets)
    if (std::find(flags.begin(), flags.end(), set) != flags.end()) processor.instruction_sets.emplace_back(set);
  return processor;
}

Machine this_machine() {
  const Topology topology = load_topology();
  Machine machine;
  machine.processor = processor_name();
  std::ifstream cpuinfo("/proc/cpuinfo");
  machine.identity = parse_cpuinfo(std::string(std::istreambuf_iterator<char>(cpuinfo), {}));
  machine.cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
  // Some virtual machines report only logical processors.
  if (machine.cores <= 0) machine.cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
  machine.caches = caches_of(topology.get());
  machine.memory_bytes = static_cast<std::int64_t>(hwloc_get_root_obj(topology.get())->total_memory);
  machine.numa_nodes = std::max(1, hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_NUMANODE));
  machine.processors = processors_of(topology.get());
  return machine;
}

}  // namespace ladder
