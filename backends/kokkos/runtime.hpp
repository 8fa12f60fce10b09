#pragma once

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

/// Where loops run: the most parallel host back end of this Kokkos build.
using Space = Kokkos::DefaultHostExecutionSpace;

/// Starts Kokkos on the first call; it stops when the program ends.
void start();

}  // namespace ladder::kokkos
