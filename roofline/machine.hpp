#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ladder {

/// The data (or unified) caches of one level and size.
struct Cache {
  int level = 0;           ///< 1 is nearest to the core
  std::int64_t bytes = 0;  ///< of each
  int count = 1;           ///< how many of them the machine has, e.g. one a core

  friend bool operator==(const Cache&, const Cache&) = default;
};

/// What bounds the speed of a program, as far as it can be read off without measuring.
struct Machine {
  std::string processor;          ///< as the operating system names it
  int cores = 0;                  ///< physical cores that this process may use
  std::vector<Cache> caches;      ///< nearest level first
  std::int64_t memory_bytes = 0;  ///< main memory of all NUMA nodes
  int numa_nodes = 1;
  std::vector<int> processors;  ///< the operating system's number of one logical processor of each core
};

/// The machine that this process runs on, as hwloc sees it. @throws std::runtime_error where hwloc cannot tell
Machine this_machine();

}  // namespace ladder
