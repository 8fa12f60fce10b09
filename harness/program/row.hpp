#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// One stored row; the columns are those of docs/architecture.md, in this order. A negative number is an empty field. New
/// columns come last, so that stores of older versions can be carried on with.
struct Row {
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
  std::int64_t cells = -1;
  std::string precision;
  std::string tuning;
  int threads = 0;
  std::string outcome;
  std::string reason;
  std::int64_t check_steps = -1;
  double population_error = -1;
  double tolerance = -1;
  double history_error = -1;
  std::int64_t steps = -1;
  double seconds = -1;
  double updates_per_second = -1;
  double bytes_per_update_model = -1;
  double bytes_per_update_minimum = -1;
  double flops_per_update = -1;
  double footprint_bytes = -1;
  std::string device;
  std::string key;
  // What was observed while a sample was taken (docs/measuring.md, "What a sample carries").
  std::string affinity;              ///< processors that threads may run on, e.g. `0;1`
  std::string pages;                 ///< memory by NUMA node, e.g. `N0=1234;N1=0` pages
  double other_load = -1;            ///< processors busy with other processes, mean
  double steal = -1;                 ///< processors taken by the hypervisor, mean
  double involuntary_switches = -1;  ///< of all threads
  double cpu_mhz = -1;
  double gpu_mhz = -1;
  double gpu_celsius = -1;
  double gpu_watts = -1;
  std::string gpu_throttle;  ///< reasons, e.g. `sw_power_cap;hw_thermal`
  std::string suspicious;    ///< why the sample may be off, e.g. `load;steal`; empty where nothing is known against it
  std::string placement;     ///< where it ran, e.g. `threads=2`; empty: one process with the backend's own threads
};

/// The first line of every store.
std::string csv_header();

/// The first lines of stores that older versions wrote: each is a prefix of csv_header().
bool is_older_header(std::string_view line);

/// The row as one line of CSV (RFC 4180), without the line break. Line breaks within a field become blanks.
std::string csv_line(const Row& row);

}  // namespace ladder
