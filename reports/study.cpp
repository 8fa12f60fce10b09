#include "reports/study.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/archive/archive.hpp"
#include "harness/record/identity.hpp"
#include "harness/study/study.hpp"

namespace ladder::reports {
namespace {

/// Regular files of a folder that are not hidden, sorted; none if the folder is missing.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with('.')) continue;
    if (std::error_code none; entry.is_regular_file(none)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

constexpr std::string_view profile_ending = ".profile.csv";
constexpr std::string_view timeline_ending = ".timeline.csv";
constexpr std::string_view flow_ending = ".flow.csv";

/// The sessions of a machine's rows, of its profiles (`kind` is `.profile`) or of its timelines, oldest first.
template <class Record>
std::vector<Provenance> read_sessions(const MachineData& data, const std::string& kind, const std::vector<Record>& rows) {
  std::set<std::string> used;
  for (const Record& row : rows)
    used.insert(row.session);
  std::vector<Provenance> sessions;
  for (const std::string& session : used) {
    const std::filesystem::path path = data.folder / (data.name + kind + "." + session + ".json");
    if (session.find('/') != std::string::npos || !is_stored(path)) continue;
    sessions.push_back(parse_provenance(path, read_stored(path)));
    sessions.back().session = session;
  }
  std::ranges::stable_sort(sessions, {}, &Provenance::utc);
  return sessions;
}

MachineData read_machine(const std::filesystem::path& folder, const std::string& machine) {
  MachineData data{machine, folder, {}, {}};
  const std::filesystem::path csv = folder / (machine + ".csv");
  if (is_stored(csv)) data.file = parse_rows(csv, read_stored(csv));
  const std::filesystem::path profiles = folder / (machine + std::string(profile_ending));
  if (is_stored(profiles)) data.profiles = parse_profiles(profiles, read_stored(profiles));
  const std::filesystem::path timelines = folder / (machine + std::string(timeline_ending));
  if (is_stored(timelines)) data.timelines = parse_timelines(timelines, read_stored(timelines));
  const std::filesystem::path flows = folder / (machine + std::string(flow_ending));
  if (is_stored(flows)) data.flows = parse_flows(flows, read_stored(flows));
  data.sessions = read_sessions(data, "", data.file.rows);
  data.profile_sessions = read_sessions(data, ".profile", data.profiles.rows);
  return data;
}

/// The machines that the rows of a session belong to.
struct Owners {
  std::size_t processor = 0;   ///< machine whose processor was measured
  std::size_t gpu = 0;         ///< first machine with the session's GPUs
  std::vector<GpuFacts> gpus;  ///< of the session
};

bool is_of_gpu(const Row& row, const std::vector<GpuFacts>& gpus) {
  return std::ranges::any_of(
      gpus, [&](const GpuFacts& gpu) { return !gpu.name.empty() && row.device.find(gpu.name) != std::string::npos; });
}

/// One entry for each machine whose sessions are among the data. Rows without a described session go to the first machine. Rows
/// and counters of a GPU on another host go to the first machine with that GPU, even if the session also measured the host's
/// processor. A later host whose GPU belongs to another machine is left out if only ceilings of its processor were measured.
std::vector<MachineData> by_identity(MachineData data) {
  std::vector<Measured> machines;
  std::map<std::string, Owners> owners;  // by session; rows, profiles and timelines have different session ids
  const auto find = [&](const Measured& measured) {
    const auto same = std::ranges::find_if(machines, [&](const Measured& m) { return may_be_same_machine(m, measured); });
    return static_cast<std::size_t>(same - machines.begin());
  };
  const auto assign = [&](const Provenance& session, const Measured& measured) {
    const std::size_t own = find(measured);
    if (own == machines.size()) {
      machines.push_back(measured);
    } else {
      Measured& same = machines[own];
      const bool knows_more = !same.machine.identity && measured.machine.identity;
      if (measured.processor ? knows_more || !same.processor : knows_more && !same.processor) same = measured;
    }
    const auto& gpus = session.machine.gpus;
    owners[session.session] = {own, gpus.empty() ? own : find({session.machine, false}), gpus};
  };
  for (const Provenance& session : data.sessions)
    assign(session, Measured(session));
  for (const Provenance& session : data.profile_sessions)
    assign(session, {session.machine, false});
  for (const Provenance& session : read_sessions(data, ".timeline", data.timelines.rows))
    assign(session, {session.machine, false});
  const auto owners_of = [&](const std::string& session) -> const Owners& {
    static const Owners first;
    const auto found = owners.find(session);
    return found == owners.end() ? first : found->second;
  };
  const std::size_t count = std::max<std::size_t>(1, machines.size());
  std::vector<MachineData> all;
  for (std::size_t i = 0; i < count; ++i) {
    MachineData part = i + 1 < count ? MachineData(data) : std::move(data);
    if (i > 0) part.identity = short_name(machines[i].machine);
    std::erase_if(part.file.rows, [&](const Row& row) {
      const Owners& of = owners_of(row.session);
      return (is_of_gpu(row, of.gpus) ? of.gpu : of.processor) != i;
    });
    const auto is_elsewhere = [&](const auto& row) { return owners_of(row.session).gpu != i; };
    std::erase_if(part.profiles.rows, is_elsewhere);
    std::erase_if(part.timelines.rows, is_elsewhere);
    std::erase_if(part.sessions, [&](const Provenance& session) {
      const Owners& of = owners_of(session.session);
      return of.processor != i && of.gpu != i;
    });
    for (Provenance& session : part.sessions)
      if (owners_of(session.session).processor != i)  // measured only the GPU of this machine
        std::erase_if(session.devices,
                      [&](const auto& device) { return device.second.find(session.machine.cpu) != std::string::npos; });
    const auto is_ceiling = [](const Row& row) { return row.kind == "ceiling"; };
    const auto has_gpu = [&](const Provenance& session) { return owners_of(session.session).gpu == i; };
    if (i == 0 || !part.profiles.rows.empty() || !part.timelines.rows.empty() || std::ranges::any_of(part.sessions, has_gpu) ||
        !std::ranges::all_of(part.file.rows, is_ceiling))
      all.push_back(std::move(part));
  }
  return all;
}

}  // namespace

Study read_study(const std::filesystem::path& folder, const std::string& machine) {
  const std::filesystem::path path = folder / "study.toml";
  require_study_name(path, folder.filename().string());
  const Parameters file = read_parameters(path);
  Study study{.name = folder.filename().string(),
              .folder = folder,
              .title = file.text("title", folder.filename().string()),
              .citation = file.text("citation", ""),
              .question = file.text("question", ""),
              .source = file.text("source", ""),
              .place = file.number("place", std::numeric_limits<double>::infinity()),
              .paper = {},
              .findings = file.tables_if_any("finding"),
              .blocks = file.tables_if_any("report"),
              .machines = {}};
  if (const std::string paper = file.text("paper", ""); !paper.empty()) study.paper = Paper(folder / paper);
  study.machines = read_results(folder, machine);
  for (MachineData& data : study.machines)
    data.rounds = static_cast<std::size_t>(file.number("rounds", static_cast<double>(verdict_rounds)));
  return study;
}

std::vector<MachineData> read_results(const std::filesystem::path& folder, const std::string& machine) {
  std::vector<MachineData> all;
  for (const std::string& name : machine_names(folder)) {
    if (machine.empty() || name == machine)
      std::ranges::move(by_identity(read_machine(folder / "results", name)), std::back_inserter(all));
  }
  return all;
}

std::vector<std::string> machine_names(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const std::filesystem::path& path : files_of(folder / "results")) {
    const std::string name = stored_name(path);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (!name.ends_with(".csv") || has(".field.") || has(".series.") || has(".layers.") || has(".stability.") ||
        has(".faults.") || name.ends_with(flow_ending))
      continue;
    const std::string_view ending = name.ends_with(profile_ending)    ? profile_ending
                                    : name.ends_with(timeline_ending) ? timeline_ending
                                                                      : ".csv";
    names.insert(name.substr(0, name.size() - ending.size()));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> study_names(const std::filesystem::path& experiments) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(experiments, error)) {
    if (std::error_code none; std::filesystem::exists(entry.path() / "study.toml", none))
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace ladder::reports
