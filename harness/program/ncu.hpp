#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/profiles.hpp"

/// What Nsight Compute (`ncu`) is asked for and what it answers. It is started elsewhere.
namespace ladder {

/// A launch of a kernel with the counters of it, by the name of the metric, in bytes, seconds, percent and counts.
struct KernelLaunch {
  std::string kernel;
  std::map<std::string, double> metrics;  ///< those that could be read
};

/// Counters of launches of one kernel, or of several, together.
struct KernelProfile : KernelCounters {
  std::map<std::string, double> stalls;  ///< warps that wait, for each instruction issued, by reason; mean over time
};

/// The metrics that a profile is made of, in the names of Nsight Compute for compute capability 9.0.
std::vector<std::string> ncu_metrics();

/// Reads what `ncu --csv --page raw` writes: lines of its own that begin with `==`, a header, a row of units, and a row for
/// each launch. Numbers may have thousands separators; metrics that could not be read are left out.
/// @throws InputError if there is no such table, naming what is wrong with it
std::vector<KernelLaunch> parse_ncu(std::string_view text);

/// A profile for each kernel, in order of first launch.
std::vector<KernelProfile> by_kernel(const std::vector<KernelLaunch>& launches);

/// One profile of all launches, without a name.
KernelProfile together(const std::vector<KernelLaunch>& launches);

/// `long_scoreboard=12.3;wait=1.2`: the reasons that warps wait for, longest first; those below a hundredth are left out.
std::string stalls_text(const std::map<std::string, double>& stalls);

/// Fills in the counters of a row.
void set_counters(Profile& row, const KernelProfile& counters);

/// Whether Nsight Compute says that this user may not read the GPU's counters.
bool is_permission_error(std::string_view text);

/// Those of the metrics that Nsight Compute says it does not know.
std::vector<std::string> unknown_metrics(std::string_view text, const std::vector<std::string>& metrics);

/// `2025.3.1.0` of what `ncu --version` says; empty if it says none.
std::string ncu_version(std::string_view text);

}  // namespace ladder
