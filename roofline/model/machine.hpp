#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// The data (or unified) caches of one level and size.
struct Cache {
  int level = 0;           ///< 1 is nearest to the core
  std::int64_t bytes = 0;  ///< of each
  int count = 1;           ///< number of such caches in the machine, e.g. one per core

  friend bool operator==(const Cache&, const Cache&) = default;
};

/// Distinguishes processors of the same name.
struct Processor {
  std::string vendor;  ///< e.g. `AuthenticAMD`; on Arm the implementer, e.g. `0x41`
  int family = 0;
  int model = 0;
  int stepping = 0;
  std::vector<std::string> instruction_sets;  ///< vector instructions that the operating system offers, narrowest first
};

/// The first processor of a text such as /proc/cpuinfo, of x86 or Arm.
Processor parse_cpuinfo(std::string_view text);

/// Facts that limit the speed of a program, as far as they are known without measuring.
struct Machine {
  std::string processor;  ///< as the operating system names it
  Processor identity;
  int cores = 0;                  ///< physical cores that this process may use
  std::vector<Cache> caches;      ///< nearest level first
  std::int64_t memory_bytes = 0;  ///< main memory of all NUMA nodes
  int numa_nodes = 1;
  std::vector<int> processors;  ///< the operating system's number of one logical processor of each core
};

/// The machine that this process runs on, according to hwloc. @throws std::runtime_error if hwloc fails
Machine this_machine();

}  // namespace ladder
