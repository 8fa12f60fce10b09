#pragma once

#include <algorithm>
#include <array>

#include "backends/mpi/check.hpp"
#include "backends/mpi/datatype.hpp"
#include "backends/mpi/team.hpp"
#include "backends/simd/row_stream.hpp"
#include "backends/simd/wrapped.hpp"
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

  /// Returns the type of a row of `columns` elements in each of three directions, relative to the row in direction 0.
  [[nodiscard]] MPI_Datatype rows_of(const std::array<int, 3>& directions, int columns) const {
    std::array<int, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = static_cast<int>(directions[k] * this->layout_.strides().q);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_create_indexed_block(3, columns, places.data(), number_type<real>(), &type));
    return type;
  }

  /// Same as rows_of(), for all directions of `rows` rows.
  [[nodiscard]] MPI_Datatype whole_rows(int rows) const {
    const lattice::Strides strides = this->layout_.strides();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(q, static_cast<int>(rows * strides.y), static_cast<int>(strides.q), number_type<real>(), &type));
    return type;
  }

  /// Same as rows_of(), for a column of the own rows.
  [[nodiscard]] MPI_Datatype columns_of(const std::array<int, 3>& directions) const {
    const lattice::Strides strides = this->layout_.strides();
    std::array<MPI_Aint, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = static_cast<MPI_Aint>(directions[k] * strides.q * static_cast<std::int64_t>(sizeof(real)));
    MPI_Datatype column = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(strip_.rows(), 1, static_cast<int>(strides.y), number_type<real>(), &column));
    LADDER_MPI(MPI_Type_create_hindexed_block(3, 1, places.data(), column, &type));
    LADDER_MPI(MPI_Type_free(&column));
    return type;
  }

  static void wait_for(std::array<MPI_Request, 4>& messages) {
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
  }
};

}  // namespace d2q9
