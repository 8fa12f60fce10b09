#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/obstacles.hpp"
#include "harness/bench/solve_results.hpp"
#include "variants/d3q19/model.hpp"

/// What `solve` writes and prints about a run, and what the harness must know about cases.
namespace d3q19 {

/// Density and velocity in a state's cell.
Macroscopic at(const ladder::Populations& state, std::int64_t cell);

/// Whether a body's drag coefficient has settled: over the last quarter of the run, it varied by at most `most_swing` of its
/// mean, and the wind has crossed the length of the tunnel.
struct Settling {
  static constexpr double most_swing = 0.01;

  double low = 0, high = 0, mean = 0;  ///< of the coefficient over the last quarter
  double crossings = 0;                ///< how often the wind has crossed the tunnel
  bool is_known = false;               ///< whether there are values

  /// `late`: rows of Model::series() in the last quarter of the run.
  Settling(const Case& c, const std::vector<std::vector<double>>& late);

  [[nodiscard]] double swing() const;
  [[nodiscard]] bool is_settled() const { return is_known && swing() <= most_swing && crossings >= 1; }
};

/// The text that `solve` prints at the end. `late`: see Settling; `up`: the axis of the case's mesh that points up, along which
/// lift acts; 0 for a generated case, whose axes are the lattice's.
std::string summary(const Case& c, const ladder::Populations& state, const std::vector<std::vector<double>>& late, char up);

/// Writes Model::result_files: flow.vti in double precision if `number` is double precision, otherwise in single precision.
void write_results(const Case& c, const ladder::Populations& state, const ladder::Number& number, const std::string& folder);

/// Whether a case has cells of kind INFLOW or OUTFLOW (open.h), which only solvers derived from ladder::TakesOpenBoundaries
/// accept.
bool has_open_boundaries(const Case& c);

}  // namespace d3q19

template <>
struct ladder::OpenBoundaryRules<d3q19::Model> {
  static bool needs(const d3q19::Case& c) { return d3q19::has_open_boundaries(c); }
};

template <>
struct ladder::SolveResults<d3q19::Model> {
  static bool follows(const d3q19::Case& c) { return c.area > 0; }
  static void write(const d3q19::Case& c, const Populations& state, const SolvedRun& run, const std::string& folder);
  static std::string summary(const d3q19::Case& c, const Populations& state, const SolvedRun& run);
};
