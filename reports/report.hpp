#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Tables, figures and one HTML page from the files of experiments/. Nothing here measures. Stored rows are read through
/// harness/store/, and nothing else of the harness is used, so that the whole report can be checked against the CSV files.
namespace ladder::reports {

/// What to report on, and where to write it.
struct ReportOptions {
  std::filesystem::path experiments;  ///< folder with one folder per study
  std::vector<std::string> studies;   ///< names of study folders, in the order of the page; empty: every study with results
  std::filesystem::path out;          ///< folder that receives index.html, figures/, tables/ and rows/; created if missing
  std::string machine;                ///< name of one machine; empty: all that have results
};

/// What was written.
struct ReportResult {
  std::filesystem::path html;                ///< the page
  std::vector<std::filesystem::path> files;  ///< every file written, the page included
  std::vector<std::string> warnings;         ///< e.g. an incomplete last row that was left out
  std::vector<std::string> left_out;         ///< errors of studies that are left out
};

/// Checks whether a report may be written into a folder: it is missing, empty, or has the manifest of a report.
/// @throws InputError otherwise
void require_report_folder(const std::filesystem::path& out);

/// Writes the report. Files are written whole or not at all, and none is written before every figure is drawn. Only files that
/// the manifest of an earlier report lists are replaced or removed. Studies with errors are left out, unless all have errors.
/// @throws InputError          a file or name that the user gave is wrong, or the output folder cannot be written
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot fails
ReportResult write_report(const ReportOptions& options);

/// The executable that measured some of a report's numbers.
struct Origin {
  std::string study, machine, session;
  std::string rung;   ///< id, or `ceiling/<backend>`
  std::string build;  ///< `default`, or a tag of the flags axis
  std::string backend;
  std::string flags;       ///< of the compiler; empty if they are not stored
  std::string executable;  ///< hash of its bytes then; empty if it is not stored
  std::string sources;     ///< hash of the files it was built from; empty if it is not stored

  auto operator<=>(const Origin&) const = default;
};

/// A file of a report that differs from the stored rows.
struct Mismatch {
  std::filesystem::path file;
  std::string problem;  ///< e.g. "row 'fused', column 'mlups': printed '812', the rows give '790'"
};

/// The result of computing a report again.
struct Verification {
  std::size_t numbers = 0;  ///< in tables, computed again
  std::size_t figures = 0;  ///< drawn again
  std::vector<Mismatch> mismatches;
  std::vector<Origin> origins;  ///< of the samples that the report shows, each once
};

/// Computes the report in `options.out` again from the stored rows, and compares every table, figure (as SVG) and the page.
/// PDF files, and the files that the report was made from, are compared by the hashes in the manifest.
/// @throws InputError          a file or name that the user gave is wrong, or the folder holds no report
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot fails
Verification verify_report(const ReportOptions& options);

/// Checks whether the study in `folder` can be reported on: its [[report]] blocks and its paper's numbers, and, if a report on
/// `machine` is to follow, the stored files (of all machines if it is empty) and gnuplot. Must be called before a
/// long measurement.
/// @throws InputError if a file is wrong; the same exceptions as write_report() for gnuplot
void require_reportable(const std::filesystem::path& folder, const std::optional<std::string>& machine);

}  // namespace ladder::reports
