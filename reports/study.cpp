#include "reports/study.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

namespace ladder::reports {
namespace {

/// Regular files of a folder, sorted; none where the folder is missing.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

constexpr std::string_view profile_ending = ".profile.csv";

/// Names of the machines that have rows or profiles in `folder`, sorted: `<machine>.csv`, and not `<machine>.field.<case>.csv`
/// or `<machine>.series.<case>.csv`.
std::set<std::string> machine_names(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const std::filesystem::path& path : files_of(folder)) {
    const std::string name = path.filename().string();
    if (path.extension() != ".csv" || name.find(".field.") != std::string::npos || name.find(".series.") != std::string::npos)
      continue;
    const std::string_view ending = name.ends_with(profile_ending) ? profile_ending : ".csv";
    names.insert(name.substr(0, name.size() - ending.size()));
  }
  return names;
}

MachineData read_machine(const std::filesystem::path& folder, const std::string& machine) {
  MachineData data{machine, folder, {}, {}};
  const std::filesystem::path csv = folder / (machine + ".csv");
  if (std::filesystem::exists(csv)) data.file = read_rows(csv);
  const std::filesystem::path profiles = folder / (machine + std::string(profile_ending));
  if (std::filesystem::exists(profiles)) data.profiles = read_profiles(profiles);
  for (const std::filesystem::path& path : files_of(data.folder)) {
    const std::string name = path.filename().string();
    if (path.extension() != ".json" || !name.starts_with(data.name + ".")) continue;
    const std::string session =
        name.substr(data.name.size() + 1, name.size() - data.name.size() - 1 - std::string(".json").size());
    const bool is_used = std::ranges::find(data.file.rows, session, &Row::session) != data.file.rows.end();
    if (!is_used) continue;
    data.sessions.push_back(read_provenance(path));
    data.sessions.back().session = session;
  }
  std::ranges::sort(data.sessions, {}, &Provenance::utc);
  return data;
}

}  // namespace

Study read_study(const std::filesystem::path& folder, const std::string& machine) {
  const std::filesystem::path path = folder / "study.toml";
  StudyFile file = read_study_file(path);
  Study study{
      folder.filename().string(), folder, file.top.text("title", folder.filename().string()), file.top.text("citation", ""), {},
      std::move(file.blocks),     {}};
  if (const std::string paper = file.top.text("paper", ""); !paper.empty()) study.paper = Paper(folder / paper);
  for (const std::string& name : machine_names(folder / "results")) {
    if (machine.empty() || name == machine) study.machines.push_back(read_machine(folder / "results", name));
  }
  return study;
}

std::vector<std::string> study_names(const std::filesystem::path& experiments) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(experiments, error)) {
    if (std::filesystem::exists(entry.path() / "study.toml")) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace ladder::reports
