#include "program/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "harness/record/placement.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/session.hpp"
#include "program/commit_build.hpp"
#include "program/json.hpp"
#include "program/own_file.hpp"
#include "program/stored_results.hpp"
#include "reports/chart.hpp"
#include "reports/gnuplot.hpp"
#include "reports/study.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The samples of one session.
struct Entry {
  std::string utc, session, study, device, precision, placement, tuning;
  std::string commit;      ///< 12 digits, with `+` if files differed from it; `unknown`
  std::string executable;  ///< hash of its bytes; empty if it is not stored
  std::vector<double> speeds;
  std::optional<MachineFacts> measured_on;
  std::size_t machine = 0;  ///< number among Machines; 0 if unknown, or if there is only one
  std::size_t disturbed = 0;
  double ratio = nothing;  ///< of the median to that of the previous session on this device
  std::string intervals;   ///< of this and the previous session: `disjoint` or `overlap`; empty if unknown

  [[nodiscard]] double median() const { return ladder::median(speeds); }
  [[nodiscard]] Interval interval() const { return bootstrap_median(speeds); }
  /// The device and, if there are several machines, their number.
  [[nodiscard]] std::string label() const { return device + machine_mark(machine); }
  [[nodiscard]] bool is_change() const { return intervals == "disjoint"; }
};

std::string commit_text(const Provenance* session, const std::string& build) {
  if (std::string commit = commit_of(build); !commit.empty()) return commit;  // of `ladder compare RUNG@COMMIT`
  if (session == nullptr || session->source.commit.empty()) return "unknown";
  return session->source.commit.substr(0, 12) + (session->source.dirty.value_or(false) ? "+" : "");
}

std::string executable_of(const Provenance* session, const Row& row) {
  if (session == nullptr) return "";
  const std::string name = row.build == "default" ? row.rung : row.rung + " [" + row.build + "]";
  for (const auto& [rung, description] : session->rungs)
    if (rung == name) return description.executable;
  return "";
}

/// The sessions of a rung on a case in all studies, oldest first. Their machines have no numbers yet.
std::vector<Entry> entries_of(const fs::path& experiments, const std::string& machine, const std::string& rung,
                              const std::string& case_name) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>, Entry> found;
  std::vector<std::string> studies = reports::study_names(experiments);
  studies.emplace_back("compare");
  for (const std::string& study : studies)
    try {
      for (const reports::MachineData& data : reports::read_results(experiments / study, machine)) {
        std::map<std::string_view, const Provenance*> sessions;
        for (const Provenance& session : data.sessions)
          sessions[session.session] = &session;
        for (const Row& row : data.file.rows) {
          const bool is_plain = row.build == "default" || !commit_of(row.build).empty();
          if (row.kind != "sample" || !row.ok() || row.rung != rung || row.case_name != case_name || !is_plain) continue;
          Entry& entry = found[{row.session, row.build, row.device, row.precision, row.placement, row.tuning}];
          const auto session = sessions.find(row.session);
          const Provenance* provenance = session == sessions.end() ? nullptr : session->second;
          if (entry.speeds.empty())
            entry = {.utc = row.utc,
                     .session = row.session,
                     .study = study,
                     .device = row.device,
                     .precision = row.precision,
                     .placement = row.placement,
                     .tuning = row.tuning,
                     .commit = commit_text(provenance, row.build),
                     .executable = executable_of(provenance, row),
                     .speeds = {},
                     .measured_on = provenance == nullptr ? std::nullopt : std::optional(provenance->machine),
                     .intervals = {}};
          entry.speeds.push_back(row.updates_per_second);
          if (!row.suspicious.empty()) ++entry.disturbed;
        }
      }
    } catch (const InputError& e) {
      print_err("ladder: experiments/{} is left out: {}\n", study, e.what());
    }
  std::vector<Entry> all;
  for (auto& [key, entry] : found)
    all.push_back(std::move(entry));
  std::ranges::stable_sort(all, {}, &Entry::utc);
  return all;
}

/// Whether the tuning of a row (`wx=32;wy=8`) has all values in `settings` (`wx=32,wy=8`).
bool has_settings(const std::string& tuning, const std::string& settings) {
  const auto own = split(std::string_view(tuning), ';');
  return std::ranges::all_of(split(std::string_view(settings), ','),
                             [&](std::string_view setting) { return std::ranges::find(own, setting) != own.end(); });
}

/// The distinct values of a member, sorted.
std::set<std::string> values_of(const std::vector<Entry>& entries, std::string Entry::*member) {
  std::set<std::string> values;
  for (const Entry& entry : entries)
    values.insert(entry.*member);
  return values;
}

