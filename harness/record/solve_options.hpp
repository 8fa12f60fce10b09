#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ladder {

/// Words on the command line that select a case, a number format and a tuning, for any model.
struct CellWords {
  std::string case_name;
  std::vector<std::string> case_files;  ///< in the order that the model defines
  std::string precision;                ///< empty: the rung's first format
  std::vector<std::string> settings;

  void add_to(CLI::App& app);
  void add_options_to(CLI::App& app);
};

/// The options of `solve` that are common to all models. Options for a model's files come in addition to `--case`.
struct SolveOptions {
  std::int64_t steps = 0;  ///< 0: as defined by the case
  std::int64_t every = 0;  ///< steps between two rows of series.csv; 0: no such file
  std::string out;

  /// Returns the `--case` option.
  CLI::Option* add_to(CLI::App& app, CellWords& cell);
};

}  // namespace ladder
