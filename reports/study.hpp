#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/flows.hpp"
#include "harness/record/profiles.hpp"
#include "harness/record/provenance.hpp"
#include "harness/record/rows.hpp"
#include "harness/record/statistics.hpp"
#include "harness/record/timelines.hpp"
#include "harness/study/parameters.hpp"
#include "reports/paper.hpp"

namespace ladder::reports {

/// All results of one machine for a study. If sessions of two machines share a name, there are two such objects, and their
/// values are never combined.
struct MachineData {
  std::string name;              ///< of the files, without extensions
  std::filesystem::path folder;  ///< contains the files below
  RowFile file;
  std::vector<Provenance> sessions;               ///< oldest first
  ProfileFile profiles = {};                      ///< hardware counters; no rows if there are none
  std::vector<Provenance> profile_sessions = {};  ///< the profiles' sessions, oldest first
  FlowFile flows = {};                  ///< pictures and series; no rows if they were stored by an older version or not at all
  TimelineFile timelines = {};          ///< what queues and hosts did during some steps; no rows if nothing was recorded
  std::size_t rounds = verdict_rounds;  ///< of the study; as many samples as a verdict requires if unknown
  std::string identity = {};            ///< set for a later machine of the same name; empty for the first one

  /// Display name: `amd-epyc-2c`, or `amd-epyc-2c (amd-epyc-f25m1-avx2-2c)` for a later machine of that name.
  [[nodiscard]] std::string label() const { return identity.empty() ? name : name + " (" + identity + ")"; }
};

/// One study folder, read into memory.
struct Study {
  std::string name;  ///< of the folder
  std::filesystem::path folder;
  std::string title;
  std::string citation;
  std::string question;  ///< that the study asks; empty if it states none
  std::string source;    ///< machine for which the findings were written; empty if the study names none
  double place = 0;      ///< orders the cards on the page over all reports; infinite if none is given
  Paper paper;
  std::vector<Parameters> findings;  ///< the [[finding]] tables in order
  std::vector<Parameters> blocks;    ///< the [[report]] tables in order
  std::vector<MachineData> machines;
};

/// Reads the study in `folder`: study.toml, the paper's values, and the results of `machine` (of all machines if empty).
/// @throws InputError if a file is wrong
Study read_study(const std::filesystem::path& folder, const std::string& machine);

/// The results of `machine` (of all machines if empty) in the study's `folder`, which need not have a study.toml.
/// @throws InputError if a file is wrong
std::vector<MachineData> read_results(const std::filesystem::path& folder, const std::string& machine);

/// Names of the machines with rows, profiles or timelines in the study's `folder`, sorted; from the file names
/// `results/<machine>.csv`.
std::vector<std::string> machine_names(const std::filesystem::path& folder);

/// Names of the folders in `experiments` that contain a study.toml, sorted.
std::vector<std::string> study_names(const std::filesystem::path& experiments);

}  // namespace ladder::reports
