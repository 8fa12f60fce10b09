#pragma once

#include <filesystem>
#include <string>

#include "harness/program/catalogue.hpp"
#include "harness/program/study.hpp"

namespace ladder {

/// Has rungs write the pictures and series that a study asks for into the folder `results`:
/// `<machine>.field.<case>.<steps>.<key>.csv`, `<machine>.series.<case>.<key>.csv`; `<machine>.flow.csv` lists them. What is
/// there with its key stays; what a study asks for otherwise than before is made beside it. Those whose rung cannot run here
/// are left out, and failures are told of on stderr. Returns the seconds it took.
/// @throws InputError if the list cannot be read or written
double make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                       const std::string& machine);

}  // namespace ladder
