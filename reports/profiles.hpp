#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder::reports {

/// One stored row of hardware counters: of all launches of one kernel in some steps, or of all kernels together. Columns and
/// units are those of docs/architecture.md; an empty number is NaN.
struct Profile {
  std::size_t line = 0;
  std::string session, utc;
  std::string kind;  ///< `kernel` or `step`
  std::string rung, build, backend, case_name, precision, tuning, device;
  std::string executable;        ///< hash of its bytes
  std::string profiler, replay;  ///< `ncu 2025.3.1.0`; `kernel` or `application`
  std::string kernel;            ///< empty where all are meant
  std::string stalls_text;       ///< `long_scoreboard=12.3;wait=1.2`
  std::int64_t cells = 0;
  std::int64_t steps = 0;
  std::int64_t launches = 0;
  double registers_per_thread = 0;
  double seconds = 0;
  double dram_bytes_read = 0;  ///< of all launches, as all sums
  double dram_bytes_written = 0;
  double l2_bytes = 0;
  double l1_bytes = 0;
  double occupancy = 0;  ///< fraction of the warps that a multiprocessor can hold
  double instructions = 0;
  double fma_instructions = 0;
  double bytes_per_update_model = 0;
  double bytes_per_update_minimum = 0;
  double flops_per_update = 0;
  double footprint_bytes = 0;

  /// A sum as a number an update.
  [[nodiscard]] double per_update(double sum) const { return sum / (static_cast<double>(cells) * static_cast<double>(steps)); }
  /// Bytes between cache and DRAM for one update.
  [[nodiscard]] double dram_bytes_per_update() const { return per_update(dram_bytes_read + dram_bytes_written); }
  /// Part of the executed instructions that are multiply-adds.
  [[nodiscard]] double fma_share() const { return fma_instructions / instructions; }
  /// Reasons that warps wait for and how many wait at each instruction issued, in the order of the file.
  [[nodiscard]] std::vector<std::pair<std::string, double>> stalls() const;
};

/// The profiles of one machine in the order they were stored.
struct ProfileFile {
  std::filesystem::path path;
  std::vector<Profile> rows;
  bool truncated = false;  ///< the last row was incomplete and left out
};

/// @throws InputError with file and line where a column is missing or a value is none that the column accepts
ProfileFile read_profiles(const std::filesystem::path& path);
/// The same of a text that came from `path`.
ProfileFile parse_profiles(const std::filesystem::path& path, std::string_view text);

}  // namespace ladder::reports
