#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>

#include "harness/output.hpp"
#include "harness/parallel.hpp"
#include "harness/summation.hpp"
#include "variants/d3q27/textbook.hpp"

namespace d3q27 {

using ladder::in_parts;
using ladder::Sum;
using ladder::total;
using ladder::worth_a_thread;

namespace {

Macroscopic at(const ladder::Populations& state, std::int64_t cell) {
  std::array<double, q> f{};
  for (int i = 0; i < q; ++i)
    f[i] = state.at(i, cell);
  return moments(f.data());
}

/// Sum over the cells of f(x, y, cell).
template <class F>
double sum_over(const Case& c, F f) {
  return total(in_parts(c.cells(), worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    Sum sum;
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
  // Of vortex(): squares of sines and cosines are a half on average.
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

double Model::conserved(const ladder::Populations& state) {
  return total(in_parts(std::ssize(state.f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    Sum mass;
    for (std::int64_t i = first; i < last; ++i)
      mass.add(state.f[static_cast<std::size_t>(i)]);
    return mass.value();
  }));
}

double Model::conserved_at_start(const Case& c) {
  const int planes = c.start == Start::vortex ? 1 : c.nz;  // those of the vortex are all the same
  const std::int64_t plane = std::int64_t{q} * c.nx * c.ny;
  const double mass = total(in_parts(planes, worth_a_thread / plane, [&](std::int64_t first, std::int64_t last) {
    Sum part;
    for (auto z = static_cast<int>(first); z < last; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x)
          for (const double f : c.initial(x, y, z))
            part.add(f);
    return part.value();
  }));
  return c.nz / planes * mass;
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  Counting f[q];
  for (int i = 0; i < q; ++i)
    f[i] = weight_of(i);
  return {ladder::count("textbook", [&] { collide_textbook(f, Counting(1.25)); }),
          ladder::count("factored", [&] { d3q27_collide(f, Counting(1.25)); })};
}

std::string Model::picture(const Case& c, const ladder::Populations& state) {
  const int stride = (std::max(c.nx, c.ny) + 255) / 256;
  std::string text = "x,y,speed,solid\n";
  for (int y = 0; y < c.ny; y += stride)
    for (int x = 0; x < c.nx; x += stride) {
      const Macroscopic m = at(state, std::int64_t{y} * c.nx + x);
      fmt::format_to(std::back_inserter(text), "{},{},{:.4g},0\n", x, y, std::hypot(m.ux, m.uy, m.uz));
    }
  return text;
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>,
                          const std::filesystem::path& folder) {
  std::string fields = "x y z ux uy uz density\n";
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const Macroscopic m = at(state, cell);
    fmt::format_to(std::back_inserter(fields), "{} {} {} {:.12E} {:.12E} {:.12E} {:.12E}\n", cell % c.nx, cell / c.nx % c.ny,
                   cell / c.nx / c.ny, m.ux, m.uy, m.uz, m.density);
  }
  ladder::write_files(folder, {{std::string(result_files[0]), fields}});
}

}  // namespace d3q27
