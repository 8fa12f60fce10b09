#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/profiles.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/session.hpp"
#include "program/commands.hpp"

/// Shared by `ladder profile` and `ladder timeline`: both run a rung's `profile` under a tool and store the tool's results in a
/// separate session.
namespace ladder {

/// The cell named on the command line.
struct ProfiledCell {
  std::string case_name, precision, placement;  ///< empty: the default
  std::vector<std::string> settings;
  std::vector<std::string> launcher;
};

/// Values of tunables, from `name=value`. @throws InputError
std::map<std::string, std::vector<std::int64_t>> parse_settings(const std::vector<std::string>& settings);

/// Study for results that belong to no other; created when needed.
constexpr const char* profile_study = "profile";

/// Folder of the study to store in; the study `profile` need not exist yet. @throws InputError
std::filesystem::path profile_folder(const Context& context, const std::string& study);

/// Creates this study unless it exists, so that its results can be reported.
void describe_profile_study(const std::filesystem::path& folder);

/// Why a rung cannot be profiled (its backend has no profiler); empty if it can.
std::string why_no_profiler(Catalogue& catalogue, const Executable& rung);

/// `; accepted are rungs of backend cuda`: the backends that have a profiler and `more`; empty if there are none.
std::string backends_with_profiler(Catalogue& catalogue, std::set<std::string> more = {});

/// The rung's cell, in the study of this folder. @throws InputError, Unavailable
Cell profiled_cell(Catalogue& catalogue, const Executable& rung, const std::filesystem::path& folder, const ProfiledCell& what);

/// Sets what a record of any tool says about its cell, and the time.
template <class Record>
void describe_cell(Record& record, const Cell& cell) {
  record.utc = utc_now();
  record.rung = cell.row.rung;
  record.build = cell.row.build;
  record.backend = cell.row.backend;
  record.case_name = cell.row.case_name;
  record.grid = cell.row.grid;
  record.precision = cell.row.precision;
  record.tuning = cell.row.tuning;
  record.device = cell.row.device;
  record.executable = cell.executable_hash;
}

/// Arguments of the rung's `profile`.
std::vector<std::string> profile_arguments(const Cell& cell, std::int64_t steps);

/// Arguments of the rung's `measure`, for one sample of this length: `--steps N` or `--min-time S`.
std::vector<std::string> measure_arguments(const Cell& cell, const std::vector<std::string>& length);

/// A profile of the cell with its traffic as declared, without counters.
Profile profile_of(const Cell& cell, std::int64_t steps, double footprint_bytes);

/// The rung's answer to `profile`. @throws Unavailable; std::runtime_error if there is none
ProfileFacts profile_answer(const ProcessResult& result, double timeout_seconds);

/// The library that records a timeline. @throws Unavailable if the build lacks it, or CUPTI is missing here
std::filesystem::path recording_library(const Context& context);

/// Adds the variables with which a rung's process loads the library and writes `<files>.<rank>.csv`.
void record_with(const std::filesystem::path& library, const std::filesystem::path& files, Launch& launch);

/// The session of one invocation. It is stored with the first results, and again for each further rung.
class ProfileSession {
 public:
  /// @param kind of the results: `profile` or `timeline`
  ProfileSession(const Context& context, Catalogue& catalogue, std::string machine, std::filesystem::path folder,
                 std::string kind);

  /// The results' file, `<machine>.<kind>.csv`.
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "results" / (machine_ + "." + kind_ + ".csv"); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& id() const { return session_.id(); }

  /// Adds a rung. The first call passes its provenance to `complete`. @throws InputError if the results are another machine's
  void add(const Executable& rung, const Cell& cell, const std::function<void(Provenance&)>& complete);

 private:
  const Context& context_;
  Catalogue& catalogue_;
  const std::string machine_;
  const std::filesystem::path folder_;
  const std::string kind_;
  Session session_;
};

}  // namespace ladder
