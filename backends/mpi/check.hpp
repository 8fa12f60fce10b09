#pragma once

#include <mpi.h>

namespace ladder::mpi {

/// @throws std::runtime_error with `call` and MPI's message unless `code` is MPI_SUCCESS
void check(int code, const char* call);

}  // namespace ladder::mpi

/// Calls an MPI function. @throws std::runtime_error if it fails
#define LADDER_MPI(call) ::ladder::mpi::check(call, #call)
