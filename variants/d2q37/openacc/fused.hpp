#pragma once

#include "variants/d2q37/openacc/columns.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/openacc/solver.hpp"

namespace d2q37 {

/// Base of the solvers that stream and collide in one loop; the rows at the walls and the rows between them have one such loop
/// each.
template <class real>
class FusedSolver : public lattice::openacc::Solver<Model, real> {
 public:
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (columns_.walls) walls_(this->f(), this->g(), columns_, relaxation_);
      rows_(this->f(), this->g(), columns_, relaxation_, columns_.first_inner_row(), columns_.last_inner_row());
      this->swap_lattices();
    }
  }

 protected:
  /// The loops from one lattice to the other; the second one updates rows [first, last).
  using Walls = void (*)(const real* from, real* to, const Columns<0>& columns, const Relaxation<real>& relaxation);
  using Rows = void (*)(const real* from, real* to, const Columns<0>& columns, const Relaxation<real>& relaxation, int first,
                        int last);

  FusedSolver(const Case& c, Walls walls, Rows rows)
      : FusedSolver(without_reaction(c), Columns<0>(c, 128 / sizeof(real)), walls, rows) {}

 private:
  FusedSolver(const Case& c, const Columns<0>& columns, Walls walls, Rows rows)
      : lattice::openacc::Solver<Model, real>(c, columns.strides()), columns_(columns), walls_(walls), rows_(rows) {}

  const Columns<0> columns_;
  const Relaxation<real> relaxation_ = this->case_.template relaxation<real>();
  const Walls walls_;
  const Rows rows_;
};

}  // namespace d2q37
