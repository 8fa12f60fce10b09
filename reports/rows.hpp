#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::reports {

/// One stored row: a check, a sample, its twin or a ceiling. Columns and units are those of docs/architecture.md; an empty
/// number is NaN, an empty count 0.
struct Row {
  std::size_t line = 0;
  std::string session;
  std::int64_t round = 0;
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
  std::int64_t threads = 0;
  std::string outcome;
  std::string reason;
  std::int64_t check_steps = 0;
  double population_error = 0;
  double tolerance = 0;
  double history_error = 0;
  std::int64_t steps = 0;
  double seconds = 0;
  double updates_per_second = 0;
  double bytes_per_update_model = 0;
  double bytes_per_update_minimum = 0;
  double flops_per_update = 0;
  double footprint_bytes = 0;
  std::string device;
  std::string key;
  // What was observed while the sample was taken; empty or NaN in stores of older versions.
  std::string affinity;
  std::string pages;
  double other_load = 0;
  double steal = 0;
  double involuntary_switches = 0;
  double cpu_mhz = 0;
  double gpu_mhz = 0;
  double gpu_celsius = 0;
  double gpu_watts = 0;
  std::string gpu_throttle;
  std::string suspicious;  ///< reasons, `load;steal`
  std::string placement;   ///< e.g. `processes=4;threads=2`; empty: one process, and as many threads as it starts by itself

  std::vector<std::string> fields;  ///< as stored, in the order of RowFile::columns

  [[nodiscard]] bool ok() const { return outcome == "ok"; }
  /// Threads of all processes, at least 1.
  [[nodiscard]] std::int64_t workers() const;
};

/// The rows of one machine in the order they were stored.
struct RowFile {
  std::filesystem::path path;
  std::vector<std::string> columns;
  std::vector<Row> rows;
  bool truncated = false;  ///< the last row was incomplete and left out
};

/// Names of the number formats that a row may have.
std::vector<std::string> number_names();

/// @throws InputError with file and line where a column is missing or a value is none that the column accepts
RowFile read_rows(const std::filesystem::path& path);
/// The same of a text that came from `path`.
RowFile parse_rows(const std::filesystem::path& path, std::string_view text);

/// Rows of some files as CSV for a reader: `file`, `line`, and the columns as stored, in the order of files and lines. A column
/// that a file lacks, as older ones may, is empty.
std::string to_csv(const std::vector<const RowFile*>& files, const std::vector<const Row*>& rows);

}  // namespace ladder::reports
