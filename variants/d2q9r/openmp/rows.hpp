#pragma once

#include <omp.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "backends/memory/array.hpp"
#include "backends/simd/row_stream.hpp"
#include "variants/d2q9r/moments.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/own_rows.hpp"
#include "variants/lattice/state.hpp"

/// Shared by rungs that store six coefficients per cell (collide.h) and update rows from cached copies.
namespace d2q9r {

/// The lattice for the layouts: one slot per coefficient.
struct Stored : Lattice {
  static constexpr int q = numbers;
};

/// Base of these rungs: two lattices, k[6][y][x], whose rows are aligned to cache lines.
template <class real>
class MomentSolver : public Solver {
 public:
  void store(ladder::Populations& out) override {
    for_each_cell(out.box, [&](std::int64_t x, std::int64_t y, std::int64_t n) {
      double k[numbers], f[q];
      for (int i = 0; i < numbers; ++i)
        k[i] = f_.data()[layout_(i, x, y)];
      populations_of(k, f);
      for (int i = 0; i < q; ++i)
        out.at(i, n) = f[i];
    });
  }
  void load(const ladder::Populations& in) override {
    for_each_cell(in.box, [&](std::int64_t x, std::int64_t y, std::int64_t n) {
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = in.at(i, n);
      set(x, y, f);
    });
  }
  double conserved() override {
    const auto sums = ladder::in_parts(case_.ny, ladder::worth_a_thread / (numbers * case_.nx), [&](auto first, auto last) {
      ladder::Sum part;
      for (std::int64_t y = first; y < last; ++y)
        for (const auto& [i, factor] : {std::pair(0, 36.0), std::pair(3, 12.0), std::pair(4, 12.0)})
          for (int x = 0; x < case_.nx; ++x)
            part.add(factor * f_.data()[layout_(i, x, y)]);
      return part.value();
    });
    return static_cast<double>(case_.cells()) + ladder::total(sums);
  }

 protected:
  /// Writes the initial state; each thread first touches its rows.
  explicit MomentSolver(const Case& c)
      : case_(c), layout_(extents(c)), f_(static_cast<std::size_t>(layout_.required_span_size())), g_(f_.size()) {
#pragma omp parallel
    for (const int y : lattice::own_rows(c.ny)) {
      for (int i = 0; i < numbers; ++i)
        for (auto* lattice : {&f_, &g_})
          lattice->poison(static_cast<std::size_t>(layout_(i, 0, y)),
                          static_cast<std::size_t>(layout_(i, layout_.columns() - 1, y) + 1));
      for (int x = 0; x < c.nx; ++x)
        set(x, y, c.initial(x, y, 0).data());
    }
  }

  const Case case_;
  const lattice::Aligned<Stored, real> layout_;
  ladder::Array<real> f_, g_;  ///< read and written by the next pass
  const Relaxation<ladder::Vector<real>> relaxation_{case_.omega()};

 private:
  void set(std::int64_t x, std::int64_t y, const double* f) {
    double k[numbers];
    project(f, k);
    for (int i = 0; i < numbers; ++i)
      f_.data()[layout_(i, x, y)] = static_cast<real>(k[i]);
  }

  template <class Visit>
  static void for_each_cell(const ladder::Box& box, Visit visit) {
    lattice::detail::for_each_cell(box, q,
                                   [&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) { visit(x, y, n); });
  }
};

/// A thread's cached rows of a tile of columns, in blocks that hold one vector of each value:
/// k[slot][(margin + width + margin) / V::size][6][V::size]. A single address serves all values of a cell.
///
/// A step computes row y from rows y - 1 to y + 1 of the step before, after which row y - 1 is not needed any more. The new row
/// replaces it, so each step needs only two more rows, and no memory is fetched only to be overwritten.
template <class real>
class Rows {
  using V = ladder::Vector<real>;

 public:
  /// `beside`: columns needed on each side of a tile. Call this on the thread that will use the rows, so that it touches
  /// them first.
  Rows(int steps, int width, int beside)
      : slots_(2 * steps + 1),
        margin_(margin(beside)),  // one more vector is read at either end
        pitch_(numbers * (rounded(width) + 2 * margin_)),
        values_(static_cast<std::size_t>(slots_ * pitch_)) {
    values_.poison();
  }

  /// Columns that are copied on each side of a tile if `beside` are needed.
  static constexpr int margin(int beside) { return rounded(beside) + V::size; }
  /// Columns rounded up to whole vectors.
  static constexpr int rounded(int columns) { return (columns + V::size - 1) / V::size * V::size; }

  /// The values of row y after `step` steps, starting at the tile's first column; y may be negative. Shares memory with row
  /// y - 1 after the step before.
  [[nodiscard]] LADDER_INLINE real* row(int step, int y) {
    return values_.data() + ladder::wrapped(y - step, slots_) * pitch_ + numbers * margin_;
  }
  /// Value i of the vector of cells that starts at column x of such a row; x may be negative.
  [[nodiscard]] LADDER_INLINE static std::int64_t place(int i, int x) { return std::int64_t{x} * numbers + i * V::size; }

