#pragma once

#include <cstddef>

#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"

namespace d2q9 {

/// Sends `count` values to one neighbour and receives as many from the other.
template <class real>
void exchange_rows(const real* rows, int to, real* others, int from, std::size_t count) {
  const int bytes = static_cast<int>(count * sizeof(real));
  LADDER_MPI(
      MPI_Sendrecv(rows, bytes, MPI_BYTE, to, 0, others, bytes, MPI_BYTE, from, 0, ladder::mpi::world(), MPI_STATUS_IGNORE));
}

}  // namespace d2q9
