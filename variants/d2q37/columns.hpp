#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "backends/memory/array.hpp"
#include "base/summation.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/state.hpp"

/// The lattice of the publication's CPU code (section 4): column by column, structures of one or more cells, with frames that
/// hold copies of the cells from the opposite ends.
namespace d2q37 {

/// Members of a cell after its populations.
enum Member { u = q, v, density, temperature, members };

/// Population i is member i of a cell.
struct Natural {
  static constexpr int slot(int i) { return i; }
};

/// Stores populations with equal velocity along x next to each other, ordered by their velocity along y. The cells of a column
/// then read a neighbouring column from consecutive slots in at most seven rows, and use every cache line in between.
struct ByColumn {
  static constexpr int slot(int i) { return slots[static_cast<std::size_t>(i)]; }

 private:
  static constexpr std::array<int, members> slots = [] {
    std::array<int, members> slots{};
    for (int i = 0; i < members; ++i) {
      slots[static_cast<std::size_t>(i)] = i;
      if (i >= q) continue;
      int before = 0;
      for (int k = 0; k < q; ++k)
        before += d2q37_cx[k] < d2q37_cx[i] || (d2q37_cx[k] == d2q37_cx[i] && d2q37_cy[k] < d2q37_cy[i]) ? 1 : 0;
      slots[static_cast<std::size_t>(i)] = before;
    }
    return slots;
  }();
};

/// f[3 + nx + 3][3 + rows + 3][members][lanes]. The ny cells of a column are cut into `lanes` parts of `rows` cells each; the
/// last parts may be shorter. Cell y is lane y / rows of the structure in row y % rows. All other lanes, mainly those in the
/// frames, hold copies of the cell that continues the column: lane l of row r is cell (l * rows + r) mod ny.
///
/// @tparam Order  Order::slot(i) is the position of member i in a structure
template <int lanes, class Order = Natural>
class Columns {
 public:
  static constexpr int frame = D2Q37_REACH;

  explicit Columns(const Case& c) : nx_(c.nx), ny_(c.ny), rows_((c.ny + lanes - 1) / lanes) {}

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] std::int64_t required_span_size() const { return (nx_ + 2 * frame) * column(); }
  /// Index of the first element of column x.
  [[nodiscard]] std::int64_t first(int x) const { return (x + frame) * column(); }
  /// Index of lane 0 of member i of a structure, for x from -3 to nx + 2 and row from -3 to rows + 2.
  std::int64_t operator()(int i, int x, int row) const { return first(x) + ((row + frame) * members + Order::slot(i)) * lanes; }
  /// Index of member i of cell (x, y).
  [[nodiscard]] std::int64_t cell(int i, int x, int y) const { return (*this)(i, x, y % rows_) + y / rows_; }
  /// The cell y that a lane of a row holds, either as the original or as a copy.
  [[nodiscard]] int y(int row, int lane) const { return ((lane * rows_ + row) % ny_ + ny_) % ny_; }
  [[nodiscard]] bool is_copy(int row, int lane) const { return row < 0 || row >= rows_ || lane * rows_ + row >= ny_; }
  /// Elements in a column.
  [[nodiscard]] std::int64_t column() const { return static_cast<std::int64_t>(rows_ + 2 * frame) * members * lanes; }
  /// First row in which any lane holds a copy.
  [[nodiscard]] int first_copy() const { return std::max(0, ny_ - (lanes - 1) * rows_); }

 private:
  int nx_, ny_, rows_;
};

/// Base of rungs with this layout: two copies of the lattice and their frames. `f_` holds the state between steps.
template <class real, int lanes, class Order = Natural>
class ColumnSolver : public ladder::Solver<Model> {
 public:
  void store(ladder::Populations& out) override {
    for_each_cell(out.box, [&](int i, std::int64_t n, const real& f) { out.at(i, n) = static_cast<double>(f); });
  }
  void load(const ladder::Populations& in) override {
    for_each_cell(in.box, [&](int i, std::int64_t n, real& f) { f = static_cast<real>(in.at(i, n)); });
  }
  double conserved() override {
    return ladder::total(ladder::in_parts(case_.nx, 1, [&](std::int64_t first, std::int64_t last) {
      ladder::Sum part;
      for (int x = static_cast<int>(first); x < last; ++x)
        for (int y = 0; y < case_.ny; ++y)
          for (int i = 0; i < q; ++i)
            part.add(static_cast<double>(f_.data()[layout_.cell(i, x, y)]));
      return part.value();
    }));
  }

 protected:
  using Layout = Columns<lanes, Order>;

  /// Allocates memory without touching it; the rung calls initialize() for every column.
  explicit ColumnSolver(const Case& c)
      : case_(c),
        layout_(c),
        f_(static_cast<std::size_t>(layout_.required_span_size())),
        g_(f_.size()),
        bottom_(c.bottom_row()),
        relaxation_(c.template relaxation<real>()) {}

  /// First-touches column x, from -3 to nx + 2: fills it with NaN, then writes the initial state of its cells.
  void initialize(int x) {
    const auto first = static_cast<std::size_t>(layout_.first(x));
    f_.poison(first, first + static_cast<std::size_t>(layout_.column()));
    g_.poison(first, first + static_cast<std::size_t>(layout_.column()));
    if (x < 0 || x >= case_.nx) return;
    for (int y = 0; y < case_.ny; ++y) {
      const auto f = case_.initial(x, y, 0);
      for (int i = 0; i < q; ++i)
        f_.data()[layout_.cell(i, x, y)] = static_cast<real>(f[static_cast<std::size_t>(i)]);
    }
  }

  /// Refreshes the copies in column x of `lattice`, for members [first, last) and up to `reach` rows beyond the column's ends.
  void wrap(ladder::Array<real>& lattice, int x, int reach = Layout::frame, int first = 0, int last = q) {
    const auto copy = [&](int row) {
      for (int lane = 0; lane < lanes; ++lane)
        if (layout_.is_copy(row, lane))
          for (int i = first; i < last; ++i)
            lattice.data()[layout_(i, x, row) + lane] = lattice.data()[layout_.cell(i, x, layout_.y(row, lane))];
    };
    for (int row = -reach; row < 0; ++row)
      copy(row);
    for (int row = layout_.first_copy(); row < layout_.rows() + reach; ++row)
      copy(row);
  }

  /// Fills the left or right frame of `lattice` with copies of the columns at the opposite end.
  void comm(ladder::Array<real>& lattice, bool left) {
    const std::int64_t count = Layout::frame * layout_.column();
    real* frame = lattice.data() + (left ? 0 : count + case_.nx * layout_.column());
    std::copy_n(lattice.data() + (left ? case_.nx * layout_.column() : count), count, frame);
  }

  const Case case_;
  const Layout layout_;
  ladder::Array<real> f_, g_;  ///< [layout_(i, x, row) + lane]
  const int bottom_;           ///< the row next to the bottom wall, or -1
  const Relaxation<real> relaxation_;

 private:
  /// Calls visit(i, n, f) for population i of each cell in a box, where n is the cell's index in the box.
  template <class Visit>
  void for_each_cell(const ladder::Box& box, Visit visit) {
    lattice::detail::for_each_cell(box, q, [&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
      for (int i = 0; i < q; ++i)
        visit(i, n, f_.data()[layout_.cell(i, static_cast<int>(x), static_cast<int>(y))]);
    });
  }
};

}  // namespace d2q37
