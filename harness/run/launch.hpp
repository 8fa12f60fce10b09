#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "harness/record/placement.hpp"

namespace ladder {

/// How a placement's processes are started.
struct Launch {
  std::vector<std::string> prefix;  ///< the launcher and its options, e.g. `/usr/bin/mpirun -n 4`; empty: no launcher
  Environment environment;          ///< the OpenMP variables
  int nodes = 1, processes = 1;     ///< requested from the launcher

  /// The prefix followed by the variables, e.g. `OMP_NUM_THREADS=2 OMP_PLACES={0},{1} OMP_PROC_BIND=close`.
  [[nodiscard]] std::string text() const;
  /// Number of OpenMP threads per process that the environment requests; 0 if it does not set one.
  [[nodiscard]] int threads() const;
};

/// The srun command for `--launcher slurm`. @throws InputError outside a Slurm allocation
std::vector<std::string> slurm_launcher();

/// One logical processor for each core that this process may use, in hwloc's order: those within its affinity, and no more than
/// the processor quota of its control groups allows, but at least one.
const std::vector<int>& usable_cores();

/// The launch of a placement on this machine. A single process is started directly, with its threads pinned to the first cores
/// in hwloc's order, one thread per core. Several processes are started by `command` or, if that is empty, by srun in a Slurm
/// job, otherwise by mpirun, otherwise by srun. In this case the launcher binds the processes, and threads stay on their
/// process's cores. Variables set by the user are kept, except OMP_NUM_THREADS if the placement sets the number of threads.
/// @throws Unavailable if there are too few cores or no launcher
Launch launch_of(const Placement& placement, const std::vector<std::string>& command = {});

/// Whether the launcher failed, either before the program answered or after it reported success.
bool is_launcher_failure(const Launch& launch, const ProcessResult& result);

/// Whether the lines that a program prints must reach the harness as they are.
enum class Lines { must_be_whole, may_change };

/// Why the launcher does not start the requested number of processes of `echo` here; empty if it does, or if there is none.
std::string launcher_fault(const Launch& launch, Lines lines);

/// Whether a result of run_launched() holds an executable's answer.
bool has_answer(const ProcessResult& result);

/// Whether a successful answer from several processes lacks the process or node count.
bool lacks_counts(const Launch& launch, const ProcessResult& result);

/// Calls run_process() for `program` with this launch; threads of the command `check` are not bound to cores. If the launcher
/// itself fails (it refuses to run as root, has too few slots, starts more or fewer processes than requested, or fails
/// after the program reported success), the result is that of a program that cannot run here: exit_unavailable with the
/// launcher's message. Text that the launcher prints before or after the program's answer is removed.
ProcessResult run_launched(const Launch& launch, const std::filesystem::path& program,
                           const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

/// The same for a resident process, which keeps the bindings of its launch for every command.
ProcessResult request_launched(Residents& residents, const Launch& launch, const std::filesystem::path& program,
                               const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes = 0);

}  // namespace ladder
