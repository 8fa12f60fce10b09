#pragma once

#include <cstdint>
#include <limits>

#include "backends/memory/array.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace lattice {

/// Base of CPU rungs: a lattice with a layout and a streaming pattern. It holds one copy if the pattern is in place, else one
/// that a step reads and one that it writes. A rung only adds the step.
template <class Model, class real, template <class, class> class LayoutOf, class Pattern = Pull>
class ProcessorSolver : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;
  using L = typename Model::Lattice;
  using Layout = LayoutOf<L, real>;

  void store(ladder::Populations& out) override { lattice::store(f_.data(), places(), out); }
  void load(const ladder::Populations& in) override { lattice::load(f_.data(), places(), in); }
  double conserved() override { return lattice::sum(f_.data(), places()); }

 protected:
  /// Allocates memory without touching it; the rung calls initialize() for every row.
  explicit ProcessorSolver(const Case& c)
      : case_(c),
        layout_(extents(c)),
        f_(static_cast<std::size_t>(layout_.required_span_size())),
        g_(Pattern::in_place ? 0 : f_.size()) {}

  /// Writes row y of plane z, and is the first to touch it: NaN everywhere, then, in the lattice that the next step reads, the
  /// initial state of the cells that have one.
  void initialize(int y, int z = 0) {
    const double density = Model::density(case_);
    static_assert(is_local(), "the initial state of a row must lie in that row");
    constexpr real nan = std::numeric_limits<real>::quiet_NaN();
    for (std::int64_t x = 0; x < layout_.columns(); ++x) {
      const bool inside = x < extents(case_).x && (Model::solid_has_state || !case_.is_solid(x, y, z));
      const auto initial = inside ? case_.initial(x, y, z) : decltype(case_.initial(x, y, z)){};
      for (int i = 0; i < L::q; ++i) {
        const std::int64_t place = layout_(i, x, y, z);
        f_.data()[place] = inside ? Storage<real>::store(initial[static_cast<std::size_t>(i)] / density - L::rest(i)) : nan;
        if (!Pattern::in_place) g_.data()[place] = nan;
      }
    }
  }

  /// Ends a step: the next one reads the lattice that this one wrote.
  void swap_lattices() {
    if (!Pattern::in_place) f_.swap(g_);
    phase_ = (phase_ + 1) % Pattern::phases;
  }

  [[nodiscard]] Places places() const {
    Places all = lattice::places<L, Pattern>(extents(case_), layout_.strides(), phase_, Model::density(case_));
    all.bottom = Model::bottom_row(case_);
    if (!Model::solid_has_state && !case_.solid.empty()) all.solid = case_.solid.data();
    return all;
  }

  const Case case_;
  const Layout layout_;
  ladder::Array<real> f_;  ///< [layout_(i, x, y, z)], read by the next step
  ladder::Array<real> g_;  ///< same layout, written by the next step; empty if the pattern is in place
  int phase_ = 0;          ///< the pattern's next phase

 private:
  /// Returns whether the state before phase 0 is in its own cells and slots.
  static constexpr bool is_local() {
    for (int i = 0; i < L::q; ++i)
      if (!(Pattern::template read<L>(0, i) == Access{i, -L::c(i)})) return false;
    return true;
  }
};

}  // namespace lattice
