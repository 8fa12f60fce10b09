#include "harness/run/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "harness/record/placement.hpp"
#include "harness/run/session.hpp"

namespace ladder {

std::string job_script(const Study& study, const Job& job) {
  int nodes = 1, per_node = 1;
  const auto cover = [&](const auto& blocks) {
    for (const auto& block : blocks)
      for (const std::string& text : block.placements)
        for (const Placement& placement : parse_placements(text)) {
          nodes = std::max(nodes, placement.nodes);
          per_node = std::max(per_node, (placement.processes + placement.nodes - 1) / placement.nodes);
        }
  };
  cover(study.matrix);
  cover(study.ceilings);
  require_study_name(job.study, study.name);
  for (const std::string& text : {job.root.string(), job.study.string()})
    if (has_control_character(text))
      throw InputError(fmt::format("{}: accepted in a job script: a path without control characters", one_line(text)));
  if (!job.machine.empty()) machine_name(job.machine);
  std::string command = fmt::format("./ladder run {}", shell_quoted(job.study.string()));
  if (!job.machine.empty()) command += " --machine " + shell_quoted(job.machine);
  return fmt::format(R"(#!/bin/bash
# Runs the study {0} inside one Slurm allocation, one cell at a time; srun starts cells with several processes. Submit it with
# sbatch, and submit it again after the allocation ends: the run continues where it stopped. Options of sbatch override the
# lines below, e.g. --time=4:00:00 --partition=NAME --gpus-per-node=4.
#SBATCH --job-name="ladder-{5}"
#SBATCH --nodes={1}
#SBATCH --ntasks-per-node={2}
#SBATCH --exclusive
#SBATCH --open-mode=append
# A minute before the allocation ends, the run stores what it has and exits.
#SBATCH --signal=B:TERM@60
cd {3} || exit 2
exec {4}
)",
                     study.name, nodes, per_node, shell_quoted(job.root.string()), command, id_slug(study.name));
}

void write_job(const std::filesystem::path& file, const std::string& script) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wx"), std::fclose);
  if (!out)
    throw InputError(fmt::format("{}: {}{}", file.string(), std::strerror(errno),
                                 errno == EEXIST ? "; accepted is a file that does not exist yet" : ""));
  if (std::fwrite(script.data(), 1, script.size(), out.get()) == script.size() && std::fflush(out.get()) == 0) return;
  const std::string why = std::strerror(errno);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  throw InputError(fmt::format("{}: {}", file.string(), why));
}

}  // namespace ladder
