#include "reports/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "base/format.hpp"
#include "base/text.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The events of one session.
struct RecordedSteps {
  std::vector<const TimelineEvent*> events;

  [[nodiscard]] const TimelineEvent& first() const { return *events.front(); }
  /// The rung with its placement.
  [[nodiscard]] std::string title() const { return first().rung + (first().placement.empty() ? "" : ", " + first().placement); }
  [[nodiscard]] std::string id() const {
    const TimelineEvent& event = first();
    return id_slug(
        fmt::format("timeline-{}-{}-{}-{}-{}", event.rung, event.case_name, event.precision, event.tuning, event.placement));
  }
};

/// The latest timeline of each rung, case, precision, tuning and placement, by case and rung.
std::vector<RecordedSteps> latest_timelines(const Context& context, const std::vector<std::string>& rungs,
                                            const std::vector<std::string>& cases) {
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  std::map<Key, RecordedSteps> latest;
  for (const TimelineEvent& event : context.results.data().timelines.rows) {
    if (!matches_any(rungs, event.rung) || !matches_any(cases, event.case_name)) continue;
    RecordedSteps& steps = latest[{event.case_name, event.rung, event.precision, event.tuning, event.placement}];
    if (!steps.events.empty() && steps.first().session != event.session) steps.events.clear();
    steps.events.push_back(&event);
  }
  std::vector<RecordedSteps> all;
  for (auto& [key, steps] : latest)
    all.push_back(std::move(steps));
  return all;
}

/// "process 1, GPU 0, stream 13"; processes and GPUs are named if there are several.
std::vector<std::string> names_of(const std::vector<TimelineLane>& lanes) {
  std::set<std::int64_t> processes, gpus;
  for (const TimelineLane& lane : lanes) {
    processes.insert(lane.process);
    if (!lane.is_host()) gpus.insert(lane.gpu);
  }
  std::vector<std::string> names;
  for (const TimelineLane& lane : lanes)
    names.push_back((processes.size() > 1 ? fmt::format("process {}, ", lane.process) : "") +
                    (gpus.size() > 1 && !lane.is_host() ? fmt::format("GPU {}, ", lane.gpu) : "") +
                    (lane.is_host() ? "host" : "stream " + lane.queue));
  return names;
}

struct KindLook {
  std::string_view kind, name;
  Look look;
};
constexpr std::array kind_looks = {KindLook{"kernel", "kernels", {color::blue, 0}},
                                   KindLook{"copy", "copies", {color::light, 0}}, KindLook{"set", "sets", {color::deep, 0}},
                                   KindLook{"call", "calls of the host", {color::ink, 0}},
                                   KindLook{"wait", "waits of the host", {color::grid, 0}}};

/// The events of a kind in a lane as bars. Events too close to distinguish share a bar.
std::vector<Bar> bars_of(const TimelineLane& lane, std::size_t row, std::string_view kind, double whole) {
  std::vector<Bar> bars;
  std::size_t count = 0;
  for (const TimelineEvent* event : lane.events) {
    if (event->kind != kind) continue;
    if (!bars.empty() && event->begin - bars.back().value < whole / 4000) {
      bars.back().value = std::max(bars.back().value, event->end);
      bars.back().hover = fmt::format("{} events from {} µs to {} µs", ++count, significant(bars.back().from, 5),
                                      significant(bars.back().value, 5));
      continue;
    }
    count = 1;
    bars.push_back({.row = row,
                    .value = event->end,
                    .from = event->begin,
                    .hover = fmt::format("{}, {} µs from {} µs", event->name, significant(event->end - event->begin),
                                         significant(event->begin, 5))});
  }
  return bars;
}

Figure gantt(const RecordedSteps& steps, const std::vector<TimelineLane>& lanes, const std::string& title) {
  RowChart chart{.id = steps.id(),
                 .title = title,
                 .x = {"time, µs", Axis::Scale::linear, {0, length_of(steps.events)}},
                 .rows = names_of(lanes),
                 .lanes = {}};
  for (const auto& [kind, name, look] : kind_looks) {
    Lane bars{std::string(name), look};
    for (std::size_t i = 0; i < lanes.size(); ++i)
      std::ranges::move(bars_of(lanes[i], i, kind, chart.x.shown.high), std::back_inserter(bars.bars));
    if (!bars.bars.empty()) chart.lanes.push_back(std::move(bars));
  }
  for (std::size_t i = 1; i < lanes.size(); ++i)
    if (lanes[i].process != lanes[i - 1].process) chart.rules.push_back(i);
  return draw(chart);
}

std::string timeline_caption(const Context& context, const std::vector<const TimelineEvent*>& events) {
  std::set<std::string> sessions, devices;
  for (const TimelineEvent* event : events) {
    sessions.insert(event->session);
    devices.insert(event->device);
  }
  return fmt::format(
      "Recorded with CUPTI on {}: {} of experiments/{}/results/{}.timeline.csv, session {}. Recording slows the "
      "host's calls; these times are not samples.",
      joined({devices.begin(), devices.end()}), counted(events.size(), "row"), context.study.name, context.results.data().name,
      joined({sessions.begin(), sessions.end()}, 6));
}

bool has_several_processes(const RecordedSteps& steps) {
  return std::ranges::any_of(steps.events, [](const TimelineEvent* event) { return event->process > 0; });
}

/// A row of the table.
struct LaneLine {
  const RecordedSteps* steps;
  std::string name;
  LaneTimes times;
  double whole;
};

