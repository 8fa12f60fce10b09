#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/timelines.hpp"

/// Sums over timelines.
namespace ladder::reports {

/// Disjoint intervals of time in order, in µs.
using Spans = std::vector<std::pair<double, double>>;

/// The union of the intervals.
Spans joined_spans(Spans spans);
/// The intersection of both.
Spans common_spans(const Spans& a, const Spans& b);
double length_of(const Spans& spans);

/// The times at which any of these events took place; an empty `kind` stands for any kind.
Spans spans_of(const std::vector<const TimelineEvent*>& events, std::string_view kind = "");

/// A queue of a process, or its host.
struct TimelineLane {
  std::int64_t process = 0, gpu = 0;
  std::string queue;
  std::vector<const TimelineEvent*> events = {};

  [[nodiscard]] bool is_host() const { return queue == "host"; }
};

/// The lanes in order: for each process, the host first, then the queues by device and number.
std::vector<TimelineLane> lanes_of(const std::vector<const TimelineEvent*>& events);

/// What a process did, in µs.
struct ProcessTimes {
  std::int64_t process = 0;
  double kernels = 0, copies = 0, waits = 0;     ///< with at least one of them
  double copies_hidden = 0, waits_for_work = 0;  ///< parts of these: during a kernel; during any work of a queue
  double host_busy = 0;                          ///< with a call or a wait
};

std::vector<ProcessTimes> process_times(const std::vector<const TimelineEvent*>& events);

/// What a lane did, in µs.
struct LaneTimes {
  const TimelineLane* lane = nullptr;
  double kernels = 0, copies = 0, calls = 0, waits = 0;  ///< `calls` excludes waits
  double busy = 0;                                       ///< with at least one event
  double overlapped = 0;                                 ///< the part of it while another queue of the process worked
  double idle = 0;                                       ///< the rest of the timeline
};

/// @param whole length of the timeline
std::vector<LaneTimes> lane_times(const std::vector<TimelineLane>& lanes, double whole);

/// From the first event to the end of the last one.
double length_of(const std::vector<const TimelineEvent*>& events);

}  // namespace ladder::reports
