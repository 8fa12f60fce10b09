// Idea:    factored collision: populations of equal |x| and |y| are added and subtracted before they enter a moment
// Layout:  array of structures, f[y][x][41]: 37 populations, velocity, density, temperature; two copies of the lattice
// Traffic: stream and collide each read 37 values, fetch the 37 that they write, and write them
// Source:  the symmetry of the velocity set; collide.h
// Bound:   loads and stores of one core: each population is loaded and stored twice per update
#include "variants/d2q37/serial/cells.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
class Loops final : public CellSolver<real> {
  using Base = CellSolver<real>;
  using Base::case_, Base::before, Base::after, Base::relaxation_;

 public:
  Loops(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      stream();
      this->bc();
      if (case_.is_reactive()) this->gas();
      collide();
    }
  }

 private:
  /// Gathers the populations of each cell from f_ into g_; the lattice is periodic.
  void stream() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        for (int i = 0; i < q; ++i)
          after(i, x, y) = before(i, lattice::wrapped(x - d2q37_cx[i], case_.nx), lattice::wrapped(y - d2q37_cy[i], case_.ny));
  }

  /// Collides the populations of g_ and writes them to f_.
  void collide() {
    for (int y = 0; y < case_.ny; ++y)
      collide_row(y);
  }

  void collide_row(int y) {
    for (int x = 0; x < case_.nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = after(i, x, y);
      const real warm = relaxation_.warm + this->heat(x, y) * static_cast<real>(case_.tau / (D2Q37_R * D2Q37_R));
      d2q37_collide(f, relaxation_.omega, relaxation_.kick, warm);
      for (int i = 0; i < q; ++i)
        before(i, x, y) = f[i];
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/serial/01_phases",
    .traffic = d2q37::traffic,
    .make = ladder::make_solver<d2q37::Loops, d2q37::Model>,
};
