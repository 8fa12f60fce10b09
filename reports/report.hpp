#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Tables, figures and one HTML page out of the files of experiments/. Nothing here measures; stored rows are read through
/// harness/store/, and nothing else of the harness is used: everything that the report says can be checked against the CSV
/// files.
namespace ladder::reports {

/// What to report on, and where to write it.
struct ReportOptions {
  std::filesystem::path experiments;  ///< folder with one folder a study
  std::vector<std::string> studies;   ///< names of study folders, in the order of the page; empty: every study with results
  std::filesystem::path out;          ///< folder that receives index.html, figures/, tables/ and rows/; made where missing
  std::string machine;                ///< name of one machine; empty: all that have results
};

/// What was written.
struct ReportResult {
  std::filesystem::path html;                ///< the page
  std::vector<std::filesystem::path> files;  ///< every file written, the page included
  std::vector<std::string> warnings;         ///< e.g. an incomplete last row that was left out
  std::vector<std::string> left_out;         ///< what is wrong with studies that are left out
};

/// Tries whether a report may be written into a folder: it is missing, empty, or has the manifest of a report.
/// @throws InputError otherwise
void require_report_folder(const std::filesystem::path& out);

/// Writes the report. Files are written whole or not at all, and none before every figure is drawn. Only files that the
/// manifest of an earlier report lists are replaced or removed. Studies that are wrong are left out, unless all are.
/// @throws InputError          a file or name that the user gave is wrong, or the output folder cannot be written
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot fails
ReportResult write_report(const ReportOptions& options);

/// What some of a report's numbers were measured with.
struct Origin {
  std::string study, machine, session;
  std::string rung;   ///< id, or `ceiling/<backend>`
  std::string build;  ///< `default`, or a tag of the flags axis
  std::string backend;
  std::string flags;       ///< of the compiler; empty where they are not stored
  std::string executable;  ///< hash of its bytes then; empty where it is not stored
  std::string sources;     ///< hash of the files it was built from; empty where it is not stored

  auto operator<=>(const Origin&) const = default;
};

/// A file of a report that the rows do not give.
struct Mismatch {
  std::filesystem::path file;
  std::string problem;  ///< e.g. "row 'fused', column 'mlups': printed '812', the rows give '790'"
};

/// What came of computing a report again.
struct Verification {
  std::size_t numbers = 0;  ///< in tables, computed again
  std::size_t figures = 0;  ///< drawn again
  std::vector<Mismatch> mismatches;
  std::vector<Origin> origins;  ///< of the samples that the report shows, each once
};

/// Computes the report that stands in `options.out` anew from the stored rows, and compares: every table, figure (as SVG) and
/// the page; of figures as PDF, and of the files that it was made from, the hashes in the manifest.
/// @throws InputError          a file or name that the user gave is wrong, or the folder holds no report
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot fails
Verification verify_report(const ReportOptions& options);

/// Tries whether the study in `folder` can be reported on: its [[report]] blocks and its paper's numbers, and, if a report on
/// `machine` is to follow, what is stored (of all machines if it is empty) and gnuplot. Who measures for long asks before.
/// @throws InputError where a file is wrong; what gnuplot throws as for write_report()
void require_reportable(const std::filesystem::path& folder, const std::optional<std::string>& machine);

}  // namespace ladder::reports
