// The name of a generated case.
#include <algorithm>
#include <cctype>

#include "tests/fuzz/fuzz.hpp"
#include "variants/d2q9/model.hpp"

using namespace ladder::fuzz;

/// Whether a case of this name may have so many cells that generating it takes long, but few enough to fit into memory.
static bool is_large(std::string_view name) {
  double cells = 1;
  int numbers = 0;
  for (std::size_t i = 0; i < name.size(); ++numbers) {
    double number = 0;
    while (i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) == 0)
      ++i;
    for (; i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0; ++i)
      number = 10 * number + (name[i] - '0');
    cells *= std::max(number, 1.0);
  }
  if (numbers == 1) cells *= cells;
  return cells > 4096 && cells < 1e12;
}

LADDER_FUZZ(input) {
  if (is_large(input)) return;
  d2q9::Case c;
  if (!accepts([&] { c = d2q9::Model::make_case(input); })) return;
  require(c.nx >= 3 && c.ny >= 3 && c.solid.size() == static_cast<std::size_t>(c.cells()), "the grid has its cells");
  require(c.fluid_cells() > 0, "a cell is fluid");
  require(c.name == input, "a case has its name");
}
