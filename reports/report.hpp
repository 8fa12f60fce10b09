#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/findings.hpp"

/// Tables, figures and one HTML page made from the files of experiments/. Nothing is measured here. Stored rows are read
/// through harness/store/ and nothing else of the harness is used, so the whole report can be checked against the CSV files.
namespace ladder::reports {

struct Origin;

/// Whether results of this origin are older than the rung that they name.
using IsOlder = std::function<bool(const Origin&)>;

/// The contents of a report, and where to write it.
struct ReportOptions {
  std::filesystem::path experiments;  ///< folder with one folder per study
  std::vector<std::string> studies;   ///< names of study folders, in page order; empty means every study with results
  std::filesystem::path out;          ///< folder that receives index.html, figures/, tables/ and rows/; created if missing
  std::string machine;                ///< name of one machine; empty means all that have results
  IsOlder is_older = {};              ///< marks findings; without it, none is marked
};

/// What was written.
struct ReportResult {
  std::filesystem::path html;                ///< the page
  std::vector<std::filesystem::path> files;  ///< every file written, the page included
  std::vector<std::string> warnings;         ///< e.g. an incomplete last row was left out
  std::vector<std::string> left_out;         ///< errors of the studies that are left out
};

/// Checks that a report may be written to a folder: the folder is missing, empty, or has the manifest of a report.
/// @throws InputError otherwise
void require_report_folder(const std::filesystem::path& out);

/// Writes the report. Files are written atomically, and none before every figure is drawn. Only files listed in the manifest of
/// an earlier report are replaced or removed. Studies with errors are left out, unless all have errors.
/// @throws InputError          a file or name given by the user is wrong, or the output folder cannot be written
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot failed
ReportResult write_report(const ReportOptions& options);

/// An executable that measured some of a report's values.
struct Origin {
  std::string study, machine, session;
  std::string rung;   ///< id, or `ceiling/<backend>`
  std::string build;  ///< `default`, or a tag of the flags axis
  std::string backend;
  std::string flags = {};       ///< compiler flags; empty if not stored
  std::string executable = {};  ///< hash of the executable at the time; empty if not stored
  /// Hash of its source files, as recorded by the latest session that used an identical executable; empty if not stored.
  std::string sources = {};

  auto operator<=>(const Origin&) const = default;
};

/// A file of the report that does not match the stored rows.
struct Mismatch {
  std::filesystem::path file;
  std::string problem;  ///< e.g. "row 'fused', column 'mlups': printed '812', the rows give '790'"
};

/// A finding on the machine that its study names as the source, and the executables that measured its rows.
struct SourceFinding {
  std::string study;
  Finding finding;
  std::vector<Origin> origins;
};

/// The findings of all studies in `options` that have a source, each on that machine; without its results, the values are
/// missing. @throws InputError if a file is wrong
std::vector<SourceFinding> source_findings(const ReportOptions& options);

/// The result of recomputing a report.
struct Verification {
  std::size_t numbers = 0;  ///< recomputed values in tables
  std::size_t figures = 0;  ///< redrawn figures
  std::vector<Mismatch> mismatches;
  std::vector<Origin> origins;  ///< of the samples shown in the report, without duplicates
};

/// Recomputes the report in `options.out` from the stored rows and compares all tables, figures (as SVG) and the page. PDF
/// files and the report's input files are compared by the hashes in the manifest.
/// @throws InputError          a file or name given by the user is wrong, or the folder contains no report
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot failed
Verification verify_report(const ReportOptions& options);

/// Checks that the study in `folder` can be reported on: its [[report]] blocks, its paper's values and, if a report on
/// `machine` is to follow, its stored files (of all machines if `machine` is empty) and gnuplot. Call this before a long
/// measurement.
/// @throws InputError if a file is wrong; the same exceptions as write_report() for gnuplot
void require_reportable(const std::filesystem::path& folder, const std::optional<std::string>& machine);

}  // namespace ladder::reports
