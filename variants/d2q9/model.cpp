#include "variants/d2q9/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>

#include "harness/output.hpp"
#include "harness/parallel.hpp"
#include "variants/d2q9/textbook.hpp"
#include "variants/lattice/case.hpp"

namespace d2q9 {

namespace {

Macroscopic at(const ladder::Populations& state, std::int64_t cell) {
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[static_cast<std::size_t>(i)] = state.at(i, cell);
  return macroscopic(f);
}

/// Fields of a cell as the output files show them: a solid cell is at rest, at the density of the start.
Macroscopic shown(const Case& c, const ladder::Populations& state, std::int64_t x, std::int64_t y) {
  if (c.is_solid(x, y)) return {c.density, 0, 0};
  return at(state, state.box.number(x, y, 0));
}

}  // namespace

Macroscopic macroscopic(std::span<const double, q> f) {
  const auto m = moments(f.data());
  return {m.density, m.ux, m.uy};
}

double reynolds_number(const Case& c, double average_speed) {
  const double viscosity = (2 / c.omega - 1) / 6;
  return average_speed * c.reynolds_dim / viscosity;
}

std::string Model::summary(const Case& c, const ladder::Populations&, std::span<const double> history) {
  return fmt::format("case: {} ({}x{}), {} steps\naverage speed: {:.12E}\nReynolds number: {:.12E}\n", c.name, c.nx, c.ny,
                     history.size(), history.back(), reynolds_number(c, history.back()));
}

double Model::observe(const Case& c, const ladder::Populations& state) {
  const auto sums = ladder::in_parts(state.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    double sum = 0;
    for (std::int64_t cell = first; cell < last; ++cell)
      if (const auto [x, y, z] = state.box.place(cell); !c.is_solid(x, y)) {
        const Macroscopic m = at(state, cell);
        sum += std::sqrt(m.ux * m.ux + m.uy * m.uy);
      }
    return sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(c.fluid_cells());
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(c.nx, c.ny, [&](std::int64_t x, std::int64_t y) {
    const Macroscopic m = shown(c, plane, x, y);
    return std::pair(std::hypot(m.ux, m.uy), c.is_solid(x, y));
  });
}

void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                   const std::filesystem::path& folder) {
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
  ladder::write_files(folder, {{std::string(Model::result_files[0]), speeds}, {std::string(Model::result_files[1]), fields}});
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  Counting f[q];
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i);
  return {ladder::count("textbook",
                        [&] {
                          collide_textbook(f, Counting(1.85));
                          const auto m = moments(f);
                          sqrt(m.ux * m.ux + m.uy * m.uy);
                        }),
          ladder::count("factored", [&] { sqrt(d2q9_collide(f, Counting(1.85))); })};
}

}  // namespace d2q9
