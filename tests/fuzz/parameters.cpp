// A UoB-HPC parameter file.
#include <fmt/format.h>

#include "tests/fuzz/fuzz.hpp"
#include "variants/d2q9/model.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  d2q9::Case c;
  if (!accepts([&] { c = d2q9::parse_parameters("input.params", input); })) return;
  require(c.nx >= 3 && c.ny >= 3 && c.steps >= 1 && c.reynolds_dim >= 1, "integers are in range");
  require(c.density > 0 && c.accel >= 0 && c.omega > 0 && c.omega < 2, "numbers are in range");

  const std::string written =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", c.nx, c.ny, c.steps, c.reynolds_dim, c.density, c.accel, c.omega);
  const d2q9::Case back = d2q9::parse_parameters("input.params", written);
  require(back.steps == c.steps && back.content() == c.content(), "what is written again parses to the same");
}
