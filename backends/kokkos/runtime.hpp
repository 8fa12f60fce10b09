#pragma once

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

/// Where loops run: the host's back end with the most parallelism that Kokkos was built with.
using Space = Kokkos::DefaultHostExecutionSpace;

/// Starts Kokkos on the first call; it stops when the program ends.
void start();

}  // namespace ladder::kokkos
