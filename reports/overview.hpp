#pragma once

#include "reports/report.hpp"

namespace ladder::reports {

/// Checks whether the page over all reports may be written to a folder: it has no other index.html.
/// @throws InputError otherwise
void require_overview_folder(const std::filesystem::path& out);

/// Writes `options.out`/index.html, the page over the reports in `options.out`/<study> of `options.studies`: what each study
/// asks, its answer on each machine, and the rates of all rungs on all machines.
/// @throws InputError if a study is wrong, or another index.html is there
ReportResult write_overview(const ReportOptions& options);

/// Computes that page again, and compares it.
Verification verify_overview(const ReportOptions& options);

}  // namespace ladder::reports
