#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "variants/regularized/openmp/moments.hpp"

/// Streams ten coefficients per cell and sums what arrives axis by axis: first along y, then along x, then along z. No
/// population is expanded: those that leave a cell are, up to their weights, a polynomial in each component of their velocity,
/// so that what arrives along one axis follows from the coefficients of three cells by a few additions.
namespace regularized {

/// Rows in blocks of one cache line of each value: k[z][y][x / line][10][line]. Rows are read and written in sequence, and a
/// single address serves all values of a cell.
template <class real>
class Blocks {
 public:
  static constexpr int line = ladder::cache_line_bytes / sizeof(real);

  explicit Blocks(const lattice::Extents& n) : n_(n), pitch_((n.x + line - 1) / line * numbers * line) {}

  [[nodiscard]] std::int64_t required_span_size() const { return n_.y * n_.z * pitch_; }
  LADDER_INLINE std::int64_t operator()(int i, std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (z * n_.y + y) * pitch_ + column(static_cast<int>(x)) + i * line;
  }
  /// The first value of the cell in column x, relative to the one in column 0.
  LADDER_INLINE static int column(int x) { return x / line * (numbers * line) + x % line; }
  [[nodiscard]] std::int64_t columns() const { return pitch_ / numbers; }
  /// Elements per row.
  [[nodiscard]] std::int64_t pitch() const { return pitch_; }

 private:
  lattice::Extents n_;
  std::int64_t pitch_;
};

/// Sums for a vector of cells that still needs the next plane: of 1, c_x, c_y, c_x^2, c_y^2 and c_x c_y over the populations
/// that go up from the last two planes, and over those that have arrived from below or within the last plane.
template <class V>
struct Column {
  V up[2][6];
  V sum[6];
};

/// Computes rows of a plane from the coefficients of the same and the two neighbouring rows in the plane above it, and sums
/// kept in columns.
template <class real>
class Axes {
  using V = ladder::Vector<real>;
  using Unaligned [[gnu::aligned(alignof(real)), gnu::may_alias]] = typename V::Native;

 public:
  /// Takes row y of a plane: `rows` are rows y - 1, y and y + 1. `columns` belong to the row, and `parity` is that of the
  /// plane. Calls write(x, s) with the sums s[10] for each vector of cells in row y of the plane below, which are then
  /// complete.
  template <class Write>
  LADDER_INLINE void add_row(const real* const (&rows)[3], int width, Column<V>* columns, int parity, Write write) {
    for (int first = 0; first < width; first += strip) {
      const int cells = std::min(width - first, strip);
      for (int x = 0; x < cells; x += V::size)
        stream_y<V>(rows, first + x, x);
      stream_y<real>(rows, first == 0 ? width - 1 : first - 1, -1);
      stream_y<real>(rows, first + cells == width ? 0 : first + cells, cells);
      for (int x = 0; x < cells; x += V::size) {
        V s[numbers];
        stream_xz(values_ + margin + x, columns[(first + x) / V::size], parity, s);
        write(first + x, s);
      }
    }
  }

 private:
  static constexpr int strip = 512 / sizeof(real);  ///< columns whose intermediate values stay in the first-level cache
  static constexpr int margin = ladder::cache_line_bytes / sizeof(real);
  static constexpr int pitch = strip + 2 * margin;

  // Intermediate values: after streaming along y, the coefficients of 1, c_x, c_z, c_x^2, c_z^2 and c_x c_z, of the sums of 1
  // (from `one`), c_y (from `y`) and c_y^2 (from `yy`). The weights of D3Q27 are products of one factor per axis. Those of
  // D3Q19 are, relative to that of an edge, 9 for a cell at rest plus 1 for each velocity in each coordinate plane. There,
  // c_x c_z appears in the plane y = 0 only, where nothing moves along y (from `level`).
  static constexpr int kinds = q == 27 ? 6 : 5, one = 0, y = kinds, yy = 2 * kinds, level = 3 * kinds;
  static constexpr int count = q == 27 ? 3 * kinds : 3 * kinds + 6;
  enum : int { cx = 1, cz = 2, cxx = 3, czz = 4, cxz = 5 };

  template <class T>
  LADDER_INLINE static T load(const real* p) {
    // GCC moves vectors that it loads with memcpy() through the stack.
    if constexpr (std::is_same_v<T, V>)
      return V(*reinterpret_cast<const Unaligned*>(p));
    else
      return *p;
  }

