#pragma once

#include "reports/report.hpp"

namespace ladder::reports {

/// Writes `options.out`/index.html, the page over the reports in `options.out`/<study>: what each study asks, its answer on
/// each machine, and the rates of all rungs on all machines. The studies are `options.studies`, by default all with results.
/// Returns the page and the studies that are left out, with their errors.
/// @throws InputError if a name is wrong, or another index.html is there
ReportResult write_overview(const ReportOptions& options);

/// Computes that page again, and compares it.
Verification verify_overview(const ReportOptions& options);

}  // namespace ladder::reports
