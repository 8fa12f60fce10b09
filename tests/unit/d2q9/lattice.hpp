#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "variants/d2q9/textbook.hpp"

/// Helpers for the specifications of the reference: open grids, equilibria, sums over the lattice.
namespace d2q9::test {

/// A periodic grid of fluid at rest, without a driving force.
inline Case open_case(int nx, int ny, double omega) {
  Case c{{.name = "open", .nx = nx, .ny = ny, .steps = 1}};
  c.reynolds_dim = nx;
  c.density = 1;
  c.omega = omega;
  c.solid.resize(static_cast<std::size_t>(c.cells()));
  return c;
}

inline bool is_solid(const Case& c, int x, int y) { return c.solid[static_cast<std::size_t>(y) * c.nx + x] != 0; }

inline double viscosity(double omega) { return (1 / omega - 0.5) / 3; }

/// Equilibrium population, Qian, d'Humieres, Lallemand (1992), with c_s^2 = 1/3.
inline double equilibrium(int i, double density, double ux, double uy) {
  const double cu = d2q9_cx[i] * ux + d2q9_cy[i] * uy;
  return Lattice::weight(i) * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}

/// Sets every cell to the equilibrium of a density and velocity that are given as functions of the position.
inline void set_flow(Reference& lattice, const Case& c, const std::function<Macroscopic(int, int)>& flow) {
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      const auto [density, ux, uy, excess] = flow(x, y);
      for (int i = 0; i < q; ++i)
        lattice.cell(x, y)[i] = equilibrium(i, density, ux, uy);
    }
}

inline Macroscopic at(Reference& lattice, int x, int y) { return moments(lattice.cell(x, y).data()); }

/// Sums over all cells, including solid ones.
struct Budget {
  double mass = 0, px = 0, py = 0;
};

inline Budget budget(Reference& lattice, const Case& c) {
  Budget sum;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      for (int i = 0; i < q; ++i) {
        const double f = lattice.cell(x, y)[i];
        sum.mass += f;
        sum.px += f * d2q9_cx[i];
        sum.py += f * d2q9_cy[i];
      }
  return sum;
}

/// Advances by one step that drives each of the given rows once.
inline void step(Reference& lattice, std::initializer_list<int> rows) {
  for (const int row : rows)
    lattice.accelerate(row);
  lattice.propagate();
  lattice.rebound();
  lattice.collide();
}

}  // namespace d2q9::test
