#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "harness/run/processor_counters.hpp"
#include "harness/run/store.hpp"
#include "program/profile.hpp"
#include "program/profiling.hpp"

namespace ladder {

/// Backends whose rungs are profiled with processor counters: those whose steps run in the threads of one process.
const std::set<std::string>& processor_backends();

/// Reads the counters of processors and stores them. Where the kernel does not permit that, compares a rung's rate with its
/// rate in the L2 cache instead, which tells whether memory or instructions limit it.
class ProcessorProfiler {
 public:
  ProcessorProfiler(const Context& context, const ProfileOptions& options, Catalogue& catalogue);

  /// Returns whether counters were stored; if not, prints why and the rates.
  /// @throws Unavailable, InputError; std::runtime_error if the rung is wrong
  bool profile(const Executable& rung);

  [[nodiscard]] std::filesystem::path file() const { return session_.file(); }

 private:
  [[nodiscard]] Cell cell_of(const Executable& rung, const std::string& case_name) const;
  void store(const Executable& rung, const Cell& cell, Profile row);
  void compare_with_cache(const Executable& rung, const Cell& cell, const Row& sample) const;

  const ProfileOptions& options_;
  Catalogue& catalogue_;
  ProfileSession session_;
  PerfKernel kernel_;
  const ProcessorCounters counters_;
  std::optional<ProfileStore> store_;
};

/// The name of a case whose sides are half as long as in `grid`: `box-64x32` for `box-128x64`. Empty if the name does not
/// contain the sides, or if they are too short.
std::string halved_case(const std::string& case_name, const std::string& grid);

}  // namespace ladder
