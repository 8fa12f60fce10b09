// A parameter file of the model d2q37.
#include <fmt/format.h>

#include <cmath>

#include "tests/fuzz/fuzz.hpp"
#include "variants/d2q37/model.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  d2q37::Case c;
  if (!accepts([&] { c = d2q37::parse_parameters("input.params", input); })) return;
  require(c.nx >= 3 && c.ny >= (c.walls != 0 ? 7 : 3) && c.steps >= 1 && c.waves >= 1, "integers are in range");
  require(c.tau > 0.5 && c.gravity >= 0 && c.width > 0 && c.amplitude >= 0, "numbers are in range");
  require(c.lower >= 0 && c.lower <= c.upper && c.upper <= c.ny, "the interfaces are in the lattice");
  for (const int y : {0, 1, c.ny / 2, c.ny - 1})
    for (const int x : {0, c.nx / 3, c.nx - 1}) {
      const auto gas = c.start(x, y);
      require(gas.density > 0 && gas.temperature > 0.5 && gas.temperature < 2.5, "the gas has a density and a temperature");
      for (const double f : c.initial(x, y, 0))
        require(std::isfinite(f), "populations are finite");
    }

  const std::string written = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", c.nx, c.ny,
                                          c.steps, c.tau, c.gravity, c.bottom, c.middle, c.top, c.lower, c.upper, c.width,
                                          c.amplitude, c.waves, c.reaction_time, c.compensated, c.walls);
  const d2q37::Case back = d2q37::parse_parameters("input.params", written);
  require(back.steps == c.steps && back.content() == c.content(), "what is written again parses to the same");
}
