#pragma once

#include <filesystem>
#include <string>

#include "harness/program/catalogue.hpp"
#include "harness/program/study.hpp"

namespace ladder {

/// Lets rungs write the pictures and series of a study into the folder `results`: `<machine>.field.<case>.csv` (for several,
/// `<machine>.field.<case>.<step>.csv`) and `<machine>.series.<case>.csv`. Existing files are kept, because they do not depend
/// on when they are written. Files whose rung cannot run here are left out, and failures are reported on stderr. Returns the
/// time in seconds.
double make_flow_files(const Study& study, Catalogue& catalogue, const std::filesystem::path& results,
                       const std::string& machine);

}  // namespace ladder
