#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ladder {

/// Words of a command line that name a case, a number format and a tuning, of any model.
struct CellWords {
  std::string case_name;
  std::vector<std::string> case_files;  ///< of the model, in its order
  std::string precision;                ///< empty: the first that the rung accepts
  std::vector<std::string> settings;

  void add_to(CLI::App& app);
  void add_options_to(CLI::App& app);
};

/// The options of `solve` that rungs of all models have. A model's files are options beside `--case`.
struct SolveOptions {
  std::int64_t steps = 0;  ///< 0: the case's own
  std::int64_t every = 0;  ///< steps between two rows of series.csv; 0: no such file
  std::string out;

  /// Returns the option `--case`.
  CLI::Option* add_to(CLI::App& app, CellWords& cell);
};

}  // namespace ladder
