#pragma once

#include "variants/d2q37/openacc/columns.hpp"

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

  /// Index within a slot of the source of population i, and of the cell itself.
  [[nodiscard, gnu::always_inline]] int operator()(int i) const {
    return column[D2Q37_REACH + cx(i)] + row[D2Q37_REACH + cy(i)];
  }
  [[nodiscard, gnu::always_inline]] int own() const { return column[D2Q37_REACH] + row[D2Q37_REACH]; }
};

}  // namespace d2q37
