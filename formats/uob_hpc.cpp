// The UoB-HPC format of the model d2q9: writes the two input files of a case, and the reference's two result files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>

#include "base/command_line.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/standard_streams.hpp"
#include "variants/d2q9/model.hpp"

namespace {

/// Writes `input.params` and `obstacles.dat`.
void write_inputs(const d2q9::Case& c, const std::string& folder) {
  const std::string params =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", c.nx, c.ny, c.steps, c.reynolds_dim, c.density, c.accel, c.omega);
  std::string obstacles;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      if (c.is_solid(x, y)) fmt::format_to(std::back_inserter(obstacles), "{} {} 1\n", x, y);
  ladder::write_files(folder, {{"input.params", params}, {"obstacles.dat", obstacles}});
}

/// Writes `av_vels.dat` and `final_state.dat`.
void write_reference(const d2q9::Case& c, const std::string& folder) {
  constexpr double lattices = 3;  // two of the reference, and the stored state
  ladder::require_memory(lattices * d2q9::q * sizeof(double) * static_cast<double>(c.cells()), "the reference of " + c.name);
  d2q9::Reference reference(c);
  reference.advance(c.steps);
  ladder::Populations state(d2q9::q, {{}, c.grid()});
  reference.store(state);
  d2q9::Model::write_results(c, state, reference.history(), folder);
}

}  // namespace

int main(int argc, char** argv) {
  ladder::open_standard_streams();
  CLI::App app{"files of the UoB-HPC format", "uob-hpc"};
  app.require_subcommand(1);
  std::string case_name, folder;
  std::int64_t steps = 0;
  auto* inputs = app.add_subcommand("inputs", "write the input of a case: input.params and obstacles.dat");
  auto* reference = app.add_subcommand("reference", "compute a case and write its results: av_vels.dat and final_state.dat");
  for (CLI::App* command : {inputs, reference}) {
    command->add_option("--case", case_name, "generated case, e.g. box-128")->required();
    command->add_option("--steps", steps, "number of steps")->required()->check(ladder::count(ladder::most_steps));
    command->add_option("--out", folder, "folder to write to")->required();
  }
  try {
    app.parse(argc, argv);
    d2q9::Case c = d2q9::Model::make_case(case_name);
    c.steps = steps;
    if (inputs->parsed())
      write_inputs(c, folder);
    else
      write_reference(c, folder);
    return ladder::exit_ok;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? ladder::exit_ok : ladder::exit_bad_input;
  } catch (const ladder::InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return ladder::exit_bad_input;
  } catch (const ladder::Unavailable& e) {
    fmt::print(stderr, "{}\n", e.what());
    return ladder::exit_unavailable;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return ladder::exit_check_failed;
  }
}
