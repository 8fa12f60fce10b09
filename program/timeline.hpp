#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/profiling.hpp"

namespace ladder {

struct TimelineOptions : ProfiledCell {
  std::string rung;
  std::int64_t steps = 4;
  std::string study = profile_study;  ///< study to store the timeline with
  std::string machine;
};

/// `ladder timeline`: runs a rung with the library harness/timeline, which records what the host and the queues of the GPUs do
/// during a few steps; stores the timeline and prints a summary.
int timeline(const Context& context, const TimelineOptions& options);

}  // namespace ladder
