#pragma once

#include "harness/run/catalogue.hpp"
#include "harness/study/study.hpp"
#include "program/commands.hpp"

namespace ladder {

/// `run --dry-run`: prints what `run` would build, check and measure of this study, what is already stored, what cannot run
/// here and why, and how long each part would take. Changes nothing. Returns the exit code. @throws InputError for bad input
int dry_run(const Context& context, const RunCommandOptions& options, const Study& study, Catalogue& catalogue);

}  // namespace ladder
