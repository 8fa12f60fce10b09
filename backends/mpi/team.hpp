#pragma once

#include <mpi.h>

#include "backends/team.hpp"

namespace ladder::mpi {

/// All processes that the launcher started, a single one without a launcher. Starts MPI when first called; MPI ends with the
/// program. Errors of its communicators are returned (LADDER_MPI). Threads may exist, but only the main one may communicate.
/// @throws std::runtime_error if MPI cannot be started
MPI_Comm world();

int rank();
int size();

/// Number of this process among those of its node, from 0.
int rank_on_node();

}  // namespace ladder::mpi
