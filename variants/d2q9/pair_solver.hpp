#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "backends/memory/array.hpp"
#include "variants/d2q9/layout.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

/// Rows of a lattice, of which each has the place of the one `count` before it: all rows of a periodic lattice, or a few that
/// are in use. Pass it by value: a compiler that sees where it lies keeps it in registers.
template <class real, template <class> class Layout>
struct Rows {
  real* f;
  Layout<real> layout;
  int count;

  /// Population i of site x of row y, where y may be any integer.
  real& operator()(int i, int x, int y) const { return f[layout(i, x, (y % count + count) % count)]; }
};

/// What the rungs on processors share: two lattices in a layout, one that a step reads and one that it writes, everything but
/// the step itself. Between calls of advance(), `from_` holds the canonical post-collision state.
template <class real, template <class> class Layout>
class PairSolver : public Solver {
 public:
  using Lattice = Rows<real, Layout>;

  /// Reserves memory and touches none of it: the rung calls initialize_row() for every row.
  explicit PairSolver(const Case& c)
      : case_(c),
        layout_(c.nx, c.ny),
        solid_(static_cast<std::size_t>(layout_.sites())),
        from_(static_cast<std::size_t>(layout_.size())),
        to_(from_.size()),
        fluid_cells_(c.fluid_cells()) {}

  void store(ladder::Populations& out) override {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        for (int i = 0; i < q; ++i)
          out.at(i, std::int64_t{y} * case_.nx + x) = from_.data()[layout_(i, x, y)];
  }

  std::span<const double> history() override { return history_; }

 protected:
  /// Writes row y of both lattices and of the flags: NaN, then the initial state; what is no site counts as solid.
  void initialize_row(int y) {
    for (int x = 0; x < layout_.columns(); ++x) {
      const bool inside = x < case_.nx;
      solid_.data()[layout_.site(x, y)] = !inside || case_.solid[static_cast<std::size_t>(y) * case_.nx + x] != 0;
      for (int i = 0; i < q; ++i) {
        to_.data()[layout_(i, x, y)] = std::numeric_limits<real>::quiet_NaN();
        from_.data()[layout_(i, x, y)] =
            inside ? static_cast<real>(case_.initial(i, x, y)) : std::numeric_limits<real>::quiet_NaN();
      }
    }
  }

  Lattice from() { return {from_.data(), layout_, case_.ny}; }
  Lattice to() { return {to_.data(), layout_, case_.ny}; }

  /// Drives row y of `lattice` where it is the accelerated one.
  void accelerate(Lattice lattice, int y) const {
    const int accelerated = case_.accelerated_row();
    if ((y - accelerated) % case_.ny != 0) return;
    const auto w1 = static_cast<real>(case_.w1());
    const auto w2 = static_cast<real>(case_.w2());
    for (int x = 0; x < case_.nx; ++x) {
      if (solid_.data()[layout_.site(x, accelerated)]) continue;
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = lattice(i, x, y);
      d2q9_accelerate(f, w1, w2);
      for (int i = 0; i < q; ++i)
        lattice(i, x, y) = f[i];
    }
  }

  /// Appends a step's average speed, given the sum over all fluid sites.
  void record(double speeds) { history_.push_back(speeds / static_cast<double>(fluid_cells_)); }

  const Case case_;
  const Layout<real> layout_;
  ladder::Array<std::uint8_t> solid_;  // [layout_.site(x, y)]
  ladder::Array<real> from_;           // [layout_(i, x, y)]
  ladder::Array<real> to_;             // [layout_(i, x, y)]
  std::vector<double> history_;
  const std::int64_t fluid_cells_;
};

}  // namespace d2q9