std::string named_kernels(const LaneLine& line) {
  std::vector<std::string> names;
  for (const TimelineEvent* event : line.times.lane->events)
    if (event->kind == "kernel") add_once(names, event->name);
  return joined(names, 3);
}

Table lane_table(const std::vector<LaneLine>& lines, const std::string& case_name) {
  const auto time = [](double LaneTimes::*sum) { return [sum](const LaneLine& line) { return line.times.*sum; }; };
  const auto share = [](double LaneTimes::*sum) {
    return [sum](const LaneLine& line) { return share_cell(line.times.*sum / line.whole); };
  };
  return tabulate("timeline-" + case_name, fmt::format("Activity of each queue, {}", case_name),
                  {{"Rung", "rung", [](const LaneLine& line) { return line.steps->title(); }},
                   {"Queue", "queue", &LaneLine::name},
                   {"Steps", "steps", [](const LaneLine& line) { return line.steps->first().steps; }},
                   {"Events", "events", [](const LaneLine& line) { return line.times.lane->events.size(); }},
                   {"Kernels", "kernels", named_kernels},
                   {"Kernels, µs", "kernels_us", time(&LaneTimes::kernels)},
                   {"Copies, µs", "copies_us", time(&LaneTimes::copies)},
                   {"Copies, of the busy time", "copies_share",
                    [](const LaneLine& line) { return share_cell(line.times.copies / line.times.busy); }},
                   {"Calls, µs", "calls_us", time(&LaneTimes::calls)},
                   {"Waits, µs", "waits_us", time(&LaneTimes::waits)},
                   {"Busy, µs", "busy_us", time(&LaneTimes::busy)},
                   {"Busy", "busy", share(&LaneTimes::busy)},
                   {"Overlapped, µs", "overlapped_us", time(&LaneTimes::overlapped)},
                   {"Idle, µs", "idle_us", time(&LaneTimes::idle)}},
                  lines);
}

/// "d2q37/mpi+cuda/02_overlap, processes=2, rt-1080x2048: 90 % of the copies' time …"
std::string overlap_text(const RecordedSteps& steps) {
  ProcessTimes sum;
  const std::vector<ProcessTimes> processes = process_times(steps.events);
  for (const ProcessTimes& times : processes) {
    sum.kernels += times.kernels;
    sum.host_busy += times.host_busy;
    sum.copies += times.copies;
    sum.copies_hidden += times.copies_hidden;
    sum.waits += times.waits;
    sum.waits_for_work += times.waits_for_work;
  }
  std::vector<std::string> parts;
  if (sum.copies > 0)
    parts.push_back(fmt::format("{} of the copies' time falls within kernels", percent(sum.copies_hidden / sum.copies)));
  if (sum.waits > 0)
    parts.push_back(
        fmt::format("{} of the host's waiting time falls within GPU work", percent(sum.waits_for_work / sum.waits)));
  const double whole = length_of(steps.events) * static_cast<double>(processes.size());
  if (sum.kernels > 0) parts.push_back(fmt::format("kernels run for {} of the time", percent(sum.kernels / whole)));
  if (processes.size() > 1)
    parts.push_back(
        fmt::format("the hosts spend {} of it outside CUDA calls, for example in MPI", percent(1 - sum.host_busy / whole)));
  return parts.empty() ? "" : fmt::format("{}, {}: {}.", steps.title(), steps.first().case_name, joined(parts));
}

}  // namespace

void timeline(const Parameters& block, const Context& context, Section& section) {
  const std::vector<RecordedSteps> all = latest_timelines(context, block.texts("rungs", {"*"}), block.texts("cases", {"*"}));
  if (all.empty()) section.note("No timelines of these rungs are stored yet; `ladder timeline` records them.");
  std::deque<std::vector<TimelineLane>> lanes;  // the lines point to them
  std::vector<std::string> outdated;
  for (auto from = all.begin(); from != all.end();) {
    const std::string case_name = from->first().case_name;
    const auto to = std::find_if(from, all.end(), [&](const RecordedSteps& s) { return s.first().case_name != case_name; });
    std::vector<LaneLine> lines;
    std::vector<const TimelineEvent*> shown;
    for (auto steps = from; steps != to; ++steps) {
      const TimelineEvent& event = steps->first();
      const RungDescription* now = context.results.rung(event.rung, event.build);
      if (now != nullptr && !now->executable.empty() && now->executable != event.executable) add_once(outdated, event.rung);
      if (const std::string text = overlap_text(*steps); !text.empty()) section.say(text);
      lanes.push_back(lanes_of(steps->events));
      const double whole = length_of(steps->events);
      const std::vector<std::string> names = names_of(lanes.back());
      for (const LaneTimes& times : lane_times(lanes.back(), whole))
        lines.push_back({&*steps, names[static_cast<std::size_t>(times.lane - lanes.back().data())], times, whole});
      section.add(
          gantt(*steps, lanes.back(),
                fmt::format("{} steps of {}, {}, {}", event.steps, steps->title(), case_name, event.precision)),
          timeline_caption(context, steps->events) +
              (has_several_processes(*steps) ? " Gaps in a host's lane are time outside CUDA calls, for example in MPI." : ""));
      std::ranges::copy(steps->events, std::back_inserter(shown));
    }
    section.add(lane_table(lines, case_name),
                timeline_caption(context, shown) +
                    " Overlapped: the part of the busy time in which another queue of the process works. The host is busy in "
                    "CUDA calls and in waits; it may spend the rest of its time in MPI calls.");
    from = to;
  }
  if (!outdated.empty())
    section.warn(fmt::format("The recorded executable differs from the one measured last: {}.", joined(outdated, 20)));
}

}  // namespace ladder::reports
