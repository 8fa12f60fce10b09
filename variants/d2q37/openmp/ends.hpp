#pragma once

#include <algorithm>

#include "variants/d2q37/rows.hpp"

namespace d2q37 {

/// Shared by rungs that gather every vector of a row in the same way: the cells around the ends of its periodic source rows are
/// copied next to each other, ends[37][kept + kept], so that no load wraps around.
template <class real>
class Ends {
  using Vector = ladder::Vector<real>;

 public:
  /// Copies the last and first cells of the sources of a row of nx cells.
  LADDER_INLINE void copy(const RowSources<real>& from, int nx) {
    for (int i = 0; i < q; ++i) {
      const real* row = from.row[i];
      if (nx >= kept)
        for (int x = 0; x < kept; x += Vector::size) {
          Vector::load(row + nx - kept + x).store_aligned(cells_[i] + x);
          Vector::load(row + x).store_aligned(cells_[i] + kept + x);
        }
      else
        for (int x = -kept; x < kept; ++x)
          cells_[i][kept + x] = row[lattice::wrapped(x, nx)];
      west_[i] = cells_[i] + kept - from.west[i];
      inside_[i] = row - from.west[i];
      east_[i] = west_[i] - nx;
    }
  }

  /// Calls update(x, from) for each vector of the row, whose population i is at from[i] + x. There is a single call to inline,
  /// because a second copy of a collision would compete with the first one for the instruction caches.
  template <class Update>
  LADDER_INLINE void for_each_vector(int nx, Update update) const {
    // The first vector whose sources are all inside the row, and the first vector that needs cells beyond the eastern end.
    constexpr int west = (Lattice::reach + Vector::size - 1) / Vector::size * Vector::size;
    const int east = std::max(west, (nx - Lattice::reach) / Vector::size * Vector::size);
    struct {
      const real* const* from;
      int first, last;
    } const parts[] = {{west_, 0, std::min(west, nx)}, {inside_, west, east}, {east_, east, nx}};
    for (const auto& part : parts)
      for (int x = part.first; x < part.last; x += Vector::size)
        update(x, part.from);
  }

 private:
  /// Cells at each end: at most a vector and its reach, twice, rounded up to whole vectors.
  static constexpr int kept = (Vector::size + 2 * Lattice::reach - 1 + Vector::size - 1) / Vector::size * Vector::size;

  alignas(ladder::cache_line_bytes) real cells_[q][2 * kept];
  const real *west_[q], *inside_[q], *east_[q];
};

}  // namespace d2q37
