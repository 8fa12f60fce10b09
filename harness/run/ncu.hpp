#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/profiles.hpp"

/// Lists the metrics to request from Nsight Compute (`ncu`) and parses its output. Other code starts it.
namespace ladder {

/// One kernel launch with its counters, by metric name, in bytes, seconds, percent and counts.
struct KernelLaunch {
  std::string kernel;
  std::map<std::string, double> metrics;      ///< those that were read
  std::map<std::string, std::string> unread;  ///< value and unit of the others, e.g. `n/a` or `3 furlong`
};

/// Combined counters of all launches of one or more kernels.
struct KernelProfile : KernelCounters {
  std::map<std::string, double> stalls;  ///< waiting warps per issued instruction, by reason; mean over time
};

/// The metrics of a profile, by Nsight Compute's names for compute capability 9.0. `with_details`: include those of
/// detailed_counters.
std::vector<std::string> ncu_metrics(bool with_details);

/// Parses the output of `ncu --csv --page raw`: Nsight Compute's messages, which begin with `==`, a header, a row of units, and
/// one row per launch. Numbers may have thousands separators; metrics that could not be read are left out.
/// @throws InputError with the reason if there is no such table
std::vector<KernelLaunch> parse_ncu(std::string_view text);

/// One profile per kernel, in order of first launch.
std::vector<KernelProfile> by_kernel(const std::vector<KernelLaunch>& launches);

/// A single profile of all launches, without a name.
KernelProfile together(const std::vector<KernelLaunch>& launches);

/// Stall reasons of warps, e.g. `long_scoreboard=12.3;wait=1.2`, longest first; values below 0.01 are left out.
std::string stalls_text(const std::map<std::string, double>& stalls);

/// Fills in the counters of a row.
void set_counters(Profile& row, const KernelProfile& counters);

/// Whether Nsight Compute reports that this user may not read the GPU's counters.
bool is_permission_error(std::string_view text);

/// The metrics that Nsight Compute reports as unknown, with or without the part after the first dot.
std::vector<std::string> unknown_metrics(std::string_view text, const std::vector<std::string>& metrics);

/// The version in the output of `ncu --version`, e.g. `2025.3.1.0`; empty if there is none.
std::string ncu_version(std::string_view text);

}  // namespace ladder