  /// What leaves in the positive direction of an axis, from the coefficients of 1, c and c^2 as far as they are not 0.
  template <class T>
  LADDER_INLINE static T plus(T p0) {
    return p0;
  }
  template <class T>
  LADDER_INLINE static T plus(T p0, T p1) {
    return p0 + p1;
  }
  template <class T>
  LADDER_INLINE static T plus(T p0, T p1, T p2) {
    return (p0 + p2) + p1;
  }
  /// The same in the negative direction.
  template <class T>
  LADDER_INLINE static T minus(T p0) {
    return p0;
  }
  template <class T>
  LADDER_INLINE static T minus(T p0, T p1) {
    return p0 - p1;
  }
  template <class T>
  LADDER_INLINE static T minus(T p0, T p1, T p2) {
    return (p0 + p2) - p1;
  }

  /// Streams the cells from `column` on along y. T: V, or real for a single cell. x: their place in the strip.
  template <class T>
  LADDER_INLINE void stream_y(const real* const (&rows)[3], int column, int x) {
    const int at = Blocks<real>::column(column);
    const auto south = [&](int n) LADDER_INLINE_LAMBDA { return load<T>(rows[0] + at + n * Blocks<real>::line); };
    const auto own = [&](int n) LADDER_INLINE_LAMBDA { return load<T>(rows[1] + at + n * Blocks<real>::line); };
    const auto north = [&](int n) LADDER_INLINE_LAMBDA { return load<T>(rows[2] + at + n * Blocks<real>::line); };
    real* const to = values_ + margin + x;
    const auto put = [&](int n, T v) LADDER_INLINE_LAMBDA {
      if constexpr (std::is_same_v<T, V>)
        v.store_aligned(to + n * pitch);
      else
        to[n * pitch] = v;
    };
    const auto sums = [&](int n, T from_south, T stays, T from_north) LADDER_INLINE_LAMBDA {
      T even = from_south + from_north, odd = from_south - from_north;
      if constexpr (q == 27) {
        even = T(0.25) * even;
        odd = T(0.25) * odd;
      }
      put(one + n, stays + even);
      put(y + n, odd);
      put(yy + n, even);
    };
    sums(0, plus(south(0), south(2), south(5)), own(0), minus(north(0), north(2), north(5)));
    sums(cx, plus(south(1), south(7)), own(1), minus(north(1), north(7)));
    sums(cz, plus(south(3), south(9)), own(3), minus(north(3), north(9)));
    sums(cxx, south(4), own(4), north(4));
    sums(czz, south(6), own(6), north(6));
    if constexpr (q == 27) {
      sums(cxz, south(8), own(8), north(8));
    } else {
      put(level + 0, own(0));
      put(level + cx, own(1));
      put(level + cz, own(3));
      put(level + cxx, own(4));
      put(level + czz, own(6));
      put(level + cxz, own(8));
    }
  }

