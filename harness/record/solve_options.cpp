#include "harness/record/solve_options.hpp"

#include <CLI/CLI.hpp>

#include "base/command_line.hpp"
#include "base/limits.hpp"

namespace ladder {

void CellWords::add_to(CLI::App& app) {
  app.add_option("--case", case_name, "generated case, e.g. box-128")->required();
  add_options_to(app);
}

void CellWords::add_options_to(CLI::App& app) {
  app.add_option("--precision", precision, "number format that the lattice is stored in; default: f32 if the rung accepts it");
  app.add_option("--set", settings, "value of a tunable: name=value");
}

CLI::Option* SolveOptions::add_to(CLI::App& app, CellWords& cell) {
  auto* by_name = app.add_option("--case", cell.case_name, "generated case, instead of files");
  cell.add_options_to(app);
  app.add_option("--steps", steps, "steps, instead of the case's own")->check(count(most_steps));
  app.add_option("--every", every, "steps between two rows of series.csv; default: no such file")->check(count(most_steps));
  app.add_option("--out", out, "folder to write to")->required();
  return by_name;
}

}  // namespace ladder
