#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/lattice/fields.hpp"
#include "variants/regularized/moments.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

Macroscopic at(const ladder::Populations& state, std::int64_t cell) {
  return moments(lattice::populations<Lattice>(state, cell).data());
}

/// Sum over the cells of f(x, y, cell).
template <class F>
double sum_over(const Case& c, F f) {
  return ladder::total(ladder::in_parts(c.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    ladder::Sum sum;
    for (std::int64_t cell = first; cell < last; ++cell)
      sum.add(f(static_cast<int>(cell % c.nx), static_cast<int>(cell / c.nx % c.ny), cell));
    return sum.value();
  }));
}

}  // namespace

double kinetic_energy(const Case& c, const ladder::Populations& state) {
  return sum_over(c,
                  [&](int, int, std::int64_t cell) {
                    const Macroscopic m = at(state, cell);
                    return (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz) / 2;
                  }) /
         static_cast<double>(c.cells());
}

double exact_energy(const Case& c, double step) {
  const double kx = 1. / c.nx;
  const double ky = 1. / c.ny;
  // For vortex(): squares of sines and cosines average to one half.
  const double decayed = c.speed * std::exp(-c.viscosity() * 4 * M_PI * M_PI * (kx * kx + ky * ky) * step);
  return decayed * decayed * (1 + kx * kx / (ky * ky)) / 8;
}

double velocity_error(const Case& c, const ladder::Populations& state, double step) {
  const double error = sum_over(c, [&](int x, int y, std::int64_t cell) {
    const Macroscopic m = at(state, cell);
    const Macroscopic exact = c.vortex(x, y, step);
    const double dx = m.ux - exact.ux, dy = m.uy - exact.uy, dz = m.uz - exact.uz;
    return dx * dx + dy * dy + dz * dz;
  });
  const double scale = sum_over(c, [&](int x, int y, std::int64_t) {
    const Macroscopic exact = c.vortex(x, y, step);
    return exact.ux * exact.ux + exact.uy * exact.uy;
  });
  return std::sqrt(error / scale);
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  const auto steps = static_cast<double>(c.steps);
  return fmt::format(
      "case: {} ({}x{}x{}), {} steps\nkinetic energy: {:.12E}\nof the vortex: {:.12E}\nerror of the velocity: {:.6E}\n", c.name,
      c.nx, c.ny, c.nz, c.steps, kinetic_energy(c, state), exact_energy(c, steps), velocity_error(c, state, steps));
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  return {count("textbook", [](Counting* f) { collide_textbook(f, Counting(1.25)); }),
          count("factored", [](Counting* f) { collide_populations(f, Relaxation<Counting>(1.25)); })};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  return lattice::picture(c, [&](std::int64_t x, std::int64_t y) {
    const Macroscopic m = at(plane, plane.box.number(x, y, 0));
    return std::hypot(m.ux, m.uy, m.uz);
  });
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  std::string fields = "x y z ux uy uz density\n";
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const Macroscopic m = at(state, cell);
    const auto [x, y, z] = state.box.place(cell);
    fmt::format_to(std::back_inserter(fields), "{} {} {} {:.12E} {:.12E} {:.12E} {:.12E}\n", x, y, z, m.ux, m.uy, m.uz,
                   m.density);
  }
  ladder::write_files(folder, {{std::string(result_files[0]), fields}});
}

}  // namespace regularized
