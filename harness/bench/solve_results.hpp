#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/bench/rung.hpp"
#include "harness/record/solve_options.hpp"
#include "roofline/model/number.hpp"

namespace ladder {

/// What `solve` knows about a run in addition to its case and its last state.
struct SolvedRun {
  const CellWords& cell;                  ///< selected the case
  const Number& number;                   ///< format in which the lattice was stored
  std::span<const double> history;        ///< Solver::history()
  std::vector<std::vector<double>> late;  ///< Model::series() at several moments of the last quarter, if follows()
};

/// How `solve` presents a run: by default, with the model's own functions. A model whose results depend on more than the last
/// state specializes this template in a header that ladder_add_model() names as RESULTS.
template <class Model>
struct SolveResults {
  using Case = typename Model::Case;

  /// Whether SolvedRun::late is needed.
  static bool follows(const Case&) { return false; }
  /// Writes Model::result_files into `folder`.
  static void write(const Case& c, const Populations& state, const SolvedRun& run, const std::string& folder) {
    Model::write_results(c, state, run.history, folder);
  }
  /// The text to print at the end.
  static std::string summary(const Case& c, const Populations& state, const SolvedRun& run) {
    return Model::summary(c, state, run.history);
  }
};

}  // namespace ladder