  /// Copies `width` columns starting at column `tile`, and as many on each side as fit, from row y of the periodic lattice.
  template <class Layout>
  void fetch(int step, int y, const real* lattice, const Layout& layout, int tile, int width, const Case& c) {
    const std::int64_t from_row = ladder::wrapped(y, c.ny);
    real* const to = row(step, y);
    for (int i = 0; i < numbers; ++i) {
      const real* const from = lattice + layout(i, 0, from_row);
      const real* const later = lattice + layout(i, 0, ladder::wrapped(y + 2, c.ny));
      for (int x = -margin_; x < rounded(width) + margin_; x += V::size)
        if (const std::int64_t column = ladder::wrapped(tile + x, c.nx); column + V::size <= c.nx) {
          __builtin_prefetch(later + column, 0, 2);
          V::load(from + column).store_aligned(to + place(i, x));
        } else
          for (int lane = 0; lane < V::size; ++lane)
            to[place(i, x) + lane] = from[ladder::wrapped(column + lane, c.nx)];
    }
  }

 private:
  int slots_, margin_;
  std::int64_t pitch_;
  ladder::Array<real> values_;
};

/// Rows for each thread, constructed with these arguments when the thread first needs them.
template <class real>
class RowsOfThreads {
 public:
  RowsOfThreads(int steps, int width, int beside)
      : steps_(steps), width_(width), beside_(beside), rows_(static_cast<std::size_t>(omp_get_max_threads())) {}

  /// Those of the calling thread.
  [[nodiscard]] Rows<real>& own() {
    auto& rows = rows_[static_cast<std::size_t>(omp_get_thread_num())];
    if (!rows) rows = std::make_unique<Rows<real>>(steps_, width_, beside_);
    return *rows;
  }

 private:
  const int steps_, width_, beside_;
  std::vector<std::unique_ptr<Rows<real>>> rows_;
};

/// The vector whose first lane is the last one of `before`, followed by all but the last one of v.
template <class V>
LADDER_INLINE V one_east(V before, V v) {
  return [&]<int... lane>(std::integer_sequence<int, lane...>) LADDER_INLINE_LAMBDA {
    return V(__builtin_shufflevector(before.native(), v.native(), (lane + V::size - 1)...));
  }
  (std::make_integer_sequence<int, V::size>{});
}
/// The vector of all but the first lane of v, followed by the first one of `after`.
template <class V>
LADDER_INLINE V one_west(V v, V after) {
  return [&]<int... lane>(std::integer_sequence<int, lane...>) LADDER_INLINE_LAMBDA {
    return V(__builtin_shufflevector(v.native(), after.native(), (lane + 1)...));
  }
  (std::make_integer_sequence<int, V::size>{});
}
template <class V>
LADDER_INLINE RowSums<V> one_east(const RowSums<V>& before, const RowSums<V>& v) {
  return {one_east(before.all, v.all), one_east(before.x, v.x), one_east(before.xx, v.xx)};
}
template <class V>
LADDER_INLINE RowSums<V> one_west(const RowSums<V>& v, const RowSums<V>& after) {
  return {one_west(v.all, after.all), one_west(v.x, after.x), one_west(v.xx, after.xx)};
}

/// Populations that three cells of a column send to the row of the middle one, summed along y, for each c_x. Here, the members
/// of RowSums are sums times 1, c_y and c_y^2.
template <class V>
struct ColumnSums {
  RowSums<V> west, rest, east;
};

/// Updates columns first, …, end - 1 of a row, in whole vectors, and calls write(x, k) with the coefficients of each of them.
/// `rows`: the row to the south, this row and the row to the north, one step earlier. The result may overwrite the first one.
template <class real, class Write>
LADDER_INLINE void update_row(const real* const (&rows)[3], int first, int end,
                              const Relaxation<ladder::Vector<real>>& relaxation, Write write) {
  using V = ladder::Vector<real>;
  const auto sum_along_y = [&](int x) LADDER_INLINE_LAMBDA {
    V k[3][numbers];
    for (int row = 0; row < 3; ++row)
      for (int i = 0; i < numbers; ++i)
        k[row][i] = V::load_aligned(rows[row] + Rows<real>::place(i, x));
    const Row<V> up = leaving<1>(k[0]), level = leaving<0>(k[1]), down = leaving<-1>(k[2]);
    return ColumnSums<V>{sum(Row<V>{down.west, level.west, up.west}), sum(Row<V>{down.rest, level.rest, up.rest}),
                         sum(Row<V>{down.east, level.east, up.east})};
  };
  // Each vector relaxes one iteration after it is summed, so that relaxation does not depend on that iteration's sums.
  RowSums<V> east = sum_along_y(first - V::size).east;
  ColumnSums<V> here = sum_along_y(first);
  const auto sums_at = [&](int x, V* s) LADDER_INLINE_LAMBDA {
    const ColumnSums<V> next = sum_along_y(x + V::size);
    const RowSums<V> from_west = one_east(east, here.east), from_east = one_west(here.west, next.west);
    const RowSums<V> ones = sum(Row<V>{from_east.all, here.rest.all, from_west.all});
    const RowSums<V> ys = sum(Row<V>{from_east.x, here.rest.x, from_west.x});
    const RowSums<V> squares = sum(Row<V>{from_east.xx, here.rest.xx, from_west.xx});
    s[0] = ones.all;
    s[1] = ones.x;
    s[2] = ys.all;
    s[3] = ones.xx;
    s[4] = squares.all;
    s[5] = ys.x;
    east = here.east;
    here = next;
  };
  V s[numbers];
  sums_at(first, s);
  int x = first;
  for (; x + V::size < end; x += V::size) {
    V k[numbers], later[numbers];
    relaxation(s, k);
    sums_at(x + V::size, later);
    write(x, k);
    for (int i = 0; i < numbers; ++i)
      s[i] = later[i];
  }
  relaxation(s, s);
  write(x, s);
}

}  // namespace d2q9r
