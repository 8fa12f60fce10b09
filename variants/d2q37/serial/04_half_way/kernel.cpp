// Idea:    half-way walls: populations arrive from mirror images of the rows at a wall, which are computed first
// Layout:  array of structures, f[y][x][37], two copies of the lattice; images f[6][37][x] of three rows at each wall
// Traffic: 37 values read, 37 fetched by write-allocate, 37 written; at each wall, 26 more per column written and read
// Source:  Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366; Tiwari, Vanka, Int. J. Numer. Meth. Fluids 69 (2012) 481; half_way.hpp
// Bound:   arithmetic and loads of one core
#include "variants/d2q37/half_way.hpp"
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
  Loops(const Case& c, const ladder::Tuning&)
      : Base(with_pinned_rows(without_reaction(c))), mirrors_(c), images_(has_half_way_walls(c) ? image_size(c.nx) : 0) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (bottom_ >= 0 && is_half_way())
        for (const bool is_top : {false, true})
          for (int x = 0; x < case_.nx; ++x)
            reflect(wall_of(is_top, bottom_, case_.ny), x);
      for (const bool at_wall : {true, false})
        for (int y = 0; y < case_.ny; ++y)
          if (const WallRow place = wall_row(y, bottom_, case_.ny); (place.n >= 0) == at_wall) update_row(y, place);
      this->swap_lattices();
    }
  }

 private:
  [[nodiscard]] bool is_half_way() const { return !images_.empty(); }
  /// Population i of the image of column x in the n-th row from a wall.
  real& image(bool is_top, int i, int n, int x) {
    return images_[static_cast<std::size_t>(image_row(is_top, i, n) * case_.nx + x)];
  }

  void reflect(const Wall& wall, int x) {
    reflect_column<real>(
        mirrors_.of[wall.is_top ? 1 : 0], wall.inward, [&](int i, int n) { return before(i, x, wall.row(n, case_.ny)); },
        [&](int i, int n, real f) { image(wall.is_top, i, n, x) = f; });
  }

  /// Gathers the populations of a row, applies the wall's state if the row is at a wall that pins it, and collides them.
  void update_row(int y, const WallRow& place) {
    const Wall wall = wall_of(place.is_top, bottom_, case_.ny);
    Source from[q];
    for (int i = 0; i < q; ++i)
      from[i] = source_of(i, y, place, bottom_, case_.ny);
    for (int x = 0; x < case_.nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = is_half_way() && place.n >= 0 && wall.turns(i, place.n)
                   ? image(place.is_top, i, wall.source(i, place.n), lattice::wrapped(x - d2q37_cx[i], case_.nx))
                   : before(from[i].i, lattice::wrapped(x - from[i].west, case_.nx), from[i].y);
      if (place.n >= 0 && !is_half_way()) d2q37_wall(f, relaxation_.wall_speed, relaxation_.wall_theta[place.is_top ? 1 : 0]);
      d2q37_collide(f, relaxation_.omega, relaxation_.kick, relaxation_.warm);
      for (int i = 0; i < q; ++i)
        after(i, x, y) = f[i];
    }
  }

  const Mirrors<real> mirrors_;
  std::vector<real> images_;  ///< [wall][row from the wall][i][x]; empty without half-way walls
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/serial/03_fused",
    .traffic = d2q37::traffic,
    .make = ladder::make_solver<d2q37::Loops, d2q37::Model>,
};
