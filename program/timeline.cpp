#include "program/timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/timelines.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/store.hpp"
#include "reports/sections/common.hpp"
#include "reports/timeline.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr double timeline_timeout_seconds = 600;

/// The activities of each process, in the order of their numbers. @throws std::runtime_error if there are none
std::vector<std::vector<Activity>> read_processes(const fs::path& folder, const std::string& said) {
  std::vector<std::pair<std::int64_t, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::int64_t number = 0;
    const std::string name = entry.path().stem().string();  // timeline.<number>
    if (entry.path().extension() == ".csv" && read_number(name.substr(name.find('.') + 1), number))
      files.emplace_back(number, entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::vector<Activity>> all;
  std::size_t count = 0;
  for (const auto& [number, path] : files) {
    all.push_back(parse_activities(path, read_whole(path)).rows);
    count += all.back().size();
  }
  const std::string quoted = said.empty() ? "" : fmt::format("; it says: {}", excerpt(said));
  if (files.empty())
    throw std::runtime_error("the CUDA driver did not load the recording library, or it saw no profiled range" + quoted);
  if (count == 0) throw std::runtime_error("nothing was recorded" + quoted);
  return all;
}

/// The errors that the library reported on standard error.
std::string errors_of_library(const std::string& text) {
  std::string errors;
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("timeline: ")) errors += std::string(line) + " ";
  return errors;
}

bool is_wait(const Activity& activity) {
  return activity.kind == "call" && activity.name.find("Synchronize") != std::string::npos;
}

std::vector<TimelineEvent> timeline_rows(const Cell& cell, const std::vector<std::vector<Activity>>& processes,
                                         std::int64_t steps, const std::string& session) {
  std::int64_t first = INT64_MAX;
  for (const auto& activities : processes)
    for (const Activity& activity : activities)
      first = std::min(first, activity.begin_ns);
  const auto microseconds = [&](std::int64_t ns) { return static_cast<double>(ns - first) / 1e3; };
  TimelineEvent row;
  row.session = session;
  describe_cell(row, cell);
  row.placement = cell.row.placement;
  row.steps = steps;
  std::vector<TimelineEvent> rows;
  for (std::size_t process = 0; process < processes.size(); ++process)
    for (const Activity& activity : processes[process]) {
      row.process = static_cast<std::int64_t>(process);
      row.kind = is_wait(activity) ? "wait" : activity.kind;
      row.name = activity.name;
      row.queue = activity.queue;
      row.gpu = activity.device;
      row.begin = microseconds(activity.begin_ns);
      row.end = microseconds(activity.end_ns);
      row.bytes = activity.bytes;
      rows.push_back(row);
    }
  return rows;
}

void print_timeline(const std::vector<TimelineEvent>& rows) {
  std::vector<const TimelineEvent*> events;
  for (const TimelineEvent& row : rows)
    events.push_back(&row);
  const TimelineEvent& row = rows.front();
  const double whole = reports::length_of(events);
  print_out("{} {} {}{}{}{}{}: {} steps in {} µs\n", row.rung, row.case_name, row.precision, row.tuning.empty() ? "" : " ",
            row.tuning, row.placement.empty() ? "" : " ", row.placement, row.steps, significant(whole));
  const auto lanes = reports::lanes_of(events);
  const auto times = reports::lane_times(lanes, whole);
  using Times = reports::LaneTimes;
  const auto share = [&](const Times& t) { return reports::share_cell(t.busy / whole); };
  print_out("{}", to_text(reports::tabulate("lanes", "",
                                            {{"process", "", [](const Times& t) { return t.lane->process; }},
                                             {"queue", "", [](const Times& t) { return t.lane->queue; }},
                                             {"events", "", [](const Times& t) { return t.lane->events.size(); }},
                                             {"kernels us", "", &Times::kernels},
                                             {"copies us", "", &Times::copies},
                                             {"calls us", "", &Times::calls},
                                             {"waits us", "", &Times::waits},
                                             {"busy", "", share},
                                             {"overlapped us", "", &Times::overlapped},
                                             {"idle us", "", &Times::idle}},
                                            times)));
  const auto part = [](double some, double all) {
    return all > 0 ? fmt::format("{} ({:.0f} %)", significant(some), 100 * some / all) : std::string("0");
  };
  for (const auto& t : reports::process_times(events))
    print_out(
        "process {}: copies take {} µs, {} of it during kernels; the host waits for {} µs, {} of it while the GPU "
        "works\n",
        t.process, significant(t.copies), part(t.copies_hidden, t.copies), significant(t.waits),
        part(t.waits_for_work, t.waits));
  flush_output();
}

}  // namespace

int timeline(const Context& context, const TimelineOptions& options) {
  Catalogue catalogue(context.bin);
  if (!options.precision.empty()) find_number(options.precision);
  parse_settings(options.settings);
  const Executable& rung = catalogue.built_rung(options.rung);
  if (const std::string why = why_no_profiler(catalogue, rung); !why.empty())
    throw InputError(why + backends_with_profiler(catalogue));
  ProfileSession session(context, catalogue, machine_name(options.machine), profile_folder(context, options.study), "timeline");
  const fs::path library = recording_library(context);
  const Cell cell = profiled_cell(catalogue, rung, session.folder(), options);
  const TemporaryFolder folder;
  Launch launch = cell.launch;
  record_with(library, folder.path() / "timeline", launch);
  const ProcessResult result =
      run_launched(launch, rung.path, profile_arguments(cell, options.steps), timeline_timeout_seconds);
  const std::string said = errors_of_library(result.err);
  profile_answer(result, timeline_timeout_seconds);
  if (!said.empty()) print_err("{}\n", said);
  const auto processes = read_processes(folder.path(), said);
  std::optional<TimelineStore> store;
  session.add(rung, cell, [&](Provenance& out) {
    store.emplace(session.file());
    if (options.study == profile_study) describe_profile_study(session.folder());
    out.profiler = ProfilerFacts{"CUPTI", "", {}};
  });
  const auto rows = timeline_rows(cell, processes, options.steps, session.id());
  store->append(rows);
  print_timeline(rows);
  print_out("rows: {}\n", session.file().string());
  return exit_ok;
}

}  // namespace ladder
