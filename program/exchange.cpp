#include "program/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/identity.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/session.hpp"
#include "harness/run/store.hpp"
#include "harness/study/study.hpp"
#include "program/own_file.hpp"
#include "reports/study.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using reports::MachineData;

std::string csv_of(const std::string& study, const std::vector<MachineData>& machines) {
  std::string text = "study,machine," + csv_header<Row>() + "\n";
  for (const MachineData& machine : machines)
    for (const Row& row : machine.file.rows)
      text += fmt::format("{},{},{}\n", csv_text(study), csv_text(machine.label()), csv_line(row));
  return text;
}

/// The name of a benchmark, e.g. `d2q9/serial/01_skeleton/box-128/f32`. It stays the same when the code changes, so that
/// programs can compare two files.
std::string benchmark_name(const Row& row) {
  std::string name = row.rung;
  if (row.build != "default") name += " [" + row.build + "]";
  for (const std::string& part : {row.case_name, row.precision, row.tuning, row.placement})
    if (!part.empty()) name += "/" + part;
  return name;
}

Json benchmark_of(const std::string& name, double seconds_per_step, const Row& row) {
  const double nanoseconds = 1e9 * seconds_per_step;
  // Processor time is not measured, but programs that read this format expect it.
  return {{"run_name", name},
          {"threads", row.workers()},
          {"iterations", row.steps},
          {"real_time", nanoseconds},
          {"cpu_time", nanoseconds},
          {"time_unit", "ns"},
          {"items_per_second", static_cast<double>(row.cells) / seconds_per_step}};
}

std::string benchmark_json(const MachineData& machine) {
  std::map<std::string, std::vector<const Row*>> samples;  // of the last session that has the name
  std::vector<std::string> names;                          // in stored order
  for (const Row& row : machine.file.rows) {
    if (row.kind != "sample" || !row.ok()) continue;
    std::vector<const Row*>& own = samples[benchmark_name(row)];
    if (own.empty()) names.push_back(benchmark_name(row));
    if (!own.empty() && own.back()->session != row.session) own.clear();
    own.push_back(&row);
  }
  Json all = Json::array();
  for (std::size_t family = 0; family < names.size(); ++family) {
    const std::string& name = names[family];
    const std::vector<const Row*>& own = samples[name];
    std::vector<double> seconds;
    const auto add = [&](const std::string& shown, const char* type, const Row& row, double per_step) -> Json& {
      Json& entry = all.emplace_back(Json{{"name", shown}, {"family_index", family}, {"per_family_instance_index", 0}});
      entry.update(benchmark_of(name, per_step, row));
      entry["run_type"] = type;
      entry["repetitions"] = own.size();
      return entry;
    };
    for (const Row* row : own) {
      add(name, "iteration", *row, row->seconds / static_cast<double>(row->steps))["repetition_index"] = seconds.size();
      seconds.push_back(row->seconds / static_cast<double>(row->steps));
    }
    Json& aggregate = add(name + "_median", "aggregate", *own.back(), median(seconds));
    aggregate["aggregate_name"] = "median";
    aggregate["aggregate_unit"] = "time";
    aggregate["iterations"] = own.size();
  }
  const Provenance last = machine.sessions.empty() ? Provenance() : machine.sessions.back();
  // Some programs refuse a context that lacks one of these. Clock and load differ between samples, so they are unknown here.
  const Json context = {{"date", last.utc},
                        {"host_name", machine.label()},
                        {"executable", "ladder"},
                        {"num_cpus", last.machine.cores},
                        {"mhz_per_cpu", 0},
                        {"cpu_scaling_enabled", false},
                        {"caches", Json::array()},
                        {"load_avg", Json::array()},
                        {"library_build_type", "release"},
                        {"cpu", last.machine.cpu},
                        {"commit", last.source.commit}};
  return Json{{"context", context}, {"benchmarks", all}}.dump(1) + "\n";
}

