#pragma once

#include "reports/report.hpp"

namespace ladder::reports {

/// Checks that the page over all reports may be written to a folder.
/// @throws InputError if the folder contains an index.html of other origin
void require_overview_folder(const std::filesystem::path& out);

/// Writes `options.out`/index.html, the page over the reports in `options.out`/<study> for each of `options.studies`. It shows
/// the newest results, the rates of all rungs on all machines, and for each study its question, its first finding, a small
/// chart and links to its machines.
/// @throws InputError if a study is wrong, or the folder contains an index.html of other origin
ReportResult write_overview(const ReportOptions& options);

/// Computes that page again and compares it with the file.
Verification verify_overview(const ReportOptions& options);

}  // namespace ladder::reports
