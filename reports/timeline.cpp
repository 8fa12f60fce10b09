#include "reports/timeline.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/key_values.hpp"

namespace ladder::reports {
namespace {

using Events = std::vector<const TimelineEvent*>;

/// Orders numbers by value, and other texts after them.
std::pair<std::int64_t, std::string> place_of(const std::string& queue) {
  std::int64_t number = 0;
  return read_number(queue, number) ? std::pair(number, std::string()) : std::pair(INT64_MAX, queue);
}

template <class Accepts>
Events those(const Events& events, Accepts accepts) {
  Events some;
  std::ranges::copy_if(events, std::back_inserter(some), [&](const TimelineEvent* event) { return accepts(*event); });
  return some;
}

}  // namespace

Spans joined_spans(Spans spans) {
  std::ranges::sort(spans);
  Spans joined;
  for (const auto& [begin, end] : spans)
    if (!joined.empty() && begin <= joined.back().second)
      joined.back().second = std::max(joined.back().second, end);
    else
      joined.emplace_back(begin, end);
  return joined;
}

Spans common_spans(const Spans& a, const Spans& b) {
  Spans common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double begin = std::max(a[i].first, b[j].first), end = std::min(a[i].second, b[j].second);
    if (begin < end) common.emplace_back(begin, end);
    if (a[i].second < b[j].second)
      ++i;
    else
      ++j;
  }
  return common;
}

double length_of(const Spans& spans) {
  double length = 0;
  for (const auto& [begin, end] : spans)
    length += end - begin;
  return length;
}

Spans spans_of(const Events& events, std::string_view kind) {
  Spans spans;
  for (const TimelineEvent* event : events)
    if (kind.empty() || event->kind == kind) spans.emplace_back(event->begin, event->end);
  return joined_spans(std::move(spans));
}

std::vector<TimelineLane> lanes_of(const Events& events) {
  std::vector<TimelineLane> lanes;
  for (const TimelineEvent* event : events) {
    const auto found = std::ranges::find_if(lanes, [&](const TimelineLane& lane) {
      return lane.process == event->process && lane.queue == event->queue && (lane.is_host() || lane.gpu == event->gpu);
    });
    TimelineLane& lane =
        found != lanes.end() ? *found : lanes.emplace_back(TimelineLane{event->process, event->gpu, event->queue});
    lane.events.push_back(event);
  }
  std::ranges::stable_sort(lanes, {}, [](const TimelineLane& lane) {
    return std::tuple(lane.process, !lane.is_host(), lane.is_host() ? 0 : lane.gpu, place_of(lane.queue));
  });
  return lanes;
}

std::vector<ProcessTimes> process_times(const Events& events) {
  std::set<std::int64_t> processes;
  for (const TimelineEvent* event : events)
    processes.insert(event->process);
  std::vector<ProcessTimes> all;
  for (const std::int64_t process : processes) {
    const Events own = those(events, [&](const TimelineEvent& event) { return event.process == process; });
    const Spans kernels = spans_of(own, "kernel"), copies = spans_of(own, "copy"), waits = spans_of(own, "wait");
    const Spans work = spans_of(those(own, [](const TimelineEvent& event) { return !event.is_of_host(); }));
    all.push_back(
        {.process = process,
         .kernels = length_of(kernels),
         .copies = length_of(copies),
         .waits = length_of(waits),
         .copies_hidden = length_of(common_spans(copies, kernels)),
         .waits_for_work = length_of(common_spans(waits, work)),
         .host_busy = length_of(spans_of(those(own, [](const TimelineEvent& event) { return event.is_of_host(); })))});
  }
  return all;
}

std::vector<LaneTimes> lane_times(const std::vector<TimelineLane>& lanes, double whole) {
  std::vector<LaneTimes> all;
  for (const TimelineLane& lane : lanes) {
    Spans others;
    for (const TimelineLane& other : lanes)
      if (&other != &lane && other.process == lane.process && !other.is_host())
        std::ranges::copy(spans_of(other.events), std::back_inserter(others));
    const Spans busy = spans_of(lane.events);
    all.push_back({.lane = &lane,
                   .kernels = length_of(spans_of(lane.events, "kernel")),
                   .copies = length_of(spans_of(lane.events, "copy")),
                   .calls = length_of(spans_of(lane.events, "call")),
                   .waits = length_of(spans_of(lane.events, "wait")),
                   .busy = length_of(busy),
                   .overlapped = length_of(common_spans(busy, joined_spans(std::move(others)))),
                   .idle = whole - length_of(busy)});
  }
  return all;
}

double length_of(const Events& events) {
  if (events.empty()) return 0;
  const double begin = (*std::ranges::min_element(events, {}, &TimelineEvent::begin))->begin;
  return (*std::ranges::max_element(events, {}, &TimelineEvent::end))->end - begin;
}

}  // namespace ladder::reports
