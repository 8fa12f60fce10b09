#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/command_line.hpp"
#include "backends/limits.hpp"

namespace ladder {

/// Words of a command line that name a case, a number format and a tuning, of any model.
struct CellWords {
  std::string case_name;
  std::vector<std::string> case_files;  ///< of the model, in its order
  std::string precision;                ///< empty: the first that the rung accepts
  std::vector<std::string> settings;

  void add_to(CLI::App& app) {
    app.add_option("--case", case_name, "generated case, e.g. box-128")->required();
    add_options_to(app);
  }
  void add_options_to(CLI::App& app) {
    app.add_option("--precision", precision,
                   "number format that the lattice is stored in; default: f32 if the rung accepts it");
    app.add_option("--set", settings, "value of a tunable: name=value");
  }
};

/// The options of `solve` that rungs of all models have. A model's files are options beside `--case`.
struct SolveOptions {
  std::int64_t steps = 0;  ///< 0: the case's own
  std::int64_t every = 0;  ///< steps between two rows of series.csv; 0: no such file
  std::string out;

  /// Returns the option `--case`.
  CLI::Option* add_to(CLI::App& app, CellWords& cell) {
    auto* by_name = app.add_option("--case", cell.case_name, "generated case, instead of files");
    cell.add_options_to(app);
    app.add_option("--steps", steps, "steps, instead of the case's own")->check(count(most_steps));
    app.add_option("--every", every, "steps between two rows of series.csv; default: no such file")->check(count(most_steps));
    app.add_option("--out", out, "folder to write to")->required();
    return by_name;
  }
};

}  // namespace ladder
