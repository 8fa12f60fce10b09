#pragma once

#include <algorithm>
#include <cstdint>

#include "variants/d2q37/model.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/layout.hpp"

namespace d2q37 {

/// Accessors for constant tables in offloaded loops. A loop that names an array copies it to the GPU and back, which fails for
/// constants; an array named inside a function becomes part of the GPU code instead.
[[gnu::always_inline]] inline int cx(int i) { return d2q37_cx[i]; }
[[gnu::always_inline]] inline int cy(int i) { return d2q37_cy[i]; }
[[gnu::always_inline]] inline int opposite(int i) { return d2q37_opposite[i]; }

/// A lattice [slot][frame + nx + frame][pitch], columns along y. A frame holds copies of the `frame` columns at the opposite
/// end; without frames, columns wrap. Loops count rows from the bottom wall: their row n is row (n + bottom) mod ny of the
/// lattice. Without walls, `bottom` is 0 and rows wrap.
template <int frame>
struct Columns {
  int nx, ny, pitch;  ///< columns, rows, elements from one column to the next
  int bottom;         ///< lattice row next to the bottom wall; 0 without walls
  bool walls;
  std::int64_t slot;  ///< elements from one slot to the next

  /// The columns of a case; each starts on a 128-byte line and occupies whole lines.
  Columns(const Case& c, int line)
      : nx(c.nx),
        ny(c.ny),
        pitch((c.ny + line - 1) / line * line),
        bottom(std::max(c.bottom_row(), 0)),
        walls(c.bottom_row() >= 0),
        slot((2 * frame + std::int64_t{c.nx}) * pitch) {}

  /// Index within a slot of the cell at column x and row n; each may exceed either end by up to three.
  [[nodiscard, gnu::always_inline]] int at(int x, int n) const {
    const int column = frame > 0 ? frame + x : lattice::wrapped(x, nx);
    return column * pitch + lattice::wrapped(lattice::wrapped(n, ny) + bottom, ny);
  }
  [[nodiscard, gnu::always_inline]] bool is_at_wall(int n) const {
    return walls && (n < Case::wall_rows || n >= ny - Case::wall_rows);
  }
  /// The rows between the walls' rows, [first, last).
  [[nodiscard]] int first_inner_row() const { return walls ? Case::wall_rows : 0; }
  [[nodiscard]] int last_inner_row() const { return walls ? ny - Case::wall_rows : ny; }

  [[nodiscard]] lattice::Strides strides() const {
    return {.origin = std::int64_t{frame} * pitch, .x = pitch, .y = 1, .z = slot, .q = slot};
  }
};

}  // namespace d2q37
