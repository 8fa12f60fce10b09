#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/foreign_run.hpp"
#include "roofline/model/number.hpp"

/// Result files in the UoB-HPC format, and their comparison with the reference's.
namespace ladder {

/// Size of a run, which determines what its result files must contain.
struct UobRun {
  int nx = 0, ny = 0;
  std::int64_t steps = 0;
};

/// The contents of `final_state.dat` and `av_vels.dat`.
struct UobResults {
  /// For each site, velocity along x and y, its magnitude, and pressure; x is the fastest index.
  std::vector<std::array<double, 4>> sites;
  std::vector<bool> solid;     ///< per site
  std::vector<double> speeds;  ///< average speed after each step
};

/// Reads both files completely. Numbers may be NaN or infinite.
/// @throws BadResult with file and line unless each is a regular file with one line per site, or per step
UobResults read_uob_results(const std::filesystem::path& final_state, const std::filesystem::path& av_vels, const UobRun& run);

/// Result of a comparison. Errors are those of the value that deviates most, NaN if one is not finite.
struct UobComparison {
  std::string wrong;          ///< the first wrong line, with file, value and reference; empty: there is none
  double relative_error = 0;  ///< |reference - value| / |value| of pressures and average speeds, as in the check script
  double error = 0;           ///< absolute error of velocities in lattice units; of pressures, relative to the largest pressure
  double speed_error = 0;     ///< largest relative error of an average speed
  double tolerance = 0;       ///< accepted `error`
};

/// Accepted `relative_error`: the 1 % of the UoB-HPC check script.
constexpr double uob_tolerance = 0.01;

/// Compares results with the reference. A value is right if the check script accepts it and it is within this project's
/// tolerance, which follows from the rounding of `number` (docs/measuring.md). `got` may have more steps than the reference;
/// then only the average speeds of the reference's steps are compared. `relative`: accepted `relative_error`; speeds whose
/// absolute error is at most `floor` are accepted, too. `final_state`, `av_vels`: names for messages.
UobComparison compare_uob(const UobResults& got, const UobResults& reference, const UobRun& run, const Number& number,
                          const std::string& final_state, const std::string& av_vels, double relative = uob_tolerance,
                          double floor = 0);

/// Accepted error of a velocity after `steps` steps: a sum of populations has at most q times the error of one.
double uob_rounding(const Number& number, std::int64_t steps);

/// The first NaN or infinite value, with file and line; empty if there is none.
std::string not_finite(const UobResults& results, const UobRun& run, const std::string& final_state,
                       const std::string& av_vels);

}  // namespace ladder
