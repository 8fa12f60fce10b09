#pragma once

#include "variants/d2q37/openacc/columns.hpp"
#include "variants/d2q37/walls.hpp"

namespace d2q37 {

/// lattice::wrapped() without branches: of n, n - size and n + size, the one in [0, size) is the smallest as an unsigned
/// number.
[[gnu::always_inline]] inline int nearest(int n, int size) {
  const unsigned before = n - size, here = n, after = n + size;
  const unsigned smaller = here < after ? here : after;
  return static_cast<int>(smaller < before ? smaller : before);
}

/// The cells that the populations of one cell come from.
struct Sources {
  int column[2 * D2Q37_REACH + 1];  ///< indexed by reach + cx: first element of the column
  int row[2 * D2Q37_REACH + 1];     ///< indexed by reach + cy: element within a column

  template <int frame>
  [[gnu::always_inline]] Sources(const Columns<frame>& c, int x, int n) {
#pragma GCC unroll 7
    for (int k = -D2Q37_REACH; k <= D2Q37_REACH; ++k) {
      column[D2Q37_REACH + k] = nearest(x - k, c.nx) * c.pitch;
      row[D2Q37_REACH + k] = place(c, n - k);
    }
  }
  /// Element of the n-th row above the bottom wall within a column.
  template <int frame>
  [[gnu::always_inline]] static int place(const Columns<frame>& c, int n) {
    return nearest(nearest(n, c.ny) + c.bottom, c.ny);
  }

  /// Index, within a slot, of the source of population i; own(): of the cell itself.
  [[nodiscard, gnu::always_inline]] int operator()(int i) const {
    return column[D2Q37_REACH + cx(i)] + row[D2Q37_REACH + cy(i)];
  }
  [[nodiscard, gnu::always_inline]] int own() const { return column[D2Q37_REACH] + row[D2Q37_REACH]; }
};

/// Fetches the populations of a cell. The second function is for cells in the n-th row from a wall: it reverses populations
/// that would come from beyond the wall, and sets the wall's state.
template <class real>
[[gnu::always_inline]] inline void stream(const real* from, const Columns<0>& c, const Sources& at, real* f) {
#pragma GCC unroll 37
  for (int i = 0; i < q; ++i)
    f[i] = from[i * c.slot + at(i)];
}
template <class real>
[[gnu::always_inline]] inline void stream_at_wall(const real* from, const Columns<0>& c, const Sources& at, const Wall& wall,
                                                  int n, const Relaxation<real>& r, real* f) {
#pragma GCC unroll 37
  for (int i = 0; i < q; ++i) {
    const bool turns = wall.turns(i, n);
    const int source = wall.first + wall.source(i, n) * wall.inward;
    const int cell = turns ? at.column[D2Q37_REACH] + Sources::place(c, source) : at(i);
    f[i] = from[(turns ? opposite(i) : i) * c.slot + cell];
  }
  d2q37_wall(f, r.wall_speed, wall.is_top ? r.wall_theta[1] : r.wall_theta[0]);
}

/// A cell in the rows at the walls, found by its number among these cells: column x, n-th row from `wall`.
struct WallCell {
  int x, n;
  Wall wall;

  [[gnu::always_inline]] WallCell(int number, const Columns<0>& c)
      : x(number / rows), n(number % Case::wall_rows), wall(wall_of(number % rows >= Case::wall_rows, 0, c.ny)) {}
  /// The row, counted from the bottom wall.
  [[nodiscard, gnu::always_inline]] int row() const { return wall.first + n * wall.inward; }

  static constexpr int rows = 2 * Case::wall_rows;
};

/// Writes the populations of a cell.
template <class real>
[[gnu::always_inline]] inline void store(const real* f, const Columns<0>& c, const Sources& at, real* to) {
#pragma GCC unroll 37
  for (int i = 0; i < q; ++i)
    to[i * c.slot + at.own()] = f[i];
}

}  // namespace d2q37
