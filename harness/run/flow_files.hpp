#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

struct MadeFlowFiles {
  std::size_t not_run = 0;  ///< files missing through no fault of the rung (see NotRun), e.g. on a full disk
  double seconds = 0;       ///< time spent
};

/// Lets rungs write a study's pictures and series to the folder `results`: `<machine>.field.<case>.<steps>.<key>.csv`,
/// `<machine>.series.<case>.<key>.csv`, `<machine>.layers.<case>.<key>.csv`,
/// `<machine>.stability.<first case>.<key>.csv`; `<machine>.flow.csv` lists them.
/// Pictures and layers are compressed (harness/archive/archive.hpp). Files with the same key are kept. If a study requests
/// different files later, the new ones are added and the old ones stay. A file is skipped if its rung cannot run here, or if
/// `may_run` returns false; failures are reported on stderr. Pictures finished before an interrupt are stored. A stability
/// file that lacks cases is not listed; a later call runs the others.
/// @throws InputError if the list cannot be read or written; Interrupted
MadeFlowFiles make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                              const std::string& machine, const std::function<bool()>& may_run);

/// Number of files that make_flow_files() would create.
std::size_t missing_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                               const std::string& machine);

}  // namespace ladder
