#pragma once

#include <mpi.h>

#include "backends/team.hpp"

namespace ladder::mpi {

/// All processes that the launcher started, or just this one without a launcher. The first call initializes MPI, which is
/// finalized at exit. Errors of its communicators are returned as codes (LADDER_MPI). Other threads may exist, but only the
/// main thread may communicate.
/// @throws std::runtime_error if MPI cannot be initialized
MPI_Comm world();

int rank();
int size();

/// Rank of this process within its node.
int rank_on_node();

}  // namespace ladder::mpi
