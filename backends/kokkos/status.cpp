#include "backends/status.hpp"

#include <type_traits>

#include "backends/kokkos/runtime.hpp"
#include "base/processor.hpp"

namespace ladder::kokkos {
namespace {

/// Name of the back end that runs the loops, with a note if it has only one thread.
std::string back_end() {
  std::string text = std::string("Kokkos ") + Space::name();
#if defined(KOKKOS_ENABLE_SERIAL)
  if (std::is_same_v<Space, Kokkos::Serial>) text += " (one thread)";
#endif
  return text;
}

std::string version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace

BackendStatus status() {
  start();
  BackendStatus status;
  status.available = true;
  status.device = processor_name() + ", " + back_end();
  status.driver = "Kokkos " + version();
  status.threads = Space().concurrency();
  status.ceilings = "openmp";
  status.no_profiler = "no profiler records steps on processors";
  return status;
}

}  // namespace ladder::kokkos