/// @throws InputError if an export would hide or repeat rows: if a store cannot be read, or has the name of a copy
void require_exportable(const fs::path& results) {
  std::error_code error;
  const fs::directory_iterator entries(results, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw InputError(fmt::format("{}: cannot be read: {}; accepted: a folder of results", results.string(), error.message()));
  for (const auto& entry : entries) {
    const std::string name = stored_name(entry.path());
    if (name.starts_with('.') || !name.ends_with(".csv")) continue;
    if (std::error_code none; !entry.is_regular_file(none))
      throw InputError(fmt::format("{}: cannot be read: it is neither a regular file nor a link to one; accepted: CSV files",
                                   entry.path().string()));
  }
  for (const std::string& machine : reports::machine_names(results.parent_path()))
    if (slug(machine) != machine)
      throw InputError(fmt::format("{}: '{}' is not a machine name; accepted: lower-case letters, digits and dashes",
                                   (results / (machine + ".csv")).string(), machine));
}

/// Identifies what a row records. Two rows with the same place but different values conflict.
std::string place_of(const Row& row) {
  // A continued session may check a program again.
  const std::string number = row.kind == "check" ? fmt::format(" {}", row.order) : "";
  return fmt::format("{}{} of {} {} {} {} {} {} {} in round {} of session {}", row.kind, number, row.rung, row.build,
                     row.case_name, row.precision, row.tuning, row.placement, row.key, row.round, row.session);
}

/// A provenance with the name of its machine replaced by `machine`. Fields that this version does not know are kept.
std::string renamed(const std::string& text, const std::string& machine) {
  Json json = Json::parse(text);
  json["machine"]["name"] = machine;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A provenance without the fields that change when a session is continued.
std::string fixed_part(const std::string& text) {
  Json json = Json::parse(text);
  json.erase("stopped");
  json.erase("timing");
  json.erase("rows");
  return json.dump();
}

/// The columns of a file that this version does not know.
std::vector<std::string> unknown_columns(const CsvFile& file) {
  const CsvFile known = CsvFile::parse({}, csv_header<Row>() + "\n");
  std::vector<std::string> unknown;
  std::ranges::copy_if(file.header(), std::back_inserter(unknown), [&](const auto& column) { return !known.has(column); });
  return unknown;
}

/// The file's rows that are not among the stored ones. @throws FileError if one differs from the stored row with its place
std::vector<Row> new_rows(const RowFile& theirs, const std::vector<Row>& stored) {
  std::map<std::string, std::set<std::string>> known;
  for (const Row& row : stored)
    known[place_of(row)].insert(csv_line(row));
  std::vector<Row> added;
  for (const Row& row : theirs.rows) {
    const auto found = known.find(place_of(row));
    if (found == known.end())
      added.push_back(row);
    else if (!found->second.contains(csv_line(row)))
      throw FileError(theirs.csv.path(), row.line,
                      fmt::format("{}: differs from the stored row; accepted: new rows, and rows that equal stored ones; "
                                  "nothing is imported",
                                  found->first));
  }
  return added;
}

/// The study that all sessions belong to. @throws InputError if there are several, or it is unknown here
std::string study_of(const Context& context, const fs::path& file, const std::vector<Session>& sessions) {
  if (sessions.empty()) throw InputError(fmt::format("{}: holds no rows; accepted: at least one stored row", file.string()));
  std::set<std::string> studies;
  for (const Session& session : sessions)
    studies.insert(session.provenance().study);
  const std::vector<std::string> accepted = reports::study_names(context.experiments);
  const std::string study = studies.empty() ? "" : *studies.begin();
  if (studies.size() != 1 || std::ranges::find(accepted, study) == accepted.end())
    throw InputError(fmt::format("{}: its sessions belong to '{}'; accepted: sessions of one study that is in {}: {}",
                                 file.string(), fmt::join(studies, "', '"), context.experiments.string(),
                                 fmt::join(accepted, ", ")));
  return study;
}

}  // namespace

int export_results(const Context& context, const ExportOptions& options) {
  const fs::path folder = find_study(context.experiments, options.study).parent_path();
  const std::string study = folder.filename().string();
  require_exportable(folder / "results");
  const std::vector<MachineData> machines = reports::read_results(folder, options.machine);
  const std::vector<std::string> names = reports::machine_names(folder);
  const auto accepted = [&] { return names.empty() ? "a study with results" : fmt::format("{}", fmt::join(names, ", ")); };
  if (machines.empty())
    throw InputError(fmt::format("study {}: no results{}; accepted: {}", study,
                                 options.machine.empty() ? "" : " of machine '" + options.machine + "'", accepted()));
  if (options.format != "csv" && machines.size() > 1)
    throw InputError(fmt::format("--format {}: describes one machine, and study {} has {}; accepted: --machine with one of {}",
                                 options.format, study, machines.size(), accepted()));
  for (const MachineData& machine : machines) {
    if (machine.file.csv.is_truncated())
      print_err("{}: the last row is incomplete and was left out\n", machine.file.csv.path().string());
    if (const auto unknown = unknown_columns(machine.file.csv); !unknown.empty())
      print_err("{}: unknown columns were left out: {}\n", machine.file.csv.path().string(), fmt::join(unknown, ", "));
  }
  const std::string text = options.format == "csv" ? csv_of(study, machines) : benchmark_json(machines.front());
  if (options.out.empty()) {
    print_out("{}", text);
    return exit_ok;
  }
  require_own_file(options.out, {"study,machine,session,", "{\n \"context\": {"}, "an earlier export");
  write_files(fs::absolute(options.out).parent_path(), {{options.out.filename().string(), text}});
  print_err("{} of {}: {}\n", counted(machines.size(), "machine"), study, options.out.string());
  return exit_ok;
}

int import_results(const Context& context, const fs::path& file, const std::string& machine) {
  if (file.empty()) throw InputError("import: ''; accepted is a file of stored rows, <machine>.csv or <machine>.csv.gz");
  const std::string name = stored_name(file);
  const fs::path path = fs::absolute(file).parent_path() / name;
  if (!name.ends_with(".csv") || machine_name(machine).empty() || !is_stored(path))
    throw InputError(fmt::format("{}: accepted is a file of stored rows, <machine>.csv or <machine>.csv.gz", file.string()));
  const RowFile theirs = parse_rows(path, read_stored(path));
  if (!theirs.csv.is_whole()) throw FileError(path, 0, "ends in the middle of a row; accepted: complete rows");
  if (const auto unknown = unknown_columns(theirs.csv); !unknown.empty())  // they would be lost
    throw FileError(
        path, 1, fmt::format("unknown column '{}', perhaps from a newer version; accepted: {}", unknown[0], csv_header<Row>()));
  std::vector<Session> sessions = Session::all(path.parent_path(), name.substr(0, name.size() - std::string(".csv").size()));
  std::set<std::string> used;
  for (const Row& row : theirs.rows)
    if (used.insert(row.session).second && std::ranges::find(sessions, row.session, &Session::id) == sessions.end()) {
      const std::string provenance = name.substr(0, name.size() - 3) + row.session + ".json";
      if (const fs::path there = path.parent_path() / provenance; is_stored(there))
        (void)parse_provenance(there, read_stored(there));  // says what is wrong
      throw FileError(path, row.line,
                      fmt::format("session '{}' has no provenance; accepted: {} next to the rows", row.session, provenance));
    }
  std::erase_if(sessions, [&](const Session& session) { return !used.contains(session.id()); });
  const std::string study = study_of(context, path, sessions);
  const fs::path results = context.experiments / study / "results";

  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> updated;  // sessions whose stored provenance differs in fields that may change
  for (Session& session : sessions) {
    const Measured there(sessions.front().provenance());
    session.provenance().machine.name = machine;
    const Measured own(session.provenance());
    if (!may_be_same_machine(there, own))
      throw InputError(fmt::format("{}: holds results of several machines, {} and {}; accepted: those of one", path.string(),
                                   identity_text(there.machine), identity_text(own.machine)));
    require_same_machine(results, own);
    const std::string text = renamed(read_stored(session.provenance().path), machine);
    const std::string target = fmt::format("{}.{}.json", machine, session.id());
    if (!is_stored(results / target)) {
      files.emplace_back(target, text);
      continue;
    }
    const std::string stored = read_stored(results / target);
    if (fixed_part(stored) != fixed_part(text))
      throw InputError(
          fmt::format("{}: differs from {}; accepted: provenance of new sessions, or of stored ones that continued; "
                      "nothing is imported",
                      session.provenance().path.string(), (results / target).string()));
    if (stored != text) {
      files.emplace_back(target, text);
      updated.push_back(session.id());
    }
  }
  const fs::path target = results / (machine + ".csv");
  const std::vector<Row> stored = is_stored(target) ? parse_rows(target, read_stored(target)).rows : std::vector<Row>();
  std::vector<Row> added = new_rows(theirs, stored);
  for (Session& session : sessions)
    require_own_rows(theirs.csv, session.provenance());
  // Only a session with more rows than the stored one has a newer provenance.
  const auto has_news = [&](const std::string& session) {
    return std::ranges::find(added, session, &Row::session) != added.end();
  };
  for (const std::string& session : updated)
    if (!has_news(session))
      std::erase_if(files, [&](const auto& one) { return one.first == fmt::format("{}.{}.json", machine, session); });
  if (!added.empty()) {
    Store store(target);  // locks the file
    for (const auto& [file_name, text] : files)
      uncompress_stored(results / file_name);
    write_files(results, files);
    added = new_rows(theirs, store.rows());  // another import may have come first
    store.merge(added);
  }
  print_out("{}: {} added, {} already stored\n", target.string(), counted(added.size(), "row"),
            theirs.rows.size() - added.size());
  return exit_ok;
}

}  // namespace ladder