  /// Streams a vector along x, then along z.
  LADDER_INLINE static void stream_xz(const real* from, Column<V>& column, int parity, V* s) {
    const auto own = [&](int n) LADDER_INLINE_LAMBDA { return load<V>(from + n * pitch); };
    struct Sums {
      V one, c, cc;
    };
    // Sums of 1, c_x and c_x^2 over what arrives along x, from `stays` and the values n... of 1, c_x and c_x^2, as far as
    // needed.
    const auto stream_x = [&](V stays, auto... n) LADDER_INLINE_LAMBDA {
      const V from_west = plus(load<V>(from + n * pitch - 1)...), from_east = minus(load<V>(from + n * pitch + 1)...);
      const V even = from_west + from_east, odd = from_west - from_east;
      return Sums{stays + even, odd, even};
    };
    V up[6], stay[6], down[6];  // of 1, c_x, c_y, c_x^2, c_y^2, c_x c_y
    const auto leave = [&](int n, V p0, V p1, V p2, V stays) LADDER_INLINE_LAMBDA {
      up[n] = plus(p0, p1, p2);
      down[n] = minus(p0, p1, p2);
      stay[n] = stays;
    };
    if constexpr (q == 27) {
      const auto stream = [&](int n, auto... more) LADDER_INLINE_LAMBDA { return stream_x(V(4) * own(n), n, more...); };
      const Sums a0 = stream(one, one + cx, one + cxx), a1 = stream(one + cz, one + cxz), a2 = stream(one + czz);
      const Sums b0 = stream(y, y + cx, y + cxx), b1 = stream(y + cz, y + cxz), b2 = stream(y + czz);
      const Sums c0 = stream(yy, yy + cx, yy + cxx), c1 = stream(yy + cz, yy + cxz), c2 = stream(yy + czz);
      const auto z = [&](int n, V p0, V p1, V p2) LADDER_INLINE_LAMBDA { leave(n, p0, p1, p2, V(4) * p0); };
      z(0, a0.one, a1.one, a2.one);
      z(1, a0.c, a1.c, a2.c);
      z(2, b0.one, b1.one, b2.one);
      z(3, a0.cc, a1.cc, a2.cc);
      z(4, c0.one, c1.one, c2.one);
      z(5, b0.c, b1.c, b2.c);
    } else {
      const auto stream = [&](int n, auto... more) LADDER_INLINE_LAMBDA { return stream_x(own(n), n, more...); };
      // The plane z = 0, where nothing moves along z, and the plane y = 0. In x = 0, nothing moves along x.
      const Sums a = stream(one, one + cx, one + cxx), b = stream(y, y + cx, y + cxx), c = stream(yy, yy + cx, yy + cxx);
      const Sums d0 = stream(level, level + cx, level + cxx), d1 = stream(level + cz, level + cxz), d2 = stream(level + czz);
      const auto z = [&](int n, V p0, V p1, V p2, V stays) LADDER_INLINE_LAMBDA { leave(n, p0, p1, p2, p0 + stays); };
      z(0, d0.one + own(one), d1.one + own(one + cz), d2.one + own(one + czz), a.one + V(9) * own(level));
      z(1, d0.c, d1.c, d2.c, a.c);
      z(2, own(y), own(y + cz), own(y + czz), b.one);
      z(3, d0.cc, d1.cc, d2.cc, a.cc);
      z(4, own(yy), own(yy + cz), own(yy + czz), c.one);
      stay[5] = b.c;
    }
    V* const older = column.up[parity];
    const V* const newer = column.up[1 - parity];
    s[0] = column.sum[0] + down[0];
    s[1] = column.sum[1] + down[1];
    s[2] = column.sum[2] + down[2];
    s[4] = column.sum[3] + down[3];
    s[5] = column.sum[4] + down[4];
    s[3] = older[0] - down[0];
    s[6] = older[0] + down[0];
    s[8] = older[1] - down[1];
    s[9] = older[2] - down[2];
    s[7] = kinds == 6 ? column.sum[5] + down[5] : column.sum[5];
    for (int n = 0; n < kinds; ++n) {
      column.sum[n] = newer[n] + stay[n];
      older[n] = up[n];
    }
    if constexpr (q == 19) column.sum[5] = stay[5];
  }

  alignas(ladder::cache_line_bytes) real values_[count * pitch];
};

/// Relaxes the sums of a row's cells and stores the coefficients in blocks.
template <class real>
class Store {
  using V = ladder::Vector<real>;

 public:
  LADDER_INLINE Store(real* row, const Relaxation<real>& relaxation) : row_(row), relaxation_(relaxation) {}

  LADDER_INLINE void operator()(int x, const V* s) const {
    V k[numbers];
    relaxation_(s, k);
    real* const to = row_ + Blocks<real>::column(x);
    ladder::unroll<numbers>([&](auto n) LADDER_INLINE_LAMBDA { k[n].store_aligned(to + n * Blocks<real>::line); });
  }
  LADDER_INLINE void finish() const {}

 private:
  real* const row_;
  const Relaxation<real> relaxation_;
};

/// The same with streaming stores. A vector is held back until its cache line is complete (row_stream.hpp).
template <class real>
class StreamingStore {
  using V = ladder::Vector<real>;
  static constexpr int line = Blocks<real>::line;

 public:
  LADDER_INLINE StreamingStore(real* row, const Relaxation<real>& relaxation) : row_(row), relaxation_(relaxation) {}

  LADDER_INLINE void operator()(int x, const V* s) {
    V k[numbers];
    relaxation_(s, k);
    const int part = x % line / V::size;
    ladder::unroll<numbers>([&](auto n) LADDER_INLINE_LAMBDA { waiting_[n][part] = k[n]; });
    last_ = x;
    if (part == line / V::size - 1) write();
  }
  LADDER_INLINE void finish() {
    if (last_ % line / V::size != line / V::size - 1) write();
    ladder::stream_fence();
  }

 private:
  LADDER_INLINE void write() const {
    real* const to = row_ + Blocks<real>::column(last_ / line * line);
    ladder::unroll<numbers>([&](auto n) LADDER_INLINE_LAMBDA {
      ladder::unroll<line / V::size>(
          [&](auto part) LADDER_INLINE_LAMBDA { ladder::stream(to + n * line + part * V::size, waiting_[n][part]); });
    });
  }

  real* const row_;
  const Relaxation<real> relaxation_;
  int last_ = 0;
  V waiting_[numbers][line / V::size] = {};
};

}  // namespace regularized
