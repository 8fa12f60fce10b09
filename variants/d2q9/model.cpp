#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/output.hpp"
#include "variants/d2q9/textbook.hpp"
#include "variants/lattice/fields.hpp"

namespace d2q9 {
namespace {

/// Returns a cell's fields as shown in the output files: a solid cell is at rest, at the initial density.
Macroscopic shown(const Case& c, const ladder::Populations& state, std::int64_t x, std::int64_t y) {
  if (c.is_solid(x, y)) return {c.density, 0, 0};
  return moments(lattice::populations<Lattice>(state, state.box.number(x, y, 0)).data());
}

}  // namespace

double reynolds_number(const Case& c, double average_speed) {
  const double viscosity = (2 / c.omega - 1) / 6;
  return average_speed * c.reynolds_dim / viscosity;
}

std::string Model::summary(const Case& c, const ladder::Populations&, std::span<const double> history) {
  return fmt::format("case: {} ({}x{}), {} steps\naverage speed: {:.12E}\nReynolds number: {:.12E}\n", c.name, c.nx, c.ny,
                     history.size(), history.back(), reynolds_number(c, history.back()));
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(c, [&](std::int64_t x, std::int64_t y) {
    const Macroscopic m = shown(c, plane, x, y);
    return std::hypot(m.ux, m.uy);
  });
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                          const std::string& folder) {
  std::string speeds;
  for (std::size_t step = 0; step < history.size(); ++step)
    fmt::format_to(std::back_inserter(speeds), "{}:\t{:.12E}\n", step, history[step]);
  std::string fields;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const Macroscopic m = shown(c, state, x, y);
      fmt::format_to(std::back_inserter(fields), "{} {} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, m.ux, m.uy,
                     std::hypot(m.ux, m.uy), m.density / 3, int{c.is_solid(x, y)});
    }
  ladder::write_files(folder, {{std::string(result_files[0]), speeds}, {std::string(result_files[1]), fields}});
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook",
                [](Counting* f) {
                  collide_textbook(f, Counting(1.85), Counting(1));
                  const auto m = moments(f, Counting(1));
                  sqrt(m.ux * m.ux + m.uy * m.uy);
                }),
          count("factored", [](Counting* f) { sqrt(d2q9_collide(f, Counting(1.85))); }), count("momentum", [](Counting* f) {
            const Counting factors[D2Q9_MOMENTUM_FACTORS] = {};
            sqrt(d2q9_collide_momentum(f, factors));
          })};
}

}  // namespace d2q9
