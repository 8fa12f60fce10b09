#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// The data or unified caches of the same level and size.
struct Cache {
  int level = 0;           ///< 1 is nearest to the core
  std::int64_t bytes = 0;  ///< size of each cache
  int count = 1;           ///< how many the machine has, e.g. one per core

  friend bool operator==(const Cache&, const Cache&) = default;
};

/// Details that distinguish processors of the same name.
struct Processor {
  std::string vendor;  ///< e.g. `AuthenticAMD`; on Arm the implementer, e.g. `0x41`
  int family = 0;
  int model = 0;
  int stepping = 0;
  std::vector<std::string> instruction_sets;  ///< vector instruction sets available to programs, narrowest first
};

/// Parses the first processor of a text in the format of /proc/cpuinfo, for x86 or Arm.
Processor parse_cpuinfo(std::string_view text);

/// Properties that limit a program's speed and can be determined without measuring.
struct Machine {
  std::string processor;  ///< name reported by the operating system
  Processor identity;
  int cores = 0;                  ///< physical cores available to this process
  std::vector<Cache> caches;      ///< innermost level first
  std::int64_t memory_bytes = 0;  ///< main memory of all NUMA nodes
  int numa_nodes = 1;
  std::vector<int> processors;  ///< one logical processor per core, with the operating system's numbering
};

/// The machine that this process runs on, as described by hwloc. @throws std::runtime_error if hwloc fails
Machine this_machine();

}  // namespace ladder
