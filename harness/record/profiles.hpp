#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "harness/record/counters.hpp"
#include "harness/record/records.hpp"

namespace ladder {

/// Hardware counters for launches of one or several kernels combined. NaN if they were not read.
struct KernelCounters {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string kernel;
  std::int64_t launches = 0;
  double registers_per_thread = unknown;
  double seconds = unknown;
  double dram_bytes_read = unknown;
  double dram_bytes_written = unknown;
  double l2_bytes = unknown;
  double l1_bytes = unknown;
  double occupancy = unknown;
  double occupancy_limit = unknown;
  double instructions = unknown;
  double fma_instructions = unknown;
  DetailedValues details = unknown_details();  ///< in the order of detailed_counters

  [[nodiscard]] bool has_details() const {
    return std::ranges::any_of(details, [](double value) { return !std::isnan(value); });
  }
  [[nodiscard]] double dram_bytes() const { return dram_bytes_read + dram_bytes_written; }
  [[nodiscard]] double microseconds_per_launch() const { return 1e6 * seconds / static_cast<double>(launches); }
  /// Fraction of executed instructions that are multiply-adds.
  [[nodiscard]] double fma_share() const { return fma_instructions / instructions; }
};

/// `profiler` of rows with a processor's counters.
inline constexpr const char* processor_profiler = "perf_event_open";

/// One stored row of hardware counters, either for all launches of one kernel during some steps or for all kernels combined.
/// docs/architecture.md ("Profiles") explains each column; unknown numbers are NaN.
struct Profile : KernelCounters {
  std::size_t line = 0;  ///< line in the source file
  std::string session, utc, kind;
  std::string rung, build, backend, case_name, grid;
  std::int64_t cells = 0;
  std::string precision, tuning, device;
  std::string executable, profiler, replay;
  std::int64_t steps = 0;
  std::string stalls_text;
  double bytes_per_update_model = unknown;
  double bytes_per_update_minimum = unknown;
  double flops_per_update = unknown;
  double footprint_bytes = unknown;
  std::string bytes_per_update_levels;
  double step_seconds = unknown;              ///< without a profiler
  double step_seconds_recorded = unknown;     ///< while CUPTI records kernels, copies and calls
  double step_seconds_one_counter = unknown;  ///< while Nsight Compute reads one counter
  double step_seconds_profiled = unknown;     ///< while it reads all counters
  double cycles = unknown;                    ///< of a processor's threads, like the next two
  double cache_misses = unknown;
  double running_share = unknown;  ///< below 1: the counts are scaled

  /// Converts a sum to a value per update.
  [[nodiscard]] double per_update(double sum) const { return sum / (static_cast<double>(cells) * static_cast<double>(steps)); }
  /// Bytes moved between cache and DRAM per update.
  [[nodiscard]] double dram_bytes_per_update() const { return per_update(dram_bytes()); }
  /// Whether these are counters of processors, not of GPUs.
  [[nodiscard]] bool is_of_processor() const { return profiler == processor_profiler; }
  [[nodiscard]] double instructions_per_cycle() const { return instructions / cycles; }
  /// Stall reasons and, for each, the number of waiting warps per issued instruction, in the order of the file.
  [[nodiscard]] std::vector<std::pair<std::string, double>> stalls() const;
};

using ProfileFile = RecordFile<Profile>;

/// @throws FileError with file and line if a column is missing or a value is invalid
inline ProfileFile parse_profiles(const std::filesystem::path& path, std::string_view text) {
  return parse_records<Profile>(path, text);
}
inline ProfileFile read_profiles(const std::filesystem::path& path) { return parse_profiles(path, read_whole(path)); }

}  // namespace ladder
