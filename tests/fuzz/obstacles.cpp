// A UoB-HPC obstacle file for a 16 x 8 grid.
#include <fmt/format.h>

#include "tests/fuzz/fuzz.hpp"
#include "variants/d2q9/model.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  d2q9::Case c{{.name = "fuzz", .nx = 16, .ny = 8}};
  d2q9::Case back = c;
  if (!accepts([&] { d2q9::parse_obstacles("obstacles.dat", input, c); })) return;
  require(c.fluid_cells() > 0, "a cell is fluid");

  std::string written;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      if (c.solid[static_cast<std::size_t>(y * c.nx + x)] != 0) written += fmt::format("{} {} 1\n", x, y);
  d2q9::parse_obstacles("obstacles.dat", written, back);
  require(back.solid == c.solid, "what is written again parses to the same");
}
