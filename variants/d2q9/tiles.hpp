#pragma once

#include <cstdint>

#include "backends/memory/array.hpp"
#include "variants/d2q9/model.hpp"

/// Code shared by OpenMP rungs that advance a strip of columns by several steps while it is in a cache.
namespace d2q9 {

/// Obstacles of a lattice, plus `margin` columns beyond either end of it, as seen by tiles.
class TileFlags {
 public:
  /// For rows of `columns` elements in memory, the first of which are cells. Touches no memory: call initialize_row() for each
  /// row.
  TileFlags(const Case& c, std::int64_t columns, int margin)
      : case_(c),
        margin_(margin),
        pitch_(columns + 2 * margin),
        solid_(static_cast<std::size_t>(pitch_ * c.ny)),
        silent_(solid_.size()) {}

  void initialize_row(int y) {
    for (std::int64_t n = 0; n < pitch_; ++n) {
      const int x = static_cast<int>(n) - margin_;
      const bool is_solid = case_.is_solid(column(x), y);
      solid_.data()[y * pitch_ + n] = is_solid;
      silent_.data()[y * pitch_ + n] = is_solid || x < 0 || x >= case_.nx;
    }
  }

  /// Returns x wrapped to a column of the periodic lattice, 0 to nx - 1.
  [[nodiscard]] int column(int x) const { return (x % case_.nx + case_.nx) % case_.nx; }

  /// Returns y wrapped to a row of the periodic lattice, 0 to ny - 1. Few calls need the division.
  [[nodiscard]] int row(int y) const { return 0 <= y && y < case_.ny ? y : (y % case_.ny + case_.ny) % case_.ny; }

  /// Returns row y of the obstacles, 1 where a site is solid, starting at column `tile`; margins included. y may be any
  /// integer.
  [[nodiscard]] const std::uint8_t* solid(int tile, int y) const { return solid_.data() + place(tile, y); }
  /// Same as solid(), but also 1 for columns that are only images of sites: their speeds do not count.
  [[nodiscard]] const std::uint8_t* silent(int tile, int y) const { return silent_.data() + place(tile, y); }

 private:
  [[nodiscard]] std::int64_t place(int tile, int y) const { return row(y) * pitch_ + margin_ + tile; }

  Case case_;
  int margin_;
  std::int64_t pitch_;
  ladder::Array<std::uint8_t> solid_, silent_;  ///< [y][margin_ + x]
};

/// Memory layout of the latest three rows of a tile after one step: [y mod 3][q][x].
///
/// Population i starts 17 cache lines after population i - 1, modulo pages, and the rows of the next step start three lines
/// after these. A step thus writes to other parts of a page than it reads from: a load whose last twelve address bits match
/// those of an earlier store would have to wait for it.
template <class real>
class TileRows {
 public:
  /// Stores `margin` columns, a multiple of the vector size, on either side of a tile.
  TileRows(int width, int margin)
      : margin_(margin), plane_(round_up(width + 2 * (margin + line), page) + 17 * line), row_(round_up(q * plane_, page)) {}

  [[nodiscard]] int margin() const { return margin_; }
  [[nodiscard]] std::int64_t required_span_size() const { return 3 * row_ + 3 * line; }

  /// Returns the distance from one population to the next, in elements.
  [[nodiscard]] std::int64_t plane() const { return plane_; }
  /// Returns column 0 of the tile in population 0 of row y, in the elements that start at `rows`. y may be any integer.
  [[nodiscard]] real* row(real* rows, int y) const { return rows + (y % 3 + 3) % 3 * row_ + line + margin_; }

 private:
  static constexpr std::int64_t line = 64 / sizeof(real), page = 4096 / sizeof(real);

  static std::int64_t round_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

  int margin_;
  std::int64_t plane_, row_;
};

/// Accelerates the fluid cells in columns `begin` to `end` (exclusive) of a row whose populations are `plane` elements apart.
template <class real>
void accelerate_columns(const Case& c, const std::uint8_t* solid, real* row, std::int64_t plane, int begin, int end) {
  for (int x = begin; x < end; ++x) {
    if (solid[x]) continue;
    real f[q];
    for (int i = 0; i < q; ++i)
      f[i] = row[i * plane + x];
    d2q9_accelerate(f, static_cast<real>(c.w1()), static_cast<real>(c.w2()));
    for (int i = 0; i < q; ++i)
      row[i * plane + x] = f[i];
  }
}

}  // namespace d2q9
