#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/lattice/fields.hpp"
#include "variants/lattice/input.hpp"
#include "variants/lattice/layers.hpp"

/// The Taylor-Green vortex in a periodic box, for models whose Case has `tau`, `speed` and viscosity(). The same functions
/// serve the shear layers in layers.hpp, which have no exact solution. `at(cell)` gives the density and velocity of a cell of a
/// state, with members density, ux, uy and uz.
namespace lattice::vortex {

/// Maximum number of cells along a side, so that a plane has fewer than 2^32.
inline constexpr int largest_side = 65535;

/// As Case::content() of the models.
template <class Case>
std::string content(const Case& c) {
  return fmt::format("{:016x}", ladder::fnv1a(fmt::format("{} {} {} {} {} {}", c.nx, c.ny, c.nz, c.tau, c.speed,
                                                          c.is_seeded ? "seeded" : "vortex")));
}

/// The vortex at (x, y, any z) after `step` steps: Taylor and Green, Proc. R. Soc. A 158 (1937) 499, in the form of Kruger et
/// al., The Lattice Boltzmann Method, Springer 2017, appendix A.3 (d3q27/model.hpp has the formula). Of shear layers, the
/// start.
template <class Macroscopic, class Case>
Macroscopic exact(const Case& c, std::int64_t x, std::int64_t y, double step) {
  if (layers::has_layers(c)) return layers::start<Macroscopic>(c, x, y);
  const double kx = 2 * std::numbers::pi / static_cast<double>(c.whole()[0]);
  const double ky = 2 * std::numbers::pi / static_cast<double>(c.whole()[1]);
  const double decay = step == 0 ? 1 : std::exp(-c.viscosity() * (kx * kx + ky * ky) * step);
  const double a = c.speed * decay;
  const double b = a * kx / ky;
  const double sin_x = std::sin(kx * x), cos_x = std::cos(kx * x), sin_y = std::sin(ky * y), cos_y = std::cos(ky * y);
  // cos 2x = 1 - 2 sin^2 x
  return {1 - 0.75 * (a * a * (1 - 2 * sin_x * sin_x) + b * b * (1 - 2 * sin_y * sin_y)), -a * cos_x * sin_y, b * sin_x * cos_y,
          0};
}

/// Mean over cells of u^2 / 2 in the vortex after `step` steps; NaN, i.e. unknown, for shear layers.
template <class Case>
double exact_energy(const Case& c, double step) {
  if (layers::has_layers(c)) return std::numeric_limits<double>::quiet_NaN();
  const double kx = 1. / c.nx;
  const double ky = 1. / c.ny;
  // Squares of sines and cosines average to one half.
  const double decayed = c.speed * std::exp(-c.viscosity() * 4 * M_PI * M_PI * (kx * kx + ky * ky) * step);
  return decayed * decayed * (1 + kx * kx / (ky * ky)) / 8;
}

/// Sum over the cells of f(x, y, cell).
template <class Case, class F>
double sum_over(const Case& c, F f) {
  return ladder::total(
      ladder::in_parts(c.cells(), ladder::worth_a_thread / Case::Lattice::q, [&](std::int64_t first, std::int64_t last) {
        ladder::Sum sum;
        for (std::int64_t cell = first; cell < last; ++cell)
          sum.add(f(static_cast<int>(cell % c.nx), static_cast<int>(cell / c.nx % c.ny), cell));
        return sum.value();
      }));
}

/// Mean over cells of u^2 / 2.
template <class Case, class At>
double kinetic_energy(const Case& c, At at) {
  const auto of_cell = [&](int, int, std::int64_t cell) {
    const auto m = at(cell);
    return (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz) / 2;
  };
  return sum_over(c, of_cell) / static_cast<double>(c.cells());
}

/// As velocity_error() of the models; NaN, i.e. unknown, for shear layers.
template <class Case, class At>
double velocity_error(const Case& c, At at, double step) {
  if (layers::has_layers(c)) return std::numeric_limits<double>::quiet_NaN();
  const double error = sum_over(c, [&](int x, int y, std::int64_t cell) {
    const auto m = at(cell);
    const auto exact = c.vortex(x, y, step);
    const double dx = m.ux - exact.ux, dy = m.uy - exact.uy, dz = m.uz - exact.uz;
    return dx * dx + dy * dy + dz * dz;
  });
  const double scale = sum_over(c, [&](int x, int y, std::int64_t) {
    const auto exact = c.vortex(x, y, step);
    return exact.ux * exact.ux + exact.uy * exact.uy;
  });
  return std::sqrt(error / scale);
}

/// @throws ladder::InputError if the machine has not `bytes` of memory per cell
template <class Case>
void require_room(const Case& c, double bytes, std::string_view what) {
  ladder::require_room(static_cast<double>(c.cells()) * bytes, std::string(what));
}

/// As Model::make_case(); a cell takes at least `bytes`.
template <class Model>
auto make_case(std::string_view name, double bytes) {
  const auto make = [&] {
    if (layers::is_name(name)) return layers::make_case<Model>(name, largest_side);
    auto c = named_case<layers::WithLayers<Model>>(name, largest_side);
    const std::int64_t longest = std::max({c.nx, c.ny, c.nz});
    c.steps = longest * longest;
    c.tau = 0.6;
    c.speed = 0.4 / static_cast<double>(longest);
    return c;
  };
  const auto c = make();
  require_room(c, bytes, fmt::format("case '{}'", name));
  return c;
}

/// Largest speed of the vortex at the start, along x or along y. @throws ladder::InputError if it is not below that of sound
template <class Case>
void require_subsonic(const Case& c, std::string_view where) {
  const double across = c.speed * c.ny / c.nx, sound = std::sqrt(Case::Lattice::sound_squared);
  if (!(across < sound))
    throw ladder::InputError(
        fmt::format("{}: speed is {}, and thus {:.4g} along y (speed ny / nx); accepted: a number below {:.4g}, so that the "
                    "vortex is slower than sound, {:.4g}",
                    where, c.speed, across, sound * c.nx / c.ny, sound));
}

/// As parse_parameters() of the models.
template <class Case>
Case parse_parameters(const std::string& path, std::string_view text) {
  constexpr std::string_view sizes = "an integer from 3 to 65535";
  constexpr auto is_side = [](double v) { return v >= 3 && v <= largest_side; };
  static const std::vector<Parameter<Case>> parameters = {
      {&Case::nx, "nx", sizes, is_side},
      {&Case::ny, "ny", sizes, is_side},
      {&Case::nz, "nz", sizes, is_side},
      {&Case::steps, "steps", "an integer from 1 to 1000000000000000", [](double v) { return v >= 1 && v <= 1e15; }},
      {&Case::tau, "tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable",
       [](double v) { return v > 0.5; }},
      {&Case::speed, "speed", "a number above 0 and below 0.577, the speed of sound",
       [](double v) { return v > 0 && v < 0.577; }}};
  const Case c = lattice::parse_parameters(path, text, parameters);
  require_subsonic(c, fmt::format("{}:{}", path, parameters.size()));
  return c;
}

/// As Model::read_case().
template <class Case>
Case read_case(std::span<const std::string> files, double bytes) {
  const Case c = parse_parameters<Case>(files[0], ladder::read_input(files[0], "a parameter file of 6 lines"));
  require_room(c, bytes, fmt::format("{}: a box of {}x{}x{}", files[0], c.nx, c.ny, c.nz));
  return c;
}

/// As Model::summary().
template <class Case, class At>
std::string summary(const Case& c, At at) {
  if (layers::has_layers(c))
    return fmt::format("case: {} ({}x{}x{}), {} steps\nkinetic energy: {:.12E}\n", c.name, c.nx, c.ny, c.nz, c.steps,
                       kinetic_energy(c, at));
  const auto steps = static_cast<double>(c.steps);
  return fmt::format(
      "case: {} ({}x{}x{}), {} steps\nkinetic energy: {:.12E}\nof the vortex: {:.12E}\nerror of the velocity: {:.6E}\n", c.name,
      c.nx, c.ny, c.nz, c.steps, kinetic_energy(c, at), exact_energy(c, steps), velocity_error(c, at, steps));
}

/// As Model::picture().
template <class Case, class At>
std::string picture(const Case& c, const ladder::Populations& plane, At at) {
  const auto speed = [&](std::int64_t x, std::int64_t y) {
    const auto m = at(plane.box.number(x, y, 0));
    return std::hypot(m.ux, m.uy, m.uz);
  };
  return lattice::picture(c, speed, plane.box.origin[2]);
}

/// As Model::write_results().
template <class Case, class At>
void write_results(const Case& c, const ladder::Populations& state, At at, const std::string& folder, std::string_view file) {
  std::string fields = "x y z ux uy uz density\n";
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const auto m = at(cell);
    const auto [x, y, z] = state.box.place(cell);
    fmt::format_to(std::back_inserter(fields), "{} {} {} {:.12E} {:.12E} {:.12E} {:.12E}\n", x, y, z, m.ux, m.uy, m.uz,
                   m.density);
  }
  ladder::write_files(folder, {{std::string(file), fields}});
}

}  // namespace lattice::vortex
