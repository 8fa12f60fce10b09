#pragma once

#include "variants/d2q37/walls.hpp"

/// Sources of the populations of a row, for rungs that stream and collide in one pass.
namespace d2q37 {

/// The population that arrives in column x is population `i` of column x - west in row `y`, before streaming.
struct Source {
  int i, west, y;
};

/// The source of population i of row y in a lattice of ny rows, where row `bottom` is next to the bottom wall (-1: no walls)
/// and `place` is the position of row y at a wall.
LBM_ANYWHERE inline Source source_of(int i, int y, const WallRow& place, int bottom, int ny) {
  if (place.n >= 0) {
    const Wall wall = wall_of(place.is_top, bottom, ny);
    if (wall.turns(i, place.n)) return {d2q37_opposite[i], 0, wall.row(wall.source(i, place.n), ny)};
  }
  return {i, d2q37_cx[i], lattice::wrapped(y - d2q37_cy[i], ny)};
}

}  // namespace d2q37
