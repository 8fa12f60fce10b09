#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/memory/array.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/lattice/layout.hpp"

/// Code shared by OpenMP rungs that advance rows, or a strip of columns, by several steps while it is in a cache.
namespace d2q9 {

/// Maximum steps per sweep; fewer are used if a thread has so few rows that its neighbours' extra rows would cost too much.
constexpr int most_steps = 6;

inline int depth(const Case& c) { return std::clamp(1 + c.ny / omp_get_max_threads() / 8, 1, most_steps); }

/// Returns the traffic of rungs that read and write the lattice once per sweep.
inline std::vector<ladder::Traffic> sweep_traffic(double real, const Case& c, const ladder::Tuning&) {
  return {{(9 * real + 1) / depth(c), 9 * real / depth(c)}};
}

/// Where an update writes: to rows that the next step reads, or to the lattice, either bypassing the caches or not.
enum class To { next_step, memory, lattice };

/// Returns the number of columns on each side of a tile that `steps` steps depend on, in whole vectors.
inline int margin(int steps, int lanes) { return (steps + lanes - 1) / lanes * lanes; }

/// An array per OpenMP thread, which that thread is the first to touch.
template <class real>
class ThreadArrays {
 public:
  explicit ThreadArrays(std::int64_t size) {
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
      arrays_.emplace_back(static_cast<std::size_t>(size));
#pragma omp parallel
    arrays_[omp_get_thread_num()].poison();
  }

  /// Returns the calling thread's array.
  real* own() { return arrays_[omp_get_thread_num()].data(); }

 private:
  std::vector<ladder::Array<real>> arrays_;
};

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

/// Layout of the latest three rows after one step: f[q][y mod 3][x].
///
/// Population i starts 17 cache lines after population i - 1, modulo pages, and the rows of the next step start three lines
/// after these. A step thus writes to other parts of a page than it reads from: a load whose last twelve address bits match
/// those of an earlier store would have to wait for it.
template <class real>
class ApartRows : public lattice::Aligned<Lattice, real> {
  using Base = lattice::Aligned<Lattice, real>;

 public:
  explicit ApartRows(int columns) : Base({columns, 3}, Base::line, Base::round_up(columns, Base::page), 17 * Base::line) {}

  [[nodiscard]] std::int64_t required_span_size() const {
    return Base::round_up(Base::required_span_size(), Base::page) + 3 * Base::line;
  }
};

/// Memory layout of the latest three rows of a tile after one step: [y mod 3][q][x], as far apart as ApartRows.
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

/// Accelerates row y of a tile and its margins if it is the driven row. `row` is its column 0 in `rows`.
template <class real>
void accelerate_tile(const Case& c, const TileFlags& flags, const TileRows<real>& rows, real* row, int tile, int width, int y) {
  if (flags.row(y) != c.accelerated_row()) return;
  const std::uint8_t* solid = flags.solid(tile, y);
  for (int x = -rows.margin(); x < width + rows.margin(); ++x) {
    if (solid[x]) continue;
    real f[q];
    for (int i = 0; i < q; ++i)
      f[i] = row[i * rows.plane() + x];
    d2q9_accelerate(f, static_cast<real>(c.w1()), static_cast<real>(c.w2()));
    for (int i = 0; i < q; ++i)
      row[i * rows.plane() + x] = f[i];
  }
}

}  // namespace d2q9
