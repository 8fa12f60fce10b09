#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/profiles.hpp"

/// Metrics requested from Nsight Compute (`ncu`), and parsing of its output. It is started elsewhere.
namespace ladder {

/// One launch of a kernel with its counters, by name of the metric, in bytes, seconds, percent and counts.
struct KernelLaunch {
  std::string kernel;
  std::map<std::string, double> metrics;      ///< those that could be read
  std::map<std::string, std::string> unread;  ///< value and unit of the others, e.g. `n/a` or `3 furlong`
};

/// Counters of launches of one kernel, or of several, together.
struct KernelProfile : KernelCounters {
  std::map<std::string, double> stalls;  ///< warps that wait, for each instruction issued, by reason; mean over time
};

/// The metrics of a profile, as Nsight Compute names them for compute capability 9.0. `with_details`: also those of
/// detailed_counters.
std::vector<std::string> ncu_metrics(bool with_details);

/// Reads the output of `ncu --csv --page raw`: lines of its own that begin with `==`, a header, a row of units, and a row for
/// each launch. Numbers may have thousands separators; metrics that could not be read are left out.
/// @throws InputError if there is no such table, with the reason
std::vector<KernelLaunch> parse_ncu(std::string_view text);

/// A profile for each kernel, in order of first launch.
std::vector<KernelProfile> by_kernel(const std::vector<KernelLaunch>& launches);

/// One profile of all launches, without a name.
KernelProfile together(const std::vector<KernelLaunch>& launches);

/// `long_scoreboard=12.3;wait=1.2`: the stall reasons of warps, longest first; those below a hundredth are left out.
std::string stalls_text(const std::map<std::string, double>& stalls);

/// Fills in the counters of a row.
void set_counters(Profile& row, const KernelProfile& counters);

/// Whether Nsight Compute says that this user may not read the GPU's counters.
bool is_permission_error(std::string_view text);

/// The metrics that Nsight Compute reports as unknown, with or without the part after their first dot.
std::vector<std::string> unknown_metrics(std::string_view text, const std::vector<std::string>& metrics);

/// The version in the output of `ncu --version`, e.g. `2025.3.1.0`; empty if there is none.
std::string ncu_version(std::string_view text);

}  // namespace ladder
