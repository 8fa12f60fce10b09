#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/conditions.hpp"
#include "base/file.hpp"
#include "harness/record/records.hpp"

namespace ladder {

/// The backend in rows of contenders, which are programs that are not rungs of this project.
constexpr std::string_view foreign_backend = "foreign";

/// One stored row: a check, a sample, its twin or a ceiling. docs/architecture.md ("Stored rows") explains each column; unknown
/// numbers are NaN and unknown counts 0.
struct Row : Conditions {
  std::size_t line = 0;  ///< line in the source file
  std::string session;
  int round = 0;
  int order = 0;
  std::string utc;
  std::string kind;
  std::string rung;
  std::string build;
  std::string backend;
  std::string case_name;
  std::string grid;
  std::int64_t cells = 0;
  std::string precision;
  std::string tuning;
  int threads = 0;
  std::string outcome;
  std::string reason;
  std::int64_t check_steps = 0;
  double population_error = unknown;
  double tolerance = unknown;
  double history_error = unknown;
  std::int64_t steps = 0;
  double seconds = unknown;
  double updates_per_second = unknown;
  double bytes_per_update_model = unknown;
  double bytes_per_update_minimum = unknown;
  double flops_per_update = unknown;
  double footprint_bytes = unknown;
  std::string device;  ///< a shared_device() if several processes or parts share it
  std::string key;
  std::string suspicious;
  int q = 0;
  int reach = 0;
  std::int64_t fluid_cells = 0;
  int nx = 0, ny = 0, nz = 0;
  std::string placement;
  std::string bytes_per_update_levels;
  std::string reason_code;
  std::string phases;
  double joules = unknown;
  std::string energy_domain;
  std::string time_source;
  double wall_seconds = unknown;
  double cpu_seconds = unknown;
  std::string validation;
  double relative_error = unknown;
  double relative_tolerance = unknown;  ///< accepted `relative_error`, not stored
  double queue_seconds = unknown;
  double total_seconds = unknown;
  int processes = 0;  ///< counted; `placement` has the requested number
  int nodes = 0;      ///< likewise

  [[nodiscard]] bool ok() const { return outcome == "ok"; }
  /// Whether the row belongs to a program that is not a rung of this project.
  [[nodiscard]] bool is_foreign() const { return backend == foreign_backend; }
  /// Whether its results are compared with the reference.
  [[nodiscard]] bool is_checked() const { return validation != "none"; }
  /// Total number of threads over all processes, at least 1; for placements with several devices, multiplied by their number.
  [[nodiscard]] std::int64_t workers() const;
  /// Number of devices that the sample had to itself: those of all processes and parts, for CUDA and OpenCL; 1 for other
  /// backends, and if a device is shared.
  [[nodiscard]] std::int64_t devices() const;
  /// Energy per update; NaN if it was not measured.
  [[nodiscard]] double joules_per_update() const;
  /// Declared bytes per update between processor and DRAM; NaN if the rung declares only other memory levels.
  [[nodiscard]] double dram_bytes_per_update() const;
};

/// Declared bytes per update at one memory level: `dram`, `l2`, `shared`, `cache`.
struct LevelTraffic {
  std::string level;
  double read = 0;
  double write = 0;
};

/// Parses a text such as `dram=36+36;shared=72+72`; empty if it is invalid.
std::vector<LevelTraffic> parse_levels(std::string_view text);

/// The bytes of `dram` in `levels`; `model` if `levels` is empty; NaN if it has only other levels.
double dram_bytes(std::string_view levels, double model);

/// Seconds in one phase of a step.
struct PhaseTime {
  std::string name;
  double seconds = 0;
};

/// Parses a text such as `stream=0.00125;collide=0.0031`; empty if it is invalid.
std::vector<PhaseTime> parse_phases(std::string_view text);

/// The name of a device shared by this many processes or parts: `NVIDIA H200, shared by 2 processes`.
std::string shared_device(std::string_view device, int users, std::string_view kind);
/// Whether a name has this form.
bool is_shared_device(std::string_view device);

/// The columns that answer `measure`, as listed in docs/architecture.md.
std::vector<ColumnText> sample_columns();

using RowFile = RecordFile<Row>;

/// @throws FileError with file and line if a column is missing or a value is invalid
inline RowFile parse_rows(const std::filesystem::path& path, std::string_view text) { return parse_records<Row>(path, text); }
inline RowFile read_rows(const std::filesystem::path& path) { return parse_rows(path, read_whole(path)); }

}  // namespace ladder
