#pragma once

#include "program/commands.hpp"

namespace ladder {

/// Runs the parts of the campaign in `options.campaign` in order, within `options.budget_seconds` if that is set, and prints
/// what is left. Returns the exit code. @throws InputError for a bad campaign; Interrupted shortly before the time is up
int run_campaign(const Context& context, const RunCommandOptions& options);

}  // namespace ladder
