#pragma once

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "variants/d2q37/textbook.hpp"

/// Helpers for the specifications of the reference: lattices without walls, gases set cell by cell, sums over a lattice.
namespace d2q37::test {

/// A gas without walls, gravity or reaction. One cell suffices along a direction in which nothing changes.
inline Case open_case(int nx, int ny, double tau) {
  Case c{{.name = "open", .nx = nx, .ny = ny, .steps = 1}};
  c.tau = tau;
  c.width = 1;
  c.walls = 0;
  return c;
}

/// Sets every cell to the equilibrium of a gas that is given as a function of the position.
inline void set_gas(Reference& lattice, const Case& c, const std::function<Macroscopic<double>(int, int)>& gas) {
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      equilibrium(gas(x, y), lattice.cell(x, y).data());
}

inline Macroscopic<double> at(Reference& lattice, int x, int y) { return macroscopic(lattice.cell(x, y).data()); }

/// Wave number of a wave with a wavelength of `cells` cells. Cells are D2Q37_R wide.
inline double wave_number(int cells) { return 2 * std::numbers::pi / (cells * D2Q37_R); }

/// Amplitude of the wave exp(i k y) in a field of the gas, for a column of `cells` cells.
inline std::complex<double> amplitude(Reference& lattice, int cells, double (*field)(const Macroscopic<double>&)) {
  std::complex<double> sum = 0;
  for (int y = 0; y < cells; ++y)
    sum += field(at(lattice, 0, y)) * std::polar(1.0, -2 * std::numbers::pi * y / cells);
  return sum * (2.0 / cells);
}

/// Sums over all cells: mass, momentum, and energy, rho (u^2 / 2 + T).
struct Budget {
  double mass = 0, x = 0, y = 0, energy = 0;
};

inline Budget budget(const double* f) {
  Budget sum;
  for (int i = 0; i < q; ++i) {
    const double cx = D2Q37_R * d2q37_cx[i], cy = D2Q37_R * d2q37_cy[i];
    sum.mass += f[i];
    sum.x += f[i] * cx;
    sum.y += f[i] * cy;
    sum.energy += f[i] * (cx * cx + cy * cy) / 2;
  }
  return sum;
}

inline Budget budget(Reference& lattice, const Case& c) {
  Budget sum;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const Budget cell = budget(lattice.cell(x, y).data());
      sum.mass += cell.mass;
      sum.x += cell.x;
      sum.y += cell.y;
      sum.energy += cell.energy;
    }
  return sum;
}

}  // namespace d2q37::test