/// The tuning with the most sessions; if several have as many, the fastest one.
std::string usual_tuning(const std::vector<Entry>& entries) {
  std::map<std::string, std::pair<std::size_t, double>> counts;
  for (const Entry& entry : entries) {
    auto& [sessions, speed] = counts[entry.tuning];
    ++sessions;
    speed = std::max(speed, entry.median());
  }
  return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
}

/// Numbers the machines of the entries if there are several, and returns them.
Machines number_machines(std::vector<Entry>& entries) {
  Machines machines;
  for (Entry& entry : entries)
    if (entry.measured_on) entry.machine = machines.add(*entry.measured_on, entry.device);
  for (Entry& entry : entries)
    if (!machines.are_several()) entry.machine = 0;
  return machines;
}

/// Compares each entry with the previous one on the same device of the same machine.
void compare_sessions(std::vector<Entry>& entries) {
  std::map<std::pair<std::string, std::size_t>, const Entry*> last;
  for (Entry& entry : entries) {
    const Entry*& before = last[{entry.device, entry.machine}];
    if (before != nullptr) {
      entry.ratio = entry.median() / before->median();
      const Interval a = entry.interval(), b = before->interval();
      if (a.is_known() && b.is_known()) entry.intervals = a.low > b.high || a.high < b.low ? "disjoint" : "overlap";
    }
    before = &entry;
  }
}

/// For CSV, the machine's number has its own column; in text, it follows the device.
reports::Table table_of(const std::vector<Entry>& entries, bool is_csv) {
  const bool has_devices = values_of(entries, &Entry::device).size() > 1;
  const bool has_machines = std::ranges::any_of(entries, [](const Entry& e) { return e.machine > 0; });
  const auto device = [=](const Entry& e) {
    if (is_csv) return has_devices ? e.device : "";
    return has_devices || has_machines ? e.label() : "";
  };
  const auto mega = [](auto value) { return [=](const Entry& e) { return reports::number_cell(1e-6 * value(e), 4); }; };
  using reports::TextCell;
  return reports::tabulate(
      "history", "",
      {{"Session", "session", &Entry::session},
       {"Commit", "commit", &Entry::commit},
       {"Executable", "executable", [](const Entry& e) { return TextCell(e.executable.substr(0, 8)); }},
       {"Study", "study", &Entry::study},
       {"Device", "device", [=](const Entry& e) { return TextCell(device(e)); }},
       {"Machine", "machine",
        [=](const Entry& e) { return TextCell(is_csv && e.machine > 0 ? std::to_string(e.machine) : ""); }},
       {"Samples", "samples", [](const Entry& e) { return reports::TableCell(std::to_string(e.speeds.size())); }},
       {"Disturbed", "disturbed_samples", [](const Entry& e) { return reports::TableCell(std::to_string(e.disturbed)); }},
       {"MLUPS", "median_mlups", mega([](const Entry& e) { return e.median(); })},
       {"Low", "low_mlups", mega([](const Entry& e) { return e.interval().low; })},
       {"High", "high_mlups", mega([](const Entry& e) { return e.interval().high; })},
       {"Ratio", "ratio_to_previous", [](const Entry& e) { return reports::number_cell(e.ratio, 4); }},
       {"Intervals", "intervals", &Entry::intervals},
       {"", "change", [](const Entry& e) { return TextCell(!e.is_change() ? ""
                                                           : e.ratio > 1  ? "<- faster"
                                                                          : "<- slower"); }}},
      entries);
}

Json json_of(const std::vector<Entry>& entries) {
  Json all = Json::array();
  for (const Entry& e : entries)
    all.push_back({{"session", e.session},
                   {"utc", e.utc},
                   {"commit", e.commit},
                   {"executable", e.executable},
                   {"study", e.study},
                   {"device", e.device},
                   {"machine", json_count(e.machine)},
                   {"precision", e.precision},
                   {"tuning", e.tuning},
                   {"placement", e.placement},
                   {"samples", e.speeds.size()},
                   {"disturbed_samples", e.disturbed},
                   {"updates_per_second", e.median()},
                   {"low", json_number(e.interval().low)},
                   {"high", json_number(e.interval().high)},
                   {"ratio_to_previous", json_number(e.ratio)},
                   {"intervals", e.intervals}});
  return all;
}

