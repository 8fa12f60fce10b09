#pragma once

#include <filesystem>
#include <string>

#include "harness/program/catalogue.hpp"
#include "harness/program/study.hpp"

namespace ladder {

/// Has rungs write the pictures and series that a study asks for into the folder `results`:
/// `<machine>.field.<case>.csv` (of several, `<machine>.field.<case>.<step>.csv`), `<machine>.series.<case>.csv`. Those that
/// are there are left as they are, as they do not change with time; those whose rung cannot run here are left out, and failures
/// are told of on stderr. Returns the seconds it took.
double make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                       const std::string& machine);

}  // namespace ladder
