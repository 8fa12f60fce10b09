#pragma once

#include <filesystem>
#include <string>

#include "harness/study/study.hpp"

namespace ladder {

/// What a job script runs.
struct Job {
  std::filesystem::path root;   ///< where the script `ladder` is
  std::filesystem::path study;  ///< its study.toml
  std::string machine = {};     ///< name that the results are stored under; empty: made of the processor
};

/// A job script for Slurm that runs a study inside one allocation, which is as large as the largest of the study's placements
/// needs. @throws InputError if the study has a placement that cannot be read
std::string job_script(const Study& study, const Job& job);

/// Writes a job script to a new file. @throws InputError if there is such a file, or it cannot be written
void write_job(const std::filesystem::path& file, const std::string& script);

}  // namespace ladder
