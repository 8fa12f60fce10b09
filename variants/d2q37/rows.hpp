#pragma once

#include <algorithm>

#include "backends/simd/vector.hpp"
#include "variants/d2q37/sources.hpp"
#include "variants/lattice/processor.hpp"

/// Shared by rungs that update rows of a structure of arrays, one vector of neighbouring cells at a time.
namespace d2q37 {

/// Sources of the populations of a row.
template <class real>
struct RowSources {
  const real* row[q];  ///< column 0 of each source row
  int west[q];         ///< columns by which the populations move
};

/// Calls update(x, pull) for each vector in a row of nx cells, where x is its first column. pull(row, x) loads the vector at
/// column x of a row, wrapping around.
template <class Vector, class Update>
void for_each_vector(int nx, Update update) {
  using real = typename Vector::Scalar;
  const auto inside = [](const real* row, int x) { return Vector::load(row + x); };
  // Lanes beyond either end of the row wrap around; lanes after the last cell are never used.
  const auto at_ends = [nx](const real* row, int x) {
    real lanes[Vector::size];
    for (int lane = 0; lane < Vector::size; ++lane)
      lanes[lane] = row[lattice::wrapped(std::min(x + lane, nx + Lattice::reach - 1), nx)];
    return Vector::load(lanes);
  };
  for (int x = 0; x < nx; x += Vector::size)
    if (x < Lattice::reach || x + Vector::size + Lattice::reach > nx)
      update(x, at_ends);
    else
      update(x, inside);
}

/// Calls update(place, bc) for row y in a lattice of ny rows, where row `bottom` is next to the bottom wall and `place` is the
/// position of row y at a wall. bc(f) sets the populations of a vector of cells to the wall's state, if row y is at a wall.
template <class real, class Update>
void with_wall(int y, int bottom, int ny, const Relaxation<real>& relaxation, Update update) {
  using Vector = ladder::Vector<real>;
  const WallRow place = wall_row(y, bottom, ny);
  if (place.n >= 0)
    update(place, [&](Vector* f) {
      d2q37_wall(f, Vector(relaxation.wall_speed), Vector(relaxation.wall_theta[place.is_top ? 1 : 0]));
    });
  else
    update(place, [](Vector*) {});
}

/// Base of these rungs: two copies of a lattice f[37][y][x] with rows aligned to cache lines.
template <class real>
class RowSolver : public lattice::ProcessorSolver<Model, real, lattice::Aligned> {
  using Base = lattice::ProcessorSolver<Model, real, lattice::Aligned>;

 protected:
  using Base::Base, Base::case_, Base::layout_, Base::f_;

  template <class Update>
  void with_wall(int y, Update update) const {
    d2q37::with_wall(y, bottom_, case_.ny, relaxation_, update);
  }

  [[nodiscard]] RowSources<real> sources(int y, const WallRow& place) const {
    RowSources<real> from;
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      from.row[i] = f_.data() + layout_(source.i, 0, source.y);
      from.west[i] = source.west;
    }
    return from;
  }

  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace d2q37