/// One point per session, with the commit below it.
std::string drawing_of(const std::vector<Entry>& entries, const std::string& title) {
  using namespace reports;
  Chart chart{.id = "history",
              .title = title,
              .x = {.title = "session, labelled by commit"},
              .y = {.title = "MLUPS", .shown = {.low = 0, .high = 0}}};
  std::map<std::string, Curve> curves;
  std::string commit;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& e = entries[i];
    const auto x = static_cast<double>(i + 1);
    if (e.commit != commit) chart.x.ticks.emplace_back(x, commit = e.commit.substr(0, 7));
    commit = e.commit;
    Curve& curve = curves[e.label()];
    const std::size_t number = curves.size() - 1;
    if (curve.points.empty()) curve = {e.label(), {color::ours(number), point_type(number)}, 1};
    const Interval interval = e.interval();
    chart.y.shown.take(1e-6 * interval.high);
    curve.points.push_back({.x = x,
                            .y = 1e-6 * e.median(),
                            .hover = fmt::format("{}, {}: {} MLUPS", e.session, e.commit, significant(1e-6 * e.median(), 4)),
                            .interval = {1e-6 * interval.low, 1e-6 * interval.high},
                            .label = e.is_change() ? times(e.ratio) : ""});
  }
  for (auto& [device, curve] : curves)
    chart.series.push_back(std::move(curve));
  const Figure figure = draw(chart);
  return draw({&figure}).front().svg;
}

/// @throws InputError naming what is stored instead
[[noreturn]] void refuse(const Context& context, const std::string& rung, const std::string& machine, const std::string& what) {
  const auto elsewhere = StoredResults::machines_with(context.experiments, rung);
  if (elsewhere.empty()) (void)Catalogue(context.bin, context.root).rung(rung);  // unknown: names the nearest
  throw InputError(fmt::format("no samples of {} are stored on machine {}{}; {}", rung, machine, what,
                               elsewhere.empty()
                                   ? "`./ladder compare` or `./ladder run` measures it"
                                   : fmt::format("machines with samples of it: {} (--machine)", joined(elsewhere))));
}

}  // namespace

int history(const Context& context, const HistoryOptions& options) {
  const RungName rung = parse_rung_name(options.rung);
  if (!rung.commit.empty())
    throw InputError(fmt::format("'{}': accepted: RUNG or RUNG:name=value,…; all stored commits are shown", options.rung));
  const std::string placement = to_string(parse_placement(options.placement));
  const std::string machine = machine_name(options.machine);
  std::vector<Entry> entries = entries_of(context.experiments, machine, rung.id, options.case_name);
  const auto keep = [&](const std::string& what, std::string Entry::*member, auto is_wanted) {
    const std::set<std::string> values = values_of(entries, member);
    std::vector<std::string> names(values.begin(), values.end());
    std::ranges::replace(names, std::string(), std::string(member == &Entry::placement ? "default" : "none"));
    const std::string stored = joined(names);
    std::erase_if(entries, [&](const Entry& entry) { return !is_wanted(entry.*member); });
    if (entries.empty())
      refuse(context, rung.id, machine, fmt::format(" for case {} and {}; stored: {}", options.case_name, what, stored));
  };
  if (entries.empty()) refuse(context, rung.id, machine, " for case " + options.case_name);
  std::string precision = options.precision;
  if (precision.empty()) precision = values_of(entries, &Entry::precision).contains("f32") ? "f32" : entries.front().precision;
  keep("precision " + precision, &Entry::precision, [&](const std::string& stored) { return stored == precision; });
  keep(placement.empty() ? "the default placement" : "placement " + placement, &Entry::placement,
       [&](const std::string& stored) { return stored == placement; });
  keep("tuning " + rung.settings, &Entry::tuning,
       [&](const std::string& stored) { return has_settings(stored, rung.settings); });
  const std::string tuning = usual_tuning(entries);
  const std::size_t tunings = values_of(entries, &Entry::tuning).size();
  keep("tuning " + tuning, &Entry::tuning, [&](const std::string& stored) { return stored == tuning; });
  const Machines machines = number_machines(entries);
  compare_sessions(entries);

  const std::string title = fmt::format("{}{} {} {}{} on {}", rung.id, tuning.empty() ? "" : " " + tuning, options.case_name,
                                        precision, placement.empty() ? "" : " " + placement, machine);
  if (!options.chart.empty()) {
    require_own_file(options.chart, {"<?xml ", "<svg "}, "an earlier chart");
    write_file(options.chart, drawing_of(entries, title));
  }
  if (options.json) {
    print_json(json_of(entries));
  } else if (options.csv) {
    print_out("{}", to_csv(table_of(entries, true)));
  } else {
    print_out("{}\n\n{}\n", title, to_text(table_of(entries, false)));
    print_out("{}, {} with an interval that does not overlap the previous one\n", counted(entries.size(), "session"),
              std::ranges::count_if(entries, &Entry::is_change));
    for (const std::string& line : machines.lines())
      print_out("{}\n", line);
    if (tunings > 1) print_out("{} are stored; `{}:name=value,…` selects another\n", counted(tunings, "tuning"), rung.id);
    if (!options.chart.empty()) print_out("chart: {}\n", options.chart.string());
  }
  return exit_ok;
}

}  // namespace ladder
