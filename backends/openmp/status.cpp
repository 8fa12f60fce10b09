#include "backends/status.hpp"

#include <omp.h>

namespace ladder::openmp {

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = omp_get_max_threads();
  status.pins_threads = true;
  status.ceilings = "openmp";
  status.no_profiler = "the counters of processors are not read";
  return status;
}

}  // namespace ladder::openmp
