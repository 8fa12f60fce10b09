#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "variants/d2q37/tensors.hpp"
#include "variants/lattice/fields.hpp"

namespace d2q37 {
namespace {

/// Mean of f(gas) over the cells.
template <class F>
double mean(const Case& c, const ladder::Populations& state, F f) {
  const double sum =
      ladder::total(ladder::in_parts(c.cells(), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
        ladder::Sum part;
        for (std::int64_t cell = first; cell < last; ++cell)
          part.add(f(physical(c, state, cell)));
        return part.value();
      }));
  return sum / static_cast<double>(c.cells());
}

double kinetic_energy(const Case& c, const ladder::Populations& state) {
  return mean(c, state, [](const Macroscopic<double>& m) { return m.density * (m.u * m.u + m.v * m.v) / 2; });
}

double temperature(const Case& c, const ladder::Populations& state) {
  return mean(c, state, [](const Macroscopic<double>& m) { return m.temperature; });
}

/// Height, in cells, of an equivalent layer of mixed gas: the sum over rows of 4 p (1 - p), where p is the row mean of (T -
/// top) / (bottom - top), clamped to [0, 1]. 0 if all layers have the same temperature.
double mixing_height(const Case& c, const ladder::Populations& state) {
  if (c.bottom == c.top) return 0;
  return ladder::total(ladder::in_parts(c.ny, ladder::worth_a_thread / (q * c.nx), [&](std::int64_t first, std::int64_t last) {
    ladder::Sum height;
    for (std::int64_t y = first; y < last; ++y) {
      double row = 0;
      for (std::int64_t x = 0; x < c.nx; ++x)
        row += physical(c, state, state.box.number(x, y, 0)).temperature;
      const double p = std::clamp((row / c.nx - c.top) / (c.bottom - c.top), 0.0, 1.0);
      height.add(4 * p * (1 - p));
    }
    return height.value();
  }));
}

/// The value rounded to as many significant digits as a picture can show, so that its file stays small.
double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10., digits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

}  // namespace

Macroscopic<double> physical(const Case& c, const ladder::Populations& state, std::int64_t cell) {
  Macroscopic<double> m = macroscopic(lattice::populations<Lattice>(state, cell).data());
  m.v += c.gravity / 2;
  m.temperature += c.gravity * c.gravity / 8;
  return m;
}

std::vector<double> Model::series(const Case& c, const ladder::Populations& state, std::int64_t) {
  return {kinetic_energy(c, state), temperature(c, state), mixing_height(c, state)};
}

std::string Model::summary(const Case& c, const ladder::Populations& state, std::span<const double>) {
  return fmt::format("case: {} ({}x{}), {} steps\nmass: {:.12E}\nkinetic energy: {:.12E}\nmean temperature: {:.12E}\n", c.name,
                     c.nx, c.ny, c.steps, state.total(), kinetic_energy(c, state), temperature(c, state));
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  static const Tensors table = tensors();
  return {
      count("textbook", [](Counting* f) { collide_textbook(f, Counting(0.8), Counting(1e-3), Counting(0)); }),
      count("factored", [](Counting* f) { d2q37_collide(f, Counting(1.25), Counting(1e-3), Counting(1e-6)); }),
      count("tensors", [](Counting* f) { collide_tensors(f, table, table, Counting(1.25), Counting(1e-3), Counting(1e-6)); })};
}

std::vector<double> Model::layer(const Case& c, const ladder::Populations& state, std::int64_t y) {
  double density = 0, temperature = 0;
  for (std::int64_t x = 0; x < c.nx; ++x) {
    const Macroscopic<double> m = physical(c, state, state.box.number(x, y, 0));
    density += m.density;
    temperature += m.temperature;
  }
  return {density / c.nx, temperature / c.nx};
}

std::string Model::picture(const Case& c, const ladder::Populations& plane) {
  const auto gas = [&](std::int64_t x, std::int64_t y) { return physical(c, plane, plane.box.number(x, y, 0)); };
  // Derivatives of a gas member along x and y.
  const auto along_x = [&](std::int64_t x, std::int64_t y, double Macroscopic<double>::*member) {
    return (gas(ladder::wrapped(x + 1, c.nx), y).*member - gas(ladder::wrapped(x - 1, c.nx), y).*member) / (2 * D2Q37_R);
  };
  const auto along_y = [&](std::int64_t x, std::int64_t y, double Macroscopic<double>::*member) {
    const bool has_walls = c.walls != 0;
    const std::int64_t low = has_walls ? std::max<std::int64_t>(y - 1, 0) : y - 1;
    const std::int64_t high = has_walls ? std::min<std::int64_t>(y + 1, c.ny - 1) : y + 1;
    return (gas(x, ladder::wrapped(high, c.ny)).*member - gas(x, ladder::wrapped(low, c.ny)).*member) /
           (static_cast<double>(high - low) * D2Q37_R);
  };
  using M = Macroscopic<double>;
  // Temperatures differ by only a tenth, so they need one more digit.
  return lattice::picture(
      c,
      [&](std::int64_t x, std::int64_t y) {
        const M m = gas(x, y);
        return rounded(std::hypot(m.u, m.v), 3);
      },
      lattice::Column{"temperature", [&](std::int64_t x, std::int64_t y) { return rounded(gas(x, y).temperature, 4); }},
      lattice::Column{"kinetic_energy",
                      [&](std::int64_t x, std::int64_t y) {
                        const M m = gas(x, y);
                        return rounded(m.density * (m.u * m.u + m.v * m.v) / 2, 3);
                      }},
      lattice::Column{"vorticity",
                      [&](std::int64_t x, std::int64_t y) { return rounded(along_x(x, y, &M::v) - along_y(x, y, &M::u), 3); }},
      lattice::Column{"temperature_gradient", [&](std::int64_t x, std::int64_t y) {
                        return rounded(std::hypot(along_x(x, y, &M::temperature), along_y(x, y, &M::temperature)), 3);
                      }});
}

void Model::write_results(const Case& c, const ladder::Populations& state, std::span<const double>, const std::string& folder) {
  std::string fields = "x y density u v temperature\n";
  for (std::int64_t cell = 0; cell < c.cells(); ++cell) {
    const Macroscopic<double> m = physical(c, state, cell);
    const auto [x, y, z] = state.box.place(cell);
    fmt::format_to(std::back_inserter(fields), "{} {} {:.12E} {:.12E} {:.12E} {:.12E}\n", x, y, m.density, m.u, m.v,
                   m.temperature);
  }
  ladder::write_files(folder, {{std::string(result_files[0]), fields}});
}

}  // namespace d2q37
