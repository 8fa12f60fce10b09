#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/placement.hpp"
#include "harness/run/process.hpp"

namespace ladder {

/// How the processes of a placement are started.
struct Launch {
  std::vector<std::string> prefix;  ///< the launcher and its options, e.g. `/usr/bin/mpirun -n 4`; empty: no launcher
  Environment environment;          ///< the variables of OpenMP

  /// `OMP_NUM_THREADS=2 OMP_PLACES={0},{1} OMP_PROC_BIND=close`, preceded by the prefix.
  [[nodiscard]] std::string text() const;
  /// Number of threads that the environment requests from OpenMP in each process; 0 if it does not set one.
  [[nodiscard]] int threads() const;
};

/// The command of srun, for `--launcher slurm`. @throws InputError outside of an allocation of Slurm
std::vector<std::string> slurm_launcher();

/// The launch of a placement on this machine. One process is started directly, and its threads are pinned to the first cores in
/// hwloc's order, one thread per core. Several processes are started by `command` or, if that is empty, by srun within a Slurm
/// job, else by mpirun, else by srun; the launcher then binds the processes, and their threads stay on the cores of their
/// process. Variables that the user set are kept, except OMP_NUM_THREADS if the placement has a number of threads.
/// @throws Unavailable if there are too few cores or no launcher
Launch launch_of(const Placement& placement, const std::vector<std::string>& command = {});

/// Calls run_process() for `program` with this launch; threads of the command `check` are not bound to cores. A launcher that
/// fails by itself (it refuses root, or has too few slots) is a program that cannot run here: exit_unavailable with the
/// launcher's message.
ProcessResult run_launched(const Launch& launch, const std::filesystem::path& program,
                           const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

}  // namespace ladder
