// Idea:    loops fused: one pass gathers and collides the populations of a cell, starting with the rows at the walls
// Layout:  array of structures, f[y][x][37], two copies of the lattice
// Traffic: 37 values read, 37 fetched by write-allocate, 37 written
// Source:  Biferale et al., section 3; sections 5 and 6, code version V2
// Bound:   arithmetic and loads of one core
#include "variants/d2q37/serial/cells.hpp"
#include "variants/d2q37/sources.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 37 * real, 37 * real}; }

template <class real>
class Loops final : public CellSolver<real, lattice::ArrayOfStructures> {
  using Base = CellSolver<real, lattice::ArrayOfStructures>;
  using Base::case_, Base::before, Base::after, Base::relaxation_, Base::bottom_;

 public:
  Loops(const Case& c, const ladder::Tuning&) : Base(without_reaction(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (const bool at_wall : {true, false})
        for (int y = 0; y < case_.ny; ++y)
          if (const WallRow place = wall_row(y, bottom_, case_.ny); (place.n >= 0) == at_wall) update_row(y, place);
      this->swap_lattices();
    }
  }

 private:
  /// Gathers the populations of a row, applies the wall's state if the row is at a wall, and collides them.
  void update_row(int y, const WallRow& place) {
    Source from[q];
    for (int i = 0; i < q; ++i)
      from[i] = source_of(i, y, place, bottom_, case_.ny);
    for (int x = 0; x < case_.nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = before(from[i].i, lattice::wrapped(x - from[i].west, case_.nx), from[i].y);
      if (place.n >= 0) d2q37_wall(f, relaxation_.wall_speed, relaxation_.wall_theta[place.is_top ? 1 : 0]);
      d2q37_collide(f, relaxation_.omega, relaxation_.kick, relaxation_.warm);
      for (int i = 0; i < q; ++i)
        after(i, x, y) = f[i];
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/serial/02_factored",
    .traffic = d2q37::traffic,
    .make = ladder::make_solver<d2q37::Loops, d2q37::Model>,
};
