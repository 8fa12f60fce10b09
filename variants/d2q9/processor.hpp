#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variants/d2q9/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q9 {

/// Rows of a lattice, stored in a ring of `count` rows: either all rows of a periodic lattice, or only the few in use. Inner
/// loops use pointers to its rows or take it by value, so that the compiler keeps it in registers.
template <class real, class Layout>
struct Rows {
  real* f;
  Layout layout;
  int count;

  /// Population i of site x of row y; y may be any integer.
  real& operator()(int i, int x, int y) const { return f[layout(i, x, (y % count + count) % count)]; }
};

/// Base of the CPU rungs. Adds obstacles, the driven row and the average speeds to the lattices. Between calls of advance(),
/// `f_` holds the canonical post-collision state.
template <class real, template <class, class> class LayoutOf>
class PairSolver : public lattice::ProcessorSolver<Model, real, LayoutOf> {
  using Base = lattice::ProcessorSolver<Model, real, LayoutOf>;

 public:
  using Lattice = Rows<real, typename Base::Layout>;

  std::span<const double> history() override { return history_; }

 protected:
  using Base::case_, Base::layout_, Base::f_, Base::g_;

  explicit PairSolver(const Case& c)
      : Base(c), solid_(static_cast<std::size_t>(layout_.cell_span_size())), fluid_cells_(c.fluid_cells()) {}

  /// Writes row y of both lattices and of the obstacles; a column that is not a site counts as solid.
  void initialize_row(int y) {
    this->initialize(y);
    for (std::int64_t x = 0; x < layout_.columns(); ++x)
      solid_.data()[layout_.cell(x, y)] = x >= case_.nx || case_.is_solid(x, y);
  }

  Lattice from() { return {f_.data(), layout_, case_.ny}; }
  Lattice to() { return {g_.data(), layout_, case_.ny}; }

  /// Accelerates row y of `lattice` if it is the driven row.
  void accelerate(Lattice lattice, int y) const {
    const int accelerated = case_.accelerated_row();
    if (accelerated < 0 || (y - accelerated) % case_.ny != 0) return;
    const auto w1 = static_cast<real>(case_.w1());
    const auto w2 = static_cast<real>(case_.w2());
    for (int x = 0; x < case_.nx; ++x) {
      if (solid_.data()[layout_.cell(x, accelerated)]) continue;
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = lattice(i, x, y);
      d2q9_accelerate(f, w1, w2);
      for (int i = 0; i < q; ++i)
        lattice(i, x, y) = f[i];
    }
  }

  /// Appends the average speed of a step, given the sum over all fluid sites.
  void record(double speeds) { history_.push_back(speeds / static_cast<double>(fluid_cells_)); }

  ladder::Array<std::uint8_t> solid_;  ///< [layout_.cell(x, y)]
  std::vector<double> history_;
  const std::int64_t fluid_cells_;
};

}  // namespace d2q9
