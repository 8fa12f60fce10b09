#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/commands.hpp"

namespace ladder {

struct ProfileOptions {
  std::vector<std::string> rungs;  ///< globs over rung ids
  std::string case_name;
  std::string precision;  ///< empty: the rung's default
  std::vector<std::string> settings;
  std::int64_t steps = 0;         ///< 0: a few, or many if one kernel advances several; on processors, those of a sample
  bool details = false;           ///< also the detailed counters (harness/record/counters.hpp)
  bool slowdown = false;          ///< also the time of a step with and without profilers
  std::string replay = "auto";    ///< what Nsight Compute repeats to read all counters: kernel, application, auto
  std::string study = "profile";  ///< study to store the profiles with
  std::string machine;
};

/// `ladder profile`: runs rungs under Nsight Compute, or counts what the processor does, and stores the counters. The exit code
/// is 1 if a rung failed, 2 if none could be profiled. Otherwise, rungs that cannot be profiled are skipped, with the reason on
/// standard error.
int profile(const Context& context, const ProfileOptions& options);

}  // namespace ladder
