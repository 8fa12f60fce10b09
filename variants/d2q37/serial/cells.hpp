#pragma once

#include "variants/d2q37/textbook.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/processor.hpp"

/// Shared by these rungs: cells that hold their populations and, in code version V1, gas properties; walls; heat of a reaction.
namespace d2q37 {

/// Members of a cell after its populations.
enum Member { u = q, v, density, temperature, members };

template <class L, class real>
using Cells = lattice::Structures<L, real, members>;

/// Base of these rungs, for cells with populations and gas properties.
template <class real, template <class, class> class LayoutOf = Cells>
class CellSolver : public lattice::ProcessorSolver<Model, real, LayoutOf> {
  using Base = lattice::ProcessorSolver<Model, real, LayoutOf>;

 protected:
  using Base::case_;

  explicit CellSolver(const Case& c) : Base(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  real& before(int i, std::int64_t x, std::int64_t y) { return this->f_.data()[this->layout_(i, x, y)]; }
  real& after(int i, std::int64_t x, std::int64_t y) { return this->g_.data()[this->layout_(i, x, y)]; }

  /// Sets the rows at both walls in g_, if there are walls.
  void bc() {
    if (bottom_ < 0) return;
    for (const bool is_top : {false, true})
      bc(wall_of(is_top, bottom_, case_.ny));
  }

  /// Stores velocity, density and temperature in the cells of g_, because heat() needs the velocities of neighbours.
  void gas() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        const Macroscopic<real> m = macroscopic(&after(0, x, y));
        after(u, x, y) = m.u;
        after(v, x, y) = m.v;
        after(density, x, y) = m.density;
        after(temperature, x, y) = m.temperature;
      }
  }

  /// Heat of the reaction per step in a cell, based on the gas properties in g_.
  real heat(int x, int y) {
    if (!case_.is_reactive() || wall_row(y, bottom_, case_.ny).n >= 0) return 0;
    const int nx = case_.nx, ny = case_.ny;
    const real divergence = (after(u, lattice::wrapped(x + 1, nx), y) - after(u, lattice::wrapped(x - 1, nx), y) +
                             after(v, x, lattice::wrapped(y + 1, ny)) - after(v, x, lattice::wrapped(y - 1, ny))) *
                            static_cast<real>(1 / (2 * D2Q37_R));
    return case_.heat(after(temperature, x, y), divergence);
  }

  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();

 private:
  void bc(const Wall& wall) {
    for (int n = 0; n < Case::wall_rows; ++n)
      for (int x = 0; x < case_.nx; ++x)
        set_wall(
            case_, relaxation_, wall, n, x, [&](int i) -> real& { return after(i, x, wall.row(n, case_.ny)); },
            [&](int i, int from_x, int from_y) { return before(i, from_x, from_y); });
  }
};

}  // namespace d2q37
