#pragma once

#include <filesystem>
#include <string>

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// Lets rungs write the pictures and series of a study into the folder `results`:
/// `<machine>.field.<case>.<steps>.<key>.csv`, `<machine>.series.<case>.<key>.csv`, `<machine>.layers.<case>.<key>.csv`;
/// `<machine>.flow.csv` lists them. Files with the same key are kept; if a study asks for other files than before, they are
/// made beside the old ones. A file is left out if its rung cannot run here, and failures are reported on stderr. Returns the
/// time in seconds.
/// @throws InputError if the list cannot be read or written
double make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                       const std::string& machine);

}  // namespace ladder
