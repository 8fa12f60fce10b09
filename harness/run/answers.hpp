#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Answers of executables, read from their output. Executables are not trusted.
namespace ladder {

/// Names of the number formats that a rung stores its lattice in, from its `describe`; none for a rung that is not built.
std::vector<std::string> numbers_of(const nlohmann::ordered_json& description);

/// The format that `asked` names. If that is empty: the default format, or the rung's first one if it lacks the default.
/// @throws InputError for an unknown format, and for one that the rung does not accept
std::string number_for(const nlohmann::ordered_json& description, const std::string& asked);

/// Answer of `probe`: whether a backend can run here, and what it can do (backends/status.hpp).
struct Availability {
  bool available = false;
  bool is_broken = false;  ///< no executable answered: it is not known whether it could run
  std::string reason;
  std::string device;
  std::string driver;
  int threads = 0;
  double cache_bytes = 0;          ///< size of the device's own last level of cache; 0 if it has none
  std::string compute_capability;  ///< of an NVIDIA GPU, e.g. `9.0`
  double memory_bytes = 0;         ///< size of the device's own memory; 0 if it has none or does not report it
  bool resident = false;           ///< its processes are kept from one cell to the next
  bool pins_threads = false;       ///< it takes any number of threads, bound to OMP_PLACES
  bool processes = false;          ///< it runs in several processes; the first answers for all
  bool devices = false;            ///< it uses several devices per process
  int device_count = 0;            ///< devices of this machine that it may use; 0 if it has none of its own
  std::string ceilings;            ///< the backend whose ceilings limit it
  bool profiler = false;
  std::string no_profiler;  ///< why there is no profiler
};

/// Answer of `case`.
struct CaseAnswer {
  std::string grid;
  std::int64_t cells = 0, fluid_cells = 0;
  std::array<int, 3> sides = {};
  int q = 0, reach = 0;
  std::string content;  ///< hash
};

/// Answer of `check`. Missing numbers are NaN.
struct CheckAnswer {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  bool ok = false;
  std::string reason;
  std::int64_t steps = 0;
  double population_error = unknown;
  double tolerance = unknown;
  double history_error = unknown;
  double relative_error = unknown;  ///< of contenders; see Row
};

/// Answer of `measure`: the one sample in Google Benchmark's JSON. Missing numbers are NaN.
struct SampleAnswer {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::int64_t cells = 0;
  std::int64_t steps = 0;
  double seconds = 0;
  double footprint_bytes = unknown;
  double bytes_per_update = unknown;
  double flops_per_update = unknown;
  double other_load = unknown, steal = unknown, involuntary_switches = unknown, cpu_mhz = unknown;
  double working_threads = unknown;  ///< number of the process's threads that ran
  double gpu_mhz = unknown, gpu_celsius = unknown, gpu_watts = unknown;
  double queue_seconds = unknown;
  double joules = unknown;
  std::string energy_domain;  ///< what the joules are of; empty if they are unknown
  std::string affinity, pages, gpu_throttle;
  std::string traffic;  ///< of this case and tuning, by memory level; see parse_levels()
  std::string phases;   ///< seconds of each phase of a step; see parse_phases()
};

/// Nothing if `text` is not such an answer, whole and in range.
std::optional<Availability> parse_probe(std::string_view text);
std::optional<CaseAnswer> parse_case(std::string_view text);
std::optional<CheckAnswer> parse_check(std::string_view text);
std::optional<SampleAnswer> parse_sample(std::string_view text);

/// The error in the answer of `describe` of a rung or of ceilings; empty if there is none. Every reader of an answer without
/// error finds the members that it needs, with the right types.
std::string fault_of(const nlohmann::ordered_json& description);

}  // namespace ladder
