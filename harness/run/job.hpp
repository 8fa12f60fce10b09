#pragma once

#include <filesystem>
#include <string>

#include "harness/study/study.hpp"

namespace ladder {

/// The parameters of a job script.
struct Job {
  std::filesystem::path root;   ///< folder that contains the script `ladder`
  std::filesystem::path study;  ///< its study.toml
  std::string machine = {};     ///< name under which to store the results; empty: derived from the processor
};

/// A Slurm job script that runs a study within one allocation, large enough for the study's largest placement.
/// @throws InputError if the study has an invalid placement, the machine's name is invalid, or a path has control characters
std::string job_script(const Study& study, const Job& job);

/// Writes a job script to a new file. @throws InputError if the file exists or cannot be written
void write_job(const std::filesystem::path& file, const std::string& script);

}  // namespace ladder
