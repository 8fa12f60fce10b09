#pragma once

#include "variants/d2q37/model.hpp"

/// The wall rows of a lattice: three at the bottom, three at the top. A population whose source is beyond a wall is replaced by
/// the one that left in the opposite direction: if row n from the wall would take it from row n - c, c > n, it comes from row c
/// - n - 1 of the same column. Thus each population that leaves comes back, and mass is conserved.
namespace d2q37 {

/// One wall: the n-th row from it is row `first + n * inward` of the lattice.
struct Wall {
  bool is_top;
  int first;   ///< the row next to the wall
  int inward;  ///< 1 at the bottom, -1 at the top

  [[nodiscard]] LBM_ANYWHERE int row(int n, int ny) const { return lattice::wrapped(first + n * inward, ny); }
  /// Whether the source of direction i is beyond the wall, as seen from row n.
  [[nodiscard]] LBM_ANYWHERE bool turns(int i, int n) const { return d2q37_cy[i] * inward > n; }
  /// The source row of such a population, counted from the wall.
  [[nodiscard]] LBM_ANYWHERE int source(int i, int n) const { return d2q37_cy[i] * inward - n - 1; }
};

/// The bottom or top wall of a lattice of ny rows, whose lowest row is `bottom`.
LBM_ANYWHERE inline Wall wall_of(bool is_top, int bottom, int ny) {
  return is_top ? Wall{true, lattice::wrapped(bottom - 1, ny), -1} : Wall{false, bottom, 1};
}

/// Position of row y at a wall: it is the n-th row from that wall. `n` is -1 if row y is between the walls, or if there are
/// none (`bottom` is -1).
struct WallRow {
  int n = -1;
  bool is_top = false;
};
LBM_ANYWHERE inline WallRow wall_row(int y, int bottom, int ny) {
  if (bottom < 0) return {};
  const int up = lattice::wrapped(y - bottom, ny);
  if (up < Case::wall_rows) return {up, false};
  if (up >= ny - Case::wall_rows) return {ny - 1 - up, true};
  return {};
}

/// Sets the cell of column x in the n-th row from a wall, after streaming: `to(i)` is its population i, and `from(i, x, y)` is
/// population i before streaming.
template <class real, class To, class From>
void set_wall(const Case& c, const Relaxation<real>& r, const Wall& wall, int n, int x, To to, From from) {
  real f[q];
  for (int i = 0; i < q; ++i)
    f[i] = wall.turns(i, n) ? from(d2q37_opposite[i], x, wall.row(wall.source(i, n), c.ny)) : to(i);
  d2q37_wall(f, r.wall_speed, r.wall_theta[wall.is_top ? 1 : 0]);
  for (int i = 0; i < q; ++i)
    to(i) = f[i];
}

/// @throws ladder::Unavailable if the case has a reaction
inline const Case& without_reaction(const Case& c) {
  if (!c.is_reactive()) return c;
  throw ladder::Unavailable(c.name +
                                ": streaming and collision are fused, but a reaction needs the velocities of all neighbours "
                                "between them",
                            ladder::Reason::no_such_case);
}

}  // namespace d2q37
