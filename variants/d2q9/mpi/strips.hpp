#pragma once

#include <algorithm>

#include "backends/mpi/check.hpp"
#include "backends/mpi/datatype.hpp"
#include "backends/mpi/team.hpp"
#include "backends/simd/row_stream.hpp"
#include "backends/simd/vector.hpp"
#include "variants/d2q9/processor.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

using ladder::mpi::Datatype;

/// Returns MPI's datatype for real.
template <class real>
MPI_Datatype number_type() {
  return sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/// Base of multi-process rungs: a strip or a block of the lattice. The rung fills the halos that a step reads; before that, the
/// process that owns the driven row accelerates it.
template <class real, template <class, class> class LayoutOf = lattice::Aligned>
class StripSolver : public StripState<PairSolver<real, LayoutOf>> {
  using Base = StripState<PairSolver<real, LayoutOf>>;

 public:
  using typename Base::Lattice;

 protected:
  using Base::case_, Base::strip_;

  /// Constructs the strip of a case that this process owns. The rung calls initialize_row() for all of its rows.
  using Base::Base;

  void initialize_rows() {
    for (int y = 0; y < case_.ny; ++y)
      this->initialize_row(y);
  }

  /// Accelerates the driven row for the first of several steps, if it is in the strip.
  void begin() {
    if (const int row = case_.accelerated_row(); strip_.first <= row && row <= strip_.last) this->accelerate(this->from(), row);
  }

  /// Returns the first element of direction i in a row.
  real* row(Lattice lattice, int i, int y) const { return &lattice(i, 0, y); }
};

}  // namespace d2q9
