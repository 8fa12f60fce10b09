#pragma once

#include <filesystem>
#include <string>

#include "program/commands.hpp"

/// Exporting stored results for other programs, and importing results of other machines.
namespace ladder {

struct ExportOptions {
  std::string study;
  std::string machine;         ///< empty: all
  std::string format = "csv";  ///< or `benchmark-json`
  std::filesystem::path out;   ///< empty: standard output
};

/// `ladder export`: writes a study's rows, either as one CSV with the columns `study` and `machine` before those of stored
/// rows, or as JSON in the format of Google Benchmark. The JSON describes one machine and, for each cell, the samples of its
/// last session. A sample's time is that of one step, in nanoseconds.
/// @throws InputError if the study has no results, or the JSON's machine is ambiguous
int export_results(const Context& context, const ExportOptions& options);

/// `ladder import`: adds the rows of `file` and the provenance next to it to the results of `machine`. Rows that are already
/// stored are skipped, and everything is validated before anything is written.
/// @throws InputError if a row or a provenance is invalid or missing, differs from a stored one, or if the results belong to
/// different machines or several studies
int import_results(const Context& context, const std::filesystem::path& file, const std::string& machine);

}  // namespace ladder
