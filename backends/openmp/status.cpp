#include "backends/status.hpp"

#include <omp.h>

#include "base/processor.hpp"

namespace ladder::openmp {
namespace {

/// Number of threads in a parallel region; fewer than requested if OMP_THREAD_LIMIT or OMP_DYNAMIC limits it.
int team_size() {
  int size = 1;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

}  // namespace

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = team_size();
  status.pins_threads = true;
  status.ceilings = "openmp";
  status.no_profiler = "no profiler records steps on processors";
  return status;
}

}  // namespace ladder::openmp
