#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// One level of cache of a machine.
struct CacheLevel {
  int level = 0;
  double bytes = 0;  ///< of one instance
  int count = 1;

  [[nodiscard]] double total() const { return bytes * count; }
  [[nodiscard]] std::string name() const { return "L" + std::to_string(level); }
};

/// Counted operations of one form of the collision: names (`add`, `mul`, …) and counts in the order of the file.
struct OperationCounts {
  std::string form;
  std::vector<std::pair<std::string, double>> counts;  ///< without the total
  double total = 0;
};

/// What a rung says about itself.
struct RungDescription {
  std::string id, build, backend, follows, idea, layout, traffic, source, bound, compiler, flags, collision;
  std::string executable;                                                  ///< hash of its bytes
  std::string sources;                                                     ///< hash of the files that it was built from
  std::map<std::string, double> bytes_read, bytes_written, bytes_minimum;  ///< an update, by precision
  std::vector<OperationCounts> operations;
  std::map<std::string, int> initial;  ///< tunables' values where the user names none
};

/// Where and how a session was measured.
struct Provenance {
  std::filesystem::path path;
  std::string session, utc, machine, cpu, os, kernel, commit;
  int cores = 0;
  double memory_bytes = 0;
  bool dirty = false;
  std::string pinning;             ///< what OpenMP threads were told of where to run
  std::string stop_reason;         ///< why its rounds ended; empty where it was interrupted
  int rounds = 0;                  ///< that were measured whole
  std::vector<CacheLevel> caches;  ///< smallest level first
  std::vector<std::string> command;
  std::map<std::string, std::string> devices;                    ///< by backend
  std::map<std::string, std::string> drivers;                    ///< by backend
  std::map<std::string, std::vector<CacheLevel>> device_caches;  ///< by device, of those that have caches of their own
  std::string seed;                                              ///< of the order within rounds
  std::vector<RungDescription> rungs;
  std::vector<RungDescription> ceilings;  ///< one a backend; names and hashes alone
};

/// @throws InputError where the file is not JSON, or a member has another type than docs/architecture.md says. Members that are
/// missing stay empty.
Provenance read_provenance(const std::filesystem::path& path);
/// The same of a text that came from `path`.
Provenance parse_provenance(const std::filesystem::path& path, std::string_view text);

}  // namespace ladder
