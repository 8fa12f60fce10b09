#pragma once

#include <string>
#include <vector>

#include "harness/record/placement.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/launch.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// One thing to measure: a rung (in one build) or a contender with a case, precision, tuning and placement; or a ceiling with a
/// footprint and a placement.
struct Cell {
  const Executable* executable = nullptr;
  Row row;                                   ///< the fields shared by all stored rows of the cell
  std::vector<std::string> arguments;        ///< for `check` and `measure`: case, precision, settings
  std::vector<std::string> check_arguments;  ///< for `check` alone: step counts and start
  std::int64_t steps = 0;                    ///< per sample; 0: derived from the study's sample_seconds
  int rounds = 1;
  double timeout_seconds = 0;           ///< of a check or a sample
  std::int64_t memory_limit_bytes = 0;  ///< 0: 90 % of what is available when its process starts
  Placement placement;
  Launch launch;            ///< how its processes are started, if it can run here
  std::string unavailable;  ///< why it cannot run here; empty when it can
  bool is_broken = false;   ///< it cannot run because it or its backend is broken
  std::string executable_hash;
  std::vector<FileState> files;  ///< the files whose hashes are in the key, as they were when hashed
  bool initial = false;          ///< default build, tunables at their initial values
  std::string over;              ///< key of the cell to compare its speed with, from the rung that it follows; empty: none

  [[nodiscard]] bool is_ceiling() const { return row.kind == "ceiling"; }
  /// `d2q9/opencl/04_soa box-128 f32 wx=8;wy=4 threads=2`
  [[nodiscard]] std::string name() const;
};

/// Expands a study into its cells, each once, in ladder order, and adds the executables' answers about the cases.
/// @throws InputError with the study's file and line for an unknown rung, case, precision, tunable, backend or ceiling, or for
/// a placement that the backend does not support; unless `is_draft`, also for an executable that is not built.
/// A draft also has cells of executables that are not built, whose keys do not identify an executable. Of ceilings that are
/// not built, it has all that the study names, with one kind of store. It lacks contenders whose format or model is not built.
std::vector<Cell> expand(const Study& study, Catalogue& catalogue, bool is_draft = false);

/// The device name stored in a row: the backend's device, and how many processes or parts share it if the placement has more of
/// them on a node than there are devices.
std::string device_of(const Availability& here, const Placement& placement);

/// The placements in `texts` (parse_placements()), each once. The number of threads that the backend starts on its own is the
/// default placement, whether or not it is named; so is one thread if the backend does not let the number of threads be set.
/// @throws InputError for a placement that the backend does not support
std::vector<Placement> placements_for(const std::vector<std::string>& texts, const Executable& executable,
                                      const Availability& here);

/// The placements in `texts`, each once, for a program that is not a rung. One process with a thread on each core is the
/// default placement.
std::vector<Placement> contender_placements(const std::vector<std::string>& texts);

/// A tuning as it appears in a row: `wx=32;wy=8`.
std::string tuning_text(const std::vector<std::string>& settings);

}  // namespace ladder
