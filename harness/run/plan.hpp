#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/record/placement.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/contender.hpp"
#include "harness/run/launch.hpp"
#include "harness/study/study.hpp"

namespace ladder {

/// One thing to measure: a rung (in one build) on one case, precision, tuning and placement; or one ceiling at one footprint
/// and placement.
struct Cell {
  const Executable* executable = nullptr;
  Row row;                                   ///< the fields that all stored rows of the cell share
  std::vector<std::string> arguments;        ///< of `check` and `measure`: case, precision, settings
  std::vector<std::string> check_arguments;  ///< of `check` alone: step counts and start
  std::int64_t steps = 0;                    ///< of one sample; 0: from the study's sample_seconds
  int rounds = 1;
  Placement placement;
  Launch launch;            ///< of its processes, if it can run here
  std::string unavailable;  ///< why it cannot run here; empty when it can
  bool is_broken = false;   ///< it cannot run because of a fault of its own or of its backend
  std::string executable_hash;
  bool initial = false;                        ///< default build, tunables at their initial values
  std::shared_ptr<const Contender> contender;  ///< null: a rung or a ceiling
  std::string over;  ///< key of the cell that its speed is compared with, that of the rung that it follows; empty: none

  [[nodiscard]] bool is_ceiling() const { return row.kind == "ceiling"; }
  /// `d2q9/opencl/04_soa box-128 f32 wx=8;wy=4 threads=2`
  [[nodiscard]] std::string name() const;
};

/// Expands a study into its cells, each once, in ladder order, and adds the executables' answers about the cases.
/// @throws InputError with the study's file and line for an unknown rung, case, precision, tunable, backend or ceiling, or a
/// placement that the backend cannot run in
std::vector<Cell> expand(const Study& study, Catalogue& catalogue);

/// The device that a row names: the backend's, and how many processes or parts share it if the placement has more of them on a
/// node than there are devices.
std::string device_of(const Availability& here, const Placement& placement);

/// The placements in `texts` (parse_placements()), each once. The number of threads that the backend starts by itself is the
/// default placement, whether it is named or not; so is one thread if the backend does not let the number of threads be set.
/// @throws InputError for a placement that the backend cannot run in
std::vector<Placement> placements_for(const std::vector<std::string>& texts, const Executable& executable,
                                      const Availability& here);

/// A tuning as written in a row: `wx=32;wy=8`.
std::string tuning_text(const std::vector<std::string>& settings);

}  // namespace ladder
