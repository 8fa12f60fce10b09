#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/rung.hpp"

namespace ladder {

/// A folder of reference states, shared by all rungs that are checked on the same case. Each file holds one state with its
/// history and a checksum; incomplete or damaged files are ignored. When the limit is exceeded, the least recently used files
/// are removed.
class ReferenceCache {
 public:
  /// A cache that stores nothing.
  ReferenceCache() = default;
  explicit ReferenceCache(std::filesystem::path folder, double most_bytes = 2'147'483'648.0)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// The cache in the folder that LADDER_REFERENCES names; stores nothing if the variable is unset or empty.
  static ReferenceCache from_environment();

  /// Reads the state after `step` steps into `state`, whose q and box must match, and the observables of these steps. `key`
  /// contains everything that determines the state. Returns false if there is no such file.
  bool load(const std::string& key, std::int64_t step, Populations& state, std::vector<double>& history) const;

  /// Stores a state. Does nothing if the file cannot be written or would take more than an eighth of the limit.
  void save(const std::string& key, std::int64_t step, const Populations& state, std::span<const double> history) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key, std::int64_t step) const;
  /// Removes files until `bytes` more bytes fit.
  void make_room(double bytes) const;

  std::filesystem::path folder_;
  double most_bytes_ = 0;
};

/// Hash of the library or program that contains the code at `address`.
std::string hash_of_library(const void* address);

}  // namespace ladder
