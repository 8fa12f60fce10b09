// Recorded and stored timelines, and the section that shows them. The input is a file of timelines, only its rows without the
// header, or what a recorded process writes.
#include "harness/record/timelines.hpp"

#include <cmath>

#include "reports/sections/sections.hpp"
#include "reports/timeline.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/study.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

static const std::string_view blocks = R"(
[[report]]
kind = "timeline"
)";

LADDER_FUZZ(input) {
  static const reports::Study study = study_of({}, ladder::parse_parameters("study.toml", blocks).tables_if_any("report"));
  if (input.starts_with("kind,")) {
    accepts([&] {
      for (const ladder::Activity& activity : ladder::parse_activities("timeline.0.csv", input).rows)
        require(activity.begin_ns <= activity.end_ns, "activities do not end before they begin");
    });
    return;
  }
  const bool has_header = input.starts_with("session,");
  const std::string text =
      has_header ? std::string(input) : ladder::csv_header<ladder::TimelineEvent>() + "\n" + std::string(input);
  reports::MachineData data{"m", "none", {}, {}};
  if (!accepts([&] { data.timelines = ladder::parse_timelines("m.timeline.csv", text); })) return;
  std::vector<const ladder::TimelineEvent*> events;
  for (const ladder::TimelineEvent& event : data.timelines.rows)
    events.push_back(&event);
  const double whole = reports::length_of(events);
  const auto lanes = reports::lanes_of(events);
  for (const reports::LaneTimes& times : reports::lane_times(lanes, whole))
    require(times.overlapped <= times.busy * 1.000001 && std::isfinite(times.busy), "a lane overlaps only while it is busy");
  const reports::Results results(data);
  const reports::Ceilings ceilings(results);
  const reports::Section section = reports::make_section(study.blocks.front(), {study, results, ceilings});
  for (const reports::Part& part : section.parts)
    if (const auto* figure = std::get_if<reports::Figure>(&part)) require(!figure->plot.script().empty(), "a figure is drawn");
}
