#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/store/profiles.hpp"
#include "harness/store/provenance.hpp"
#include "harness/store/rows.hpp"
#include "reports/paper.hpp"
#include "reports/parameters.hpp"

namespace ladder::reports {

/// All that one machine measured for a study.
struct MachineData {
  std::string name;
  std::filesystem::path folder;  ///< holds the files below
  RowFile file;
  std::vector<Provenance> sessions;  ///< oldest first
  ProfileFile profiles = {};         ///< hardware counters; no rows where there are none
};

/// One study folder in memory.
struct Study {
  std::string name;  ///< of the folder
  std::filesystem::path folder;
  std::string title;
  std::string citation;
  Paper paper;
  std::vector<Parameters> blocks;  ///< the [[report]] tables in order
  std::vector<MachineData> machines;
};

/// Reads the study in `folder`: study.toml, the paper's numbers, and the results of `machine` (all machines where empty).
/// @throws InputError where a file is wrong
Study read_study(const std::filesystem::path& folder, const std::string& machine);

/// Names of the folders of `experiments` that hold a study.toml, sorted.
std::vector<std::string> study_names(const std::filesystem::path& experiments);

}  // namespace ladder::reports
