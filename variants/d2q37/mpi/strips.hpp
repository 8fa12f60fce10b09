#pragma once

#include <algorithm>
#include <array>

#include "backends/mpi/check.hpp"
#include "backends/mpi/datatype.hpp"
#include "backends/mpi/team.hpp"
#include "variants/d2q37/rows.hpp"
#include "variants/lattice/strip.hpp"

namespace d2q37 {

using lattice::Strip;

/// Base of the multi-process rungs: strips of rows, with halos as wide as the distance that a population moves in a step. A
/// rung supplies the update of a row.
template <class real>
class StripSolver : public lattice::StripState<Model, RowSolver<real>> {
  using Base = lattice::StripState<Model, RowSolver<real>>;

 protected:
  using Base::case_, Base::layout_, Base::f_, Base::strip_;

  explicit StripSolver(const Case& c) : Base(without_reaction(c), Strip::of(c, Lattice::reach)) {
    for (int y = 0; y < case_.ny; ++y)
      this->initialize(y);
  }

  /// The messages of an exchange: three rows of all directions, to and from each neighbour.
  using Messages = std::array<MPI_Request, 4>;

  /// Starts sending the outermost own rows to the neighbours, and receiving theirs into the halos.
  [[nodiscard]] Messages begin_exchange() {
    const auto rows = [&](int y) { return f_.data() + layout_(0, 0, y); };
    const MPI_Comm world = ladder::mpi::world();
    Messages messages{};
    LADDER_MPI(MPI_Irecv(rows(strip_.first - Lattice::reach), 1, rows_, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(rows(strip_.last + 1), 1, rows_, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(rows(strip_.last + 1 - Lattice::reach), 1, rows_, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(rows(strip_.first), 1, rows_, strip_.south, 1, world, &messages[3]));
    return messages;
  }
  static void wait_for(Messages& messages) {
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
  }

 private:
  /// A type for all directions of as many rows as a halo has.
  [[nodiscard]] MPI_Datatype rows_of_halo() const {
    const lattice::Strides strides = layout_.strides();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(q, static_cast<int>(Lattice::reach * strides.y), static_cast<int>(strides.q),
                               sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE, &type));
    return type;
  }

  const ladder::mpi::Datatype rows_{rows_of_halo()};
};

}  // namespace d2q37
